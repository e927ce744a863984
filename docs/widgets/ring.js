// Step 08: what each rank's streams do in each turn of gather, ring and pairs, and which pulls have been summed.
"use strict";

// The rules of gather.cu, ring.cpp and pairs.cu, under their names: what the host of a rank puts on its
// streams, in its order. A share has two halves: part { rank, begin: 0, end: 2 } is all of a rank's bodies.
widgets.exchange = (kind, rank, ranks) => {
  const operations = [];
  let turn = 0;
  const put = (stream, does, more = {}) => operations.push({ turn, stream, does, ...more });
  const record = (event, stream) => put(stream, "record", { event });
  const holdUp = (event, stream) => put(stream, "wait", { event });
  const rankAt = (steps) => (((rank + steps) % ranks) + ranks) % ranks;
  const whole = (of) => ({ rank: of, begin: 0, end: 2 });
  const own = { buffer: "own", part: whole(rank) };
  const in2 = (name, index, part) => ({ buffer: `${name} ${index % 2}`, part });

  function gather() {
    const all = widgets.range(0, ranks - 1);
    put("stream", "travel", { sends: all.map((to) => ({ ...own, to })),
      receives: all.map((from) => ({ buffer: "all", part: whole(from), from })) });
    turn = 1;
    put("stream", "clear");
    put("stream", "sum", { rows: own, columns: all.map((of) => ({ buffer: "all", part: whole(of) })) });
  }

  function ring() {
    const streamOf = (at) => (at % 2 === 0 ? "stream" : "other");
    put("stream", "clear");
    record("moved", "stream");
    holdUp("moved", "link");
    holdUp("moved", "other");
    for (let sources = own; turn < ranks; ++turn) {
      const last = turn + 1 === ranks, from = rankAt(-1);
      const next = in2("buffer", turn, whole(rankAt(-turn - 1)));
      if (turn > 1) holdUp(`summed ${turn % 2}`, "link");
      if (!last) put("link", "travel", { sends: [{ ...sources, to: rankAt(1) }], receives: [{ ...next, from }] });
      put(streamOf(turn), "sum", { rows: own, columns: [sources] });
      record(`summed ${(turn + 1) % 2}`, streamOf(turn));
      if (last) break;
      record("arrived", "link");
      holdUp("arrived", streamOf(turn + 1));
      sources = next;
    }
    record("over", "other");
    holdUp("over", "stream");
  }

  // Two ranks half way round halve the lower one's bodies: the lower rank takes the first half, the other the second.
  const isHalved = (one, other) => one < other && 2 * (other - one) === ranks;
  const rangeOf = (one, other) => (!isHalved(one, other) ? whole(one)
    : one === rank ? { rank: one, begin: 0, end: 1 } : { rank: one, begin: 1, end: 2 });

  function pairs() {
    const farthest = Math.floor(ranks / 2);
    put("stream", "clear");
    record("moved", "stream");
    holdUp("moved", "link");
    holdUp("moved", "across");
    for (; turn <= farthest + (farthest > 0); ++turn) {
      const before = turn - 1, other = rankAt(-turn), sends = [], receives = [];
      if (turn > 0) holdUp("summed", "link");
      if (turn < farthest) {
        sends.push({ ...(turn === 0 ? own : in2("visitors", turn, whole(other))), to: rankAt(1) });
        receives.push({ ...in2("visitors", turn + 1, whole(rankAt(-turn - 1))), from: rankAt(-1) });
      }
      const home = in2("home", before, { rank, begin: +isHalved(rank, rankAt(before)), end: 2 });
      if (turn > 1) {
        sends.push({ ...in2("reactions", before, rangeOf(rankAt(-before), rank)), to: rankAt(-before) });
        receives.push({ ...home, from: rankAt(before) });
      }
      if (sends.length > 0) put("link", "travel", { sends, receives });
      if (turn === 0) put("stream", "sum", { rows: own, columns: [own] });
      else if (turn <= farthest)
        put("across", "sum", { rows: { buffer: "own", part: rangeOf(rank, other) },
          columns: [in2("visitors", turn, rangeOf(other, rank))],
          reactions: in2("reactions", turn, rangeOf(other, rank)) });
      record("summed", "across");
      record("arrived", "link");
      holdUp("arrived", "across");
      if (turn > 1) put("across", "add", { from: home });
    }
    --turn;
    record("added", "across");
    holdUp("added", "stream");
  }

  ({ gather, ring, pairs })[kind]();
  return operations;
};

(() => {
  const left = 100, pitch = 66, top = 30, below = 196;  // the square, the operations, the legend
  const buffersOf = { gather: ["own", "all"], ring: ["own", "buffer 0", "buffer 1"],
    pairs: ["own", "visitors 0", "visitors 1", "reactions 0", "reactions 1", "home 0", "home 1"] };
  const { controls, drawing, say } = widgets.make("ring", 640, 0);
  let kind = "ring", ranks = 4, hosts, squareTop;

  const make = () => {
    hosts = widgets.range(0, ranks - 1).map((rank) => widgets.exchange(kind, rank, ranks));
    squareTop = top + 24 * buffersOf[kind].length + 60;
    drawing.setAttribute("viewBox", `0 0 640 ${squareTop + below}`);
  };
  const turns = () => hosts[0][hosts[0].length - 1].turn + 1;
  const nameOf = ({ rank, begin, end }) => rank + (end - begin === 2 ? "" : begin === 0 ? ", 1st ½" : ", 2nd ½");
  const namesOf = (parts) => (parts.length > 1 ? "all" : nameOf(parts[0]));

  // Parts in a rank's buffers in a turn, with colours: b if the forces use it, c if it arrives, a if it is there.
  function heldIn(rank, at) {
    const held = { own: { parts: [{ rank, begin: 0, end: 2 }], colour: "a" } };
    for (const { turn, receives = [], columns = [], reactions } of hosts[rank].filter((done) => done.turn <= at)) {
      for (const { buffer } of receives)
        held[buffer] = { parts: receives.filter((in_) => in_.buffer === buffer).map(({ part }) => part),
          colour: turn === at ? "c" : "a" };
      if (reactions) held[reactions.buffer] = { parts: [reactions.part], colour: turn === at ? "b" : "a" };
      if (turn === at && columns.length > 0) held[columns[0].buffer].colour = "b";
    }
    return held;
  }

  function showRank(rank, at) {
    const x = left + pitch * rank, held = heldIn(rank, at);
    widgets.text(drawing, x + 31, 20, `rank ${rank}`, "small middle");
    buffersOf[kind].forEach((buffer, row) => {
      const { parts, colour } = held[buffer] ?? { colour: "none" };
      widgets.box(drawing, colour, x, top + 24 * row, 62, 20);
      if (parts) widgets.text(drawing, x + 31, top + 14 + 24 * row, namesOf(parts), "small middle");
    });
    const sum = hosts[rank].find(({ turn, does }) => turn === at && does === "sum");
    const of = (...bodies) => namesOf(bodies.map(({ part }) => part)).replace(/, ... ½/, "½");
    const forces = sum ? `${of(sum.rows)} ${sum.reactions ? "↔" : "←"} ${of(...sum.columns)}` : "-";
    widgets.text(drawing, x + 31, top + 14 + 24 * buffersOf[kind].length, forces, "small middle");
  }

  // The pulls on a row's bodies by a column's, a share wide. b: summed in this turn, c: on its way home, a: there.
  function showSquare(at) {
    const side = Math.min(30, 120 / ranks);
    const pulls = (colour, on, by) => widgets.box(drawing, colour, 10 + side * (by.rank + by.begin / 2),
      squareTop + side * (on.rank + on.begin / 2), side * (by.end - by.begin) / 2, side * (on.end - on.begin) / 2);
    widgets.text(drawing, 10, squareTop - 24, "forces so far:", "small");
    widgets.text(drawing, 10, squareTop - 8, "a row feels, a column pulls", "small");
    widgets.box(drawing, "none", 10, squareTop, side * ranks, side * ranks);
    for (const { turn, rows, columns = [], reactions } of hosts.flat().filter((done) => done.turn <= at))
      for (const { part } of columns) {
        pulls(turn === at ? "b" : "a", rows.part, part);
        if (reactions) pulls(["b", "c"][at - turn] ?? "a", part, rows.part);
      }
  }

  // The lines that say what an operation of rank 0 does.
  function linesOf({ does, event, sends = [], receives = [], columns = [], from }) {
    if (does === "wait") return [`waits for "${event}"`];
    if (does === "record") return [`records "${event}"`];
    if (does === "clear") return ["clears the sums"];
    if (does === "add") return [`adds ${from.buffer} to the sums`];
    if (does === "sum") return [`forces, of ${columns[0].buffer}`];
    if (kind === "gather") return ["sends its bodies to all and receives all"];
    return [`sends ${sends.map(({ buffer, to }) => `${buffer} to rank ${to}`).join(", ")};`,
      `receives ${receives.map(({ buffer, from: sender }) => `${buffer} from rank ${sender}`).join(", ")}`];
  }

  function showOperations(at) {
    const lines = hosts[0].filter(({ turn }) => turn === at)
      .flatMap((operation) => linesOf(operation).map((line, k) => [k === 0 ? operation.stream : "", line]));
    widgets.text(drawing, 234, squareTop - 24, "what the host of rank 0 puts on its streams", "small faint");
    lines.forEach(([stream, line], k) => {
      widgets.text(drawing, 234, squareTop - 4 + 16 * k, stream, "small");
      widgets.text(drawing, 290, squareTop - 4 + 16 * k, line, "small");
    });
  }

  function showLegend() {
    const colours = { b: "the forces use it in this turn", c: "it travels in this turn", a: "it is there" };
    Object.entries(colours).forEach(([colour, means], k) => {
      widgets.box(drawing, colour, 10, squareTop + 134 + 20 * k, 12, 12);
      widgets.text(drawing, 28, squareTop + 145 + 20 * k, means, "small");
    });
  }

  const words = {
    gather: (at) => (at === 0 ? "Every rank's bodies go to every rank. No rank computes." : "Forces of all bodies."),
    ring: (at) => `Forces of the bodies ${at === 0 ? "that each rank has" : `of the rank ${at} back`}` + (at + 1 < ranks
      ? ", while the link sends them on and receives the next." : ". Nothing travels any more."),
    pairs: (at) => {
      const farthest = Math.floor(ranks / 2);
      const forces = at === 0 ? "Each rank's own pairs" : at > farthest ? "No forces are left"
        : `Pairs with the bodies of the rank ${at} back, both sides${2 * at === ranks ? ", half of them each" : ""}`;
      const travel = [at < farthest && "the next bodies", at > 1 && "the last turn's reactions"].filter(Boolean);
      return `${forces}. ${travel.length > 0 ? `On the link: ${travel.join(" and ")}` : "Nothing travels"}.`;
    },
  };

  function show(at) {
    drawing.replaceChildren();
    buffersOf[kind].forEach((buffer, row) => widgets.text(drawing, 10, top + 14 + 24 * row, buffer));
    widgets.text(drawing, 10, top + 14 + 24 * buffersOf[kind].length, "forces");
    for (let rank = 0; rank < ranks; ++rank) showRank(rank, at);
    showSquare(at);
    showOperations(at);
    showLegend();
    say(`Turn ${at}, the last is ${turns() - 1}. ${words[kind](at)}`);
  }

  make();
  const redraw = widgets.stepper(controls, turns, 2, show);
  const change = () => { make(); redraw(); };
  widgets.choice(controls, "exchange", Object.keys(buffersOf), (value) => { kind = value; change(); }).value = kind;
  widgets.slider(controls, "ranks", widgets.range(1, 8), ranks, (value) => { ranks = value; change(); });
})();
