// Draws what the threads of a block do in one step, and a chart of all steps. data: what document() in see.py returns.
const unpacked = (list) => (list === undefined || Array.isArray(list) ? list
  : Array.from({ length: list.of }, (_, k) => ("all" in list ? list.all : list.from + k * list.by)));
for (const one of data.launches) for (const other of one.blocks) for (const request of other.requests)
  for (const part of "tovn") request[part] = unpacked(request[part]);

const dom = (id) => document.getElementById(id);
const verbs = { r: "read", w: "write", a: "update atomically", S: "exchange values in", V: "take part in", W: "meet at", C: "wait at" };
const colours = { r: "--read", w: "--write", a: "--atomic", S: "--swap", V: "--swap", W: "--swap", C: "--swap" };
let launch, block, step = 0, chosen = null, picked = null, timer = null, best = { height: 0 };
// The colour of a thread: never red, which means a mistake. Neighbours look alike, so that order and disorder show.
const hue = (t) => 95 + (t * 215) / size(launch.threads);
const line = (t) => `oklch(var(--thread) 0.15 ${hue(t)})`, fill = (t) => `oklch(0.76 0.13 ${hue(t)})`;

function svg(name, attributes, ...parts) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
}
function html(name, attributes = {}, ...parts) {
  const element = Object.assign(document.createElement(name), attributes);
  element.append(...parts);
  return element;
}
const span = (className, text) => html("span", { className }, text);
const paint = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// --- Names
const size = (d) => d[0] * d[1] * d[2];
const triple = (d, extents = d) => (extents[2] > 1 ? `(${d.join(", ")})` : extents[1] > 1 ? `(${d[0]}, ${d[1]})` : `${d[0]}`);
// Returns "2, 32, 128, stream 1": what stands between <<< and >>>, as far as it is not the default. The executor counts from 2.
const configuration = () => [triple(launch.grid), triple(launch.threads), ...launch.shared || launch.stream ? [launch.shared] : [],
  ...launch.stream ? [`stream ${launch.stream - 1}`] : []].join(", ");
const kernelName = (one) => one.kernel.replace(/\(.*/, "");
function threadName(t) {
  const [x, y] = launch.threads;
  return triple([t % x, Math.floor(t / x) % y, Math.floor(t / x / y)], launch.threads).replace(/ /g, "");
}
// Returns "0–3, 8": ranges of numbers.
function ranges(numbers, name = String) {
  const runs = [];
  for (const n of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs[runs.length - 1];
    if (last && n === last[1] + 1) last[1] = n;
    else runs.push([n, n]);
  }
  const shown = runs.slice(0, 5).map(([a, b]) => (a === b ? name(a) : `${name(a)}${b === a + 1 ? ", " : "–"}${name(b)}`));
  return shown.join(", ") + (runs.length > 5 ? ", …" : "");
}
const some = (threads) => (threads.length === size(launch.threads) && threads.length > 1 ? `all ${threads.length} threads`
  : `thread${threads.length > 1 ? "s" : ""} ${ranges(threads, threadName)}`);
const count = (n, name) => `${n} ${name}${n === 1 ? "" : "s"}`;
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const elementOf = (array, offset) => Math.floor(offset / array.element);
const indexName = (array, i) => (array.width && array.space === "shared" ? `[${Math.floor(i / array.width)}][${i % array.width}]` : `[${i}]`);
// Returns the number of the value at these bytes: element times members, plus member.
function slotOf(array, offset) {
  const member = array.members.findIndex(([, at, bytes]) => at + bytes > offset % array.element);
  return elementOf(array, offset) * array.members.length + Math.max(0, member);
}
function placeName(array, offset, bytes) {
  const member = array.members[slotOf(array, offset) % array.members.length][0];
  const isPart = array.members.length > 1 && bytes < array.element;
  return array.name + indexName(array, elementOf(array, offset)) + (!isPart ? "" : /^\d/.test(member) ? `, part ${member}` : `.${member}`);
}
function short(value, room = 4) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.length === 1 ? short(value[0], room) : `(${value.map((x) => short(x, room)).join(", ")})`;
  if (typeof value === "string" || String(value).length <= room) return String(value);
  for (let digits = 4; digits > 0; --digits) {
    const text = String(Number(value.toPrecision(digits))).replace(/^(-?)0\./, room > 5 ? "$10." : "$1.");
    if (text.length <= room) return text;
  }
  const text = value.toExponential(0).replace("+", "");
  return text.length <= room + 1 || room > 5 ? text : "";  // the cell's title has it
}

// Returns a value with all its digits: of a float, as many as tell it from its neighbours.
function whole(value, bytes) {
  if (typeof value !== "number") return value === null ? "never written" : String(value ?? "unknown");
  for (let digits = 1; bytes < 8 && digits < 10; ++digits)
    if (Math.fround(value.toPrecision(digits)) === value) return String(Number(value.toPrecision(digits)));
  return String(value);
}
// Returns "bodies[3].x = 0.1": one value of an array, or those of a whole element, in a step.
function valueText(array, held, slot, count) {
  const all = array.members.length, members = Array.from({ length: count }, (_, part) => array.members[(slot + part) % all]);
  const values = members.map(([, , bytes], part) => whole(held.get(slot + part), bytes));
  const name = placeName(array, Math.floor(slot / all) * array.element + members[0][1], count === all ? array.element : members[0][2]);
  return `${name} = ${count === 1 ? values[0] : `(${values.join(", ")})`}`;
}

// --- What happens in a step
// Returns what each array holds after a step, by slot: a number, or null for memory never written.
function contentsAt(last) {
  const held = block.arrays.map((array) => new Map((array.start ?? []).map((value, k) => [array.first + k, value])));
  const put = (k, slot, values) => [values].flat().forEach((value, part) => held[k].set(slot + part, value));
  for (const { c, request, change } of block.timeline) {
    if (c > last) break;
    if (change) put(change[1], change[2], change[3]);
    else request.o.forEach((o, lane) => {
      if (!(request.k === "r" && request.u?.[lane])) put(request.a, slotOf(block.arrays[request.a], o), (request.n ?? request.v)[lane]);
    });
  }
  return held;
}
// Returns the race that is shown in a step: of the chosen thread, or the first one.
function raceAt(at) {
  const all = block.races.filter((race) => race.c === at);
  return all.find((race) => race.t === chosen || (race.t2 === chosen && !race.place)) ?? all[0];
}
// Returns whether the stop is outside its array, and not at a misaligned address in it.
const isOutside = ({ a, i }) => a !== null && (i < 0 || i >= block.arrays[a].count);
const lineText = ([file, line] = []) => data.files[file]?.[line - 1] ?? "";

function costText(requests, offsets) {
  const { k, a, x, d, p } = requests.reduce((worst, one) => (one.x[0] - one.x[1] > worst.x[0] - worst.x[1] ? one : worst));
  const [is, least, banks] = x;
  const same = Math.max(...offsets.map((o) => offsets.filter((other) => other === o).length));
  if (/_matrix_sync/.test(lineText(p[0]))) return span("soft",
      "CUDA leaves open which lane holds which element: a GPU may distribute them in another way.");
  if (k === "a" && same > 1) return span("iswarn", `${same} threads update the same element, one after the other.`);
  if (d) return span("soft", "An asynchronous copy: it may end at any time before the wait for it.");
  if (offsets.length === 1) return "";
  if (banks) return is > least ? span("iswarn", `${Math.max(...banks)}-way bank conflict: the request of a warp needs ${is} wavefronts ` +
      `instead of ${least}, because ${Math.max(...banks)} of its words lie in one bank.`)
      : span("isgood", "No bank conflict.");
  if (block.arrays[a].space === "constant") return "";
  const sectors = requests.length > 1 ? `at most ${count(is, "sector")} per warp` : count(is, "sector");
  return is > least ? span("iswarn", `Not coalesced: ${sectors}, and ${least} would hold the same bytes.`)
      : span("isgood", `Coalesced: the threads use ${same === offsets.length ? "the same" : "neighbouring"} bytes, in ${sectors}.`);
}
function accessText(requests, isFull, isWrong) {
  const { k, a, p, s, d, name } = requests[0], threads = requests.flatMap((one) => one.t), offsets = requests.flatMap((one) => one.o);
  const verb = d ? "start a copy to" : verbs[k], out = html("p");
  out.append(html("b", {}, capital(some(threads))), " ", span(k, threads.length > 1 ? verb : verb.replace(/^\w+/, "$&s")), " ");
  if (a === undefined) {
    const { t, o } = requests.find((one) => one.t.includes(chosen)) ?? requests[0], lane = Math.max(0, t.indexOf(chosen));
    out.append(`${name}, line ${p[0][1]}. `, k !== "S" ? ""
        : `Thread ${threadName(t[lane])} takes the value of thread ${threadName(t[lane] - (t[lane] % 32) + o[lane])}.`);
    return [out];
  }
  const array = block.arrays[a], index = offsets.map((o) => o / array.element), isOne = new Set(offsets).size === 1;
  const gaps = [...new Set(index.slice(1).map((i, lane) => i - index[lane]))], gap = gaps.length === 1 ? gaps[0] : null;
  const ends = gap === null ? [Math.min(...offsets), Math.max(...offsets)] : [offsets[0], offsets[offsets.length - 1]];
  const [first, last] = ends.map((offset) => placeName(array, offset, s));
  out.append(html("code", {}, threads.length === 1 || isOne ? first : `${first} … ${last}`), threads.length === 1 ? "" : isOne
      ? ", all the same element"
    : gap === null ? ", in mixed order" : gap === 1 ? "" : gap === -1 ? ", backwards" : `, every ${gap}${{ 2: "nd", 3: "rd" }[gap] ?? "th"} element`);
  if (threads.length === 1) out.append(` = ${short((requests[0].n ?? requests[0].v)[0], 8)}`);
  const cost = costText(requests, offsets);
  const slow = cost.className === "iswarn" && isFull ? block.slow.find((one) => one.a === a && one.line === p[0]?.[1]) : null;
  out.append(p[0] ? `, line ${p[0][1]}. ` : ". ", isWrong && cost.className === "isgood" ? "" : cost,  // no praise next to a mistake
      slow && !isWrong ? html("span", { className: "remedy" }, ` ${slow.remedy}`) : "");
  for (const [level, className, text] of [[2, "isbad", "memory that nobody has written: garbage."],
      [1, "soft", "memory that nobody has written, but no result depends on it."]]) {
    const blind = requests.flatMap(({ t, u }) => t.filter((_, lane) => u?.[lane] === level));
    if (blind.length) out.append(" ", span(className, `${capital(some(blind))} read${blind.length > 1 ? "" : "s"} ${text}`));
  }
  const own = [];
  if (isFull) for (const request of requests) request.t.forEach((t, lane) => {
    if (t !== chosen) return;
    const value = request.v && request.n ? `${short(request.v[lane], 8)} becomes ${short(request.n[lane], 8)}`
        : `= ${short((request.n ?? request.v)[lane], 8)}`;
    own.push(html("p", {}, `Thread ${threadName(t)}: ${placeName(array, request.o[lane], s)} ${value}.`));
  });
  return [out, ...own];
}
// Returns the sentences about a step, as paragraphs. isFull: also about the chosen thread.
function sentences(at, isFull = true) {
  const out = [], groups = new Map(), barrier = block.barrierAt.get(at), race = raceAt(at), stop = block.stop?.c === at ? block.stop : null;
  for (const request of block.at[at] ?? []) {
    const key = [request.k, request.a, JSON.stringify(request.p[0]), request.name].join();
    groups.set(key, [...groups.get(key) ?? [], request]);
  }
  for (const requests of groups.values()) out.push(...accessText(requests, isFull, race || stop));
  for (const [threads, name, , line] of barrier?.at ?? [])
    out.push(html("p", {}, html("b", {}, `${capital(some(threads))} ${threads.length > 1 ? "wait" : "waits"} at ${name}`), `, line ${line}. `));
  if (barrier) out[out.length - 1].append(barrier.at.length > 1 ? span("isbad", "They wait for each other in vain.") : barrier.missing.length
      ? span("isbad", `${capital(some(barrier.missing))} never came.`) : barrier.t.length + block.left.length < size(launch.threads) ? ""
      : "All have arrived: what was written before, all may read now.");
  if (race) {
    const array = block.arrays[race.a], pair = (one) => [Math.min(one.t, one.t2), Math.max(one.t, one.t2), one.place].join();
    const others = new Set(block.races.filter((other) => other.c === at).map(pair)).size - 1;
    const other = race.place ? ` of ${race.place}` : "", line = race.p2[0] ? ` (line ${race.p2[0][1]})` : "";
    out.push(html("p", { className: "isbad" },
        `Race: thread ${threadName(race.t)} ${race.w ? "writes" : "reads"} ${placeName(array, race.o, array.element)}, which thread ` +
      `${threadName(race.t2)}${other} ${race.w2 ? "writes" : "reads"}${line}, and nothing orders the two. Which comes first is chance.` +
      `${others > 0 ? ` In this step the page marks ${count(others, "more pair")} of threads. It keeps the first races of a block; ` +
      "the report counts all of the kernel." : ""}`),
        html("p", { className: "remedy" }, race.hint));
  }
  if (stop) {
    const what = stop.a === null ? `uses ${stop.what}`
      : !isOutside(stop) ? `uses a misaligned address at ${stop.what}`
      : `${stop.w ? "writes" : "reads"} ${stop.what}, outside the array, which has ` +
        `${count(block.arrays[stop.a].count, "element")}`;
    out.push(html("p", { className: "isbad" }, `Thread ${threadName(stop.t)} ${what}, line ${stop.p[0][1]}. The block ends here.`),
        html("p", { className: "remedy" }, stop.hint));
  }
  const here = [data.launches.indexOf(launch), launch.blocks.indexOf(block), at].join(".");
  if (!race && !stop) data.found.forEach(([place, text], k) => {
    if (!`${place}.`.startsWith(`${here}.`)) return;
    if (/^(wrong lane|race)/.test(text)) out.push(html("p", { className: "isbad" }, capital(text)));
    out.push(html("p", { className: "remedy" }, data.advice[k]));
  });
  const text = lineText((stop ?? block.at[at]?.[0] ?? barrier)?.p[0]);
  if (text) out.unshift(html("pre", { className: "here" }, text.trim()));
  return out.length ? out : [html("p", { className: "soft" }, "Nothing happens in memory.")];
}

// --- Words
const words = new Map([...document.querySelectorAll("#words b")].map((one) =>
  [one.textContent.toLowerCase(), one.closest("li").textContent.replace(/\s+/g, " ")]));
const known = new RegExp(`\\b(${[...words.keys()].sort().reverse().join("|")})(?:s|ally)?\\b`, "gi");
// Makes a button of each word at its first use in an element. It shows what the word means.
function explain(element) {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), used = new Set();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const found = node.parentNode.closest("button, pre, code") ? null
      : [...node.data.matchAll(known)].find(([, word]) => !used.has(words.get(word.toLowerCase())));
    if (!found) continue;
    const meaning = words.get(found[1].toLowerCase()), word = node.splitText(found.index);
    used.add(meaning);
    word.splitText(found[0].length);
    word.replaceWith(html("button",
      { className: "word", title: meaning, onclick: () => { dom("word").textContent = meaning; } }, found[0]));
  }
}

// --- The picture of a step
// Draws arrays and threads from top to bottom. Matrices stand side by side as far as they fit.
class Stage {
  constructor(width) {
    Object.assign(this, { width, y: 4, x: 0, bottom: 4, back: svg("g", {}), wires: svg("g", { fill: "none" }), front: svg("g", {}), cells: new Map(),
        dots: new Map() });
    this.now = block.at[step] ?? []; this.held = contentsAt(step);
    this.races = block.races.filter((race) => race.c === step); this.stop = block.stop?.c === step ? block.stop : null;
    this.isFlat = launch.threads[1] > 1 || launch.threads[2] > 1;
    const items = 1 + block.arrays.filter((array) => array.width).length;
    this.room = this.isFlat ? Math.floor(width / Math.ceil(items / Math.ceil(items / (width < 500 ? 2 : 4)))) - 24 : width;
  }
  besides(wide, high) {
    if (this.x > 0 && this.x + wide > this.width) { this.y = this.bottom; this.x = 0; }
    const at = { x: this.x, y: this.y };
    this.bottom = Math.max(this.x ? this.bottom : this.y, this.y + high); this.x += wide + 22;
    return at;
  }
  text(x, y, text, className, more = {}) { this.front.append(svg("text", { x, y, class: className, ...more }, text)); }

  array(k, isBelow) {
    const array = block.arrays[k], shown = array.cells, ghost = this.stop?.a === k && isOutside(this.stop);
    const n = shown.length + (ghost ? 1 : 0), { width } = this;
    const requests = this.now.filter((request) => request.a === k), is2d = this.isFlat && array.width > 0;
    const stack = !array.width && array.members.length > 1 && array.members.length <= 8 ? array.members.length : 1, indent = stack > 1 ? 26 : 0;
    if (!is2d && this.x > 0) { this.y = this.bottom + 4; this.x = 0; }
    const most = width - (ghost ? 14 : 6) - indent, narrowest = n > 128 ? 10 : n > 64 ? (width < 500 ? 10 : 20) : n > 32 ? 20 : 22;
    let cols = array.width || n, cell = is2d ? Math.max(4, Math.min(24, Math.floor(this.room / cols))) : Math.min(40, Math.floor(most / cols));
    if (!array.width && (cell < 22 || (array.space === "shared" && n >= 64))) {
      cols = [64, 32, 16, 8, 4].find((one) => most / one >= narrowest && (one <= 32 || n > 256)) ?? 4;
      cell = Math.min(40, Math.floor(most / cols));
    }
    cell = Math.max(cell, 3);
    const box = stack > 1 ? 17 : Math.min(cell, 24), high = stack * box, rows = Math.ceil(shown.length / cols), isShared = array.space === "shared";
    const isBeside = isBelow && !is2d && cols * cell + indent < width - 340;
    const at = is2d ? this.besides(Math.max(cols * cell + 6, Math.min(this.room, 120)), 17 + rows * (high + 1) + (isShared ? 52 : 12))
        : { x: 0, y: this.y };
    const isBefore = ghost && this.stop.i < 0, left = at.x + 3 + indent + (isBefore ? cell + 6 : 0);
    const bytes = is2d ? `  ${array.space}` : `   ${array.space} memory, ${array.count} × ${array.element} bytes`;
    const isUnder = isBelow && !is2d && !isBeside;  // arrows from the threads would cross a name above
    const name = (x, y) => this.front.append(svg("text", { x, y, class: "name" }, `${isShared ? "__shared__ " : ""}${array.name}`,
        svg("tspan", {}, bytes + (array.name === array.host || /\W/.test(array.host) ? "" : `, ${array.host} on the host`))));
    if (!isUnder) name(isBeside ? 12 + indent + cols * cell : at.x + 2, isBeside ? this.y + 17 : at.y + 11);
    this.y = at.y + (isBeside || isUnder ? 2 : 17);
    const isNumbered = cell >= 18 && !array.width, gap = high + (isNumbered ? 17 : array.width ? 1 : 6), hits = new Map();
    for (const request of requests) request.o.forEach((o, lane) => {
      const end = slotOf(array, o + request.s - 1);
      for (let slot = slotOf(array, o); slot <= end; ++slot) hits.set(slot,
          [...hits.get(slot) ?? [], { request, t: request.t[lane], u: request.u?.[lane] }]);
    });
    for (let member = 0; member < stack && stack > 1; ++member)
      for (let row = 0; row < rows; ++row) this.text(2, this.y + row * gap + member * box + 12, array.members[member][0].slice(0, 4), "soft");
    shown.forEach((i, place) => {
      const x = left + (place % cols) * cell, top = this.y + Math.floor(place / cols) * gap;
      if (i === null) { this.text(x + cell / 2 - 4, top + high / 2 + 3, "…", "soft"); return; }
      this.cells.set(`${k}:${i}`, { x: x + cell / 2, y: top, high });
      const each = array.members.length / stack;
      for (let part = 0; part < stack; ++part) this.cell(k, i, i * array.members.length + part * each, each, hits,
          { x, y: top + part * box, wide: cell, high: box });
      if (isNumbered && (cell >= 26 || i % 8 === 0 || i === array.count - 1)) this.text(x + cell / 2, top + high + 13, i, "soft",
          { "text-anchor": "middle" });
      if (array.space === "global" && !(array.width && cell < 8)) this.sector(array, i, requests, { x, y: top + high, wide: cell });
    });
    if (ghost) {
      const place = isBefore ? 0 : shown.length, isRow = place % cols === 0 && place > 0 && cols * cell + cell < most;
      const x = isBefore ? left - cell - 6 : left + (isRow ? cols : place % cols) * cell + 6;
      const top = this.y + (isRow ? rows - 1 : Math.floor(place / cols)) * gap;
      this.front.append(svg("rect", { x, y: top, width: cell, height: high, rx: 3, fill: "none", stroke: "var(--bad)", "stroke-width": 2.5,
          "stroke-dasharray": "4 3" }));
      this.text(x + cell / 2, top + high / 2 + 5, "✗", "", { "text-anchor": "middle", style: "fill:var(--bad);font-weight:700;font-size:14px" });
      this.text(Math.min(x + cell / 2, width - 20), top + high + 14, this.stop.i, "name",
          { "text-anchor": "middle", style: "fill:var(--bad);font-weight:700" });
      this.cells.set("ghost", { x: x + cell / 2, y: top, high });
    }
    this.y += (rows + (ghost && shown.length % cols === 0 && cols * cell + cell >= most ? 1 : 0)) * gap + (array.width ? 8 : 4);
    if (isUnder) name(at.x + 2, (this.y += 14) - 5);
    if (isShared) this.banks(requests, { left, cell, cols, is2d, at, size: array.element });
    this.y = is2d ? at.y : this.y + 4;
  }
  // Draws a value, or a whole element of several values, with the threads that use it in this step.
  cell(k, i, slot, count, hits, { x, y, wide, high }) {
    const array = block.arrays[k], held = Array.from({ length: count }, (_, part) => this.held[k].get(slot + part)), isVoid = held.includes(null);
    const hit = held.flatMap((_, part) => hits.get(slot + part) ?? []), kind = hit[0]?.request.k, isMany = new Set(hit.map(({ t }) => t)).size > 1;
    const colour = isMany ? `var(${colours[kind]})` : hit.length ? fill(hit[0].t) : "", edge = isMany ? colour : hit.length ? line(hit[0].t) : "", group = svg("g", {});
    group.append(svg("rect", { x: x + 0.5, y: y + 0.5, width: wide - 1, height: high - 1, rx: 2, fill: isVoid ? "url(#void)" : "var(--cell)",
        stroke: "var(--line)", "stroke-width": wide > 9 ? 1 : 0.4 }));
    if (hit.length) group.append(svg("rect", { x: x + 1, y: y + 1, width: wide - 2, height: high - 2, rx: 2, fill: colour,
        "fill-opacity": kind === "r" ? 0.28 : 0.95, stroke: edge, "stroke-width": wide > 9 ? 2.4 : 1 }));
    if (hit.some(({ u }) => u)) group.append(svg("rect", { x: x + 1, y: y + 1, width: wide - 2, height: high - 2, fill: "url(#voidread)",
        stroke: hit.some(({ u }) => u === 2) ? "var(--bad)" : "var(--soft)", "stroke-width": 2.4 }));
    const races = this.races.filter((race) => race.a === k && elementOf(array, race.o) === i);
    if (races.length)
      group.append(svg("rect", { x: x - 1.5, y: y - 1.5, width: wide + 3, height: high + 3, rx: 4, fill: "none", stroke: "var(--bad)",
          ...races.includes(raceAt(step)) ? { "stroke-width": 3 } : { "stroke-width": 1, "stroke-dasharray": "3 2" } }));
    const letters = wide >= 18 && !isVoid && count === 1 ? short(held[0], Math.max(3, Math.floor((wide - 1) / 7))) : "";
    if (6.6 * letters.replace(/\W/g, "").length < wide) group.append(svg("text", { x: x + wide / 2, y: y + high / 2 + 4,
      "text-anchor": "middle", class: hit.length && kind !== "r" ? "dark" : "" }, letters));
    const text = valueText(array, this.held[k], slot, count) + (hit.length ? `; ${some(hit.map(({ t }) => t))}` : ""), place = `${k}:${slot}`;
    if (picked === place) {
      this.value = text;
      group.append(svg("rect", { x, y, width: wide, height: high, fill: "none", stroke: "var(--ink)", "stroke-width": 2.5 }));
    }
    group.append(svg("title", {}, text));
    group.addEventListener("click", () => { picked = picked === place ? null : place; draw(); });
    this.back.append(group);
  }
  // Draws a stroke below the sector of 32 bytes of an element in global memory.
  sector(array, i, requests, { x, y, wide }) {
    const begin = array.skew + i * array.element, sector = Math.floor(begin / 32);
    const mine = requests.filter(({ o, s }) => o.some((at) => Math.floor((array.skew + at) / 32) <= sector &&
        Math.floor((array.skew + at + s - 1) / 32) >= sector));
    if (!mine.length && array.width) return;
    const from = x + (begin % 32 === 0 ? 2 : 0), to = x + wide - ((begin + array.element) % 32 === 0 ? 2 : 0), at = y + (array.width ? -0.5 : 2.5);
    this.back.append(svg("line", { x1: from, x2: to, y1: at, y2: at, "stroke-width": mine.length ? 3 : 1.5,
      stroke: !mine.length ? "var(--line)" : mine.some((one) => one.x[0] > one.x[1]) ? "var(--warn)" : "var(--good)" }));
  }
  // Draws the words that each bank delivers in the request that takes most turns.
  banks(requests, { left, cell, cols, is2d, at, size: bytes }) {
    const worst = requests.filter(({ x }) => x[2]).sort((a, b) => b.x[0] - a.x[0])[0]?.x;
    if (!worst) { this.y += 15; return; }
    const isBelow = cols === 32 && bytes === 4, wide = isBelow ? cell : is2d ? Math.max(2.5, Math.min(8, (this.room - 44) / 32))
        : Math.min(16, (this.width - 60) / 32);
    const from = isBelow ? left : at.x + 44, tall = Math.max(...worst[2]), unit = Math.min(9, 36 / tall);
    if (!isBelow || left + 33 * cell + 30 < this.width) this.text(isBelow ? left + 32 * cell + 4 : at.x + 2, this.y + 9, "banks", "soft");
    for (const [bank, n] of worst[2].entries()) for (let j = 0; j < Math.max(1, n); ++j)
      this.back.append(svg("rect", { x: from + bank * wide + 0.5, y: this.y + 1 + j * unit, width: Math.max(1.6, wide - 2),
          height: unit - 1.5, fill: n === 0 ? "var(--cell)" : n > 1 ? "var(--warn)" : "var(--good)" }));
    this.y += 6 + tall * unit;
  }

  // Draws the threads in rows as the block has them: x in a thread, y beside a row, z above a layer. Layers stand
  // side by side.
  threads() {
    const [bx, by, bz] = launch.threads, count = size(launch.threads), { isFlat, width } = this;
    const indent = isFlat ? 19 + 7 * `${by - 1}`.length : count > 100 ? 28 : 0;
    const wide = isFlat ? (bx + 0.7) * bz - 0.7 : Math.min(count, width < 420 ? 16 : 32), rows = isFlat ? by : Math.ceil(count / wide),
        tall = rows > 8 ? 9 : 15;
    const apart = Math.min(40, ((isFlat && bz === 1 ? this.room : width) - 8 - indent) / wide, rows > 2 ? 1.8 * tall : 40),
        radius = Math.max(2, Math.min(11, apart / 2 - 1, rows > 2 ? tall - 2 : 11));
    const high = rows * (2 * radius + 3), head = bz > 1 ? 34 : 18, digits = `${isFlat ? bx - 1 : count - 1}`.length,
        isNamed = radius >= Math.max(8, 3.6 * digits);
    const at = isFlat ? this.besides(Math.max(indent + wide * apart + 4, Math.min(this.room, 110)), head + 2 + high)
        : { x: 0, y: this.y };
    const top = isFlat ? at.y + head : this.y + (this.y > 10 ? 26 : 4), title = isFlat ? `threads${isNamed ? " by x" : ""}`
        : `thread${count > 1 ? "s" : ""} of block ${triple(block.block, launch.grid)}`;
    const here = new Set([...this.now.flatMap((request) => request.t), ...block.barrierAt.get(step)?.t ?? []]), left = new Set(block.left);
    for (let t = 0; t < count; ++t) {
      const [column, row] = isFlat ? [(t % bx) + (bx + 0.7) * Math.floor(t / bx / by), Math.floor(t / bx) % by] : [t % wide, Math.floor(t / wide)];
      const cx = at.x + 4 + indent + (column + 0.5) * apart, cy = top + radius + row * (2 * radius + 3);
      const dot = svg("g", { style: "cursor:pointer" }), label = String(isFlat ? t % bx : t), isStop = this.stop?.t === t;
      this.dots.set(t, { x: cx, y: cy, radius });
      dot.append(svg("circle", { cx, cy, r: radius, fill: isStop ? "var(--bad)" : here.has(t) ? fill(t) : "var(--cell)",
          "stroke-dasharray": left.has(t) ? "2 2" : "none",
        stroke: chosen === t ? "var(--ink)" : left.has(t) ? "var(--line)" : line(t), "stroke-width": chosen === t ? 3 : 1.2 }));
      if (isNamed) dot.append(svg("text", { x: cx, y: cy + 3.5, "text-anchor": "middle", class: here.has(t) ? "dark" : "",
          style: "pointer-events:none" }, label));
      dot.append(svg("title", {}, `thread ${threadName(t)}${left.has(t) ? ", left out" : ""}`));
      dot.addEventListener("click", () => { chosen = chosen === t ? null : t; draw(); });
      this.front.append(dot);
    }
    for (let y = 0; y < rows && indent; ++y) if (radius >= 6 || y % 8 === 0)
      this.text(at.x + 2, top + radius + y * (2 * radius + 3) + 4, isFlat ? `y ${y}` : wide * y, "soft");
    if (isFlat) {
      this.text(at.x + 2, at.y + 11, title, "name");
      for (let z = 0; z < bz && bz > 1; ++z) this.text(at.x + 4 + indent + (bx + 0.7) * z * apart, at.y + 29, `z ${z}`, "soft");
      this.y = at.y;
      return;
    }
    if (indent + wide * apart < width - 120) this.text(10 + indent + wide * apart, top + radius + 4, title, "soft");
    this.y = top + high + 38;
  }
  wire(t, cell, colour, thick, isWrite) {
    const from = this.dots.get(t), to = this.cells.get(cell);
    if (!from || !to) return;
    const down = to.y > from.y, y1 = from.y + (down ? from.radius : -from.radius), y2 = down ? to.y : to.y + to.high, middle = (y1 + y2) / 2;
    const opacity = chosen === null || chosen === t || thick > 2.5 ? 0.85 : 0.12, [x, y, s] = isWrite ? [to.x, y2, down ? -1 : 1]
        : [from.x, y1, down ? 1 : -1];
    this.wires.append(svg("path", { d: this.isFlat ? `M${from.x},${from.y}L${to.x},${to.y + to.high / 2}`
        : `M${from.x},${y1}C${from.x},${middle} ${to.x},${middle} ${to.x},${y2}`,
      stroke: colour, "stroke-width": thick, opacity }));
    if (thick > 1 && !this.isFlat) this.front.append(svg("path", { d: `M${x},${y}l-3.5,${6 * s}h7z`, fill: colour, opacity }));
  }
  allWires() {
    const accesses = this.now.flatMap(({ a, t, o, k }) => (a === undefined ? []
        : o.map((at, lane) => ({ t: t[lane], cell: `${a}:${elementOf(block.arrays[a], at)}`, k }))));
    const most = accesses.length > (this.isFlat ? 16 : 64) ? 0 : accesses.length > 40 ? 0.9 : 1.7;
    for (const { t, cell, k } of accesses) if (most || chosen === t) this.wire(t, cell, line(t), most || 1.7, k !== "r");
    for (const request of this.now) if (request.k === "S") request.t.forEach((t, lane) => {  // from the lane that gives the value
      const a = this.dots.get(t - (t % 32) + request.o[lane]), b = this.dots.get(t);
      if (a && a !== b) this.wires.append(svg("path",
          { d: `M${a.x},${a.y + a.radius}Q${(a.x + b.x) / 2},${a.y + a.radius + 6 + Math.abs(a.x - b.x) / 6} ${b.x},${b.y + b.radius}`,
        stroke: line(t), "stroke-width": 1.5 }));
    });
    const race = raceAt(step);
    if (race) for (const t of [race.t, ...race.place ? [] : [race.t2]]) this.wire(t, `${race.a}:${elementOf(block.arrays[race.a], race.o)}`,
        "var(--bad)", 3, true);
    if (this.stop) this.wire(this.stop.t, isOutside(this.stop) ? "ghost" : `${this.stop.a}:${this.stop.i}`, "var(--bad)", 3, true);
  }
}
function drawStage() {
  const element = dom("stage"), stage = new Stage(Math.max(300, element.clientWidth || element.parentNode.clientWidth));
  // Input above the threads, shared memory and output below them, each in the order of the kernel's parameters.
  const group = (k) => (block.arrays[k].above ? 0 : block.arrays[k].space === "shared" ? 1 : 2);
  const used = [...block.arrays.keys()].filter((k) => block.arrays[k].used)
    .sort((i, k) => group(i) - group(k) || block.arrays[i].order - block.arrays[k].order);
  for (const k of used.filter((one) => group(one) === 0)) stage.array(k, false);
  stage.threads();
  for (const k of used.filter((one) => group(one) > 0)) stage.array(k, true);
  stage.allWires();
  const patterns = [["void", "var(--line)", 2], ["voidread", "var(--bad)", 2.2]].map(([id, stroke, wide]) => svg("pattern",
      { id, width: 6, height: 6, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)" }, svg("line", { x1: 0, y1: 0, x2: 0, y2: 6, stroke, "stroke-width": wide })));
  best = { of: block, height: Math.max(stage.y, stage.x ? stage.bottom : 0, best.of === block ? best.height : 0) };
  // does not jump from step to step
  element.style.height = `${best.height}px`;
  element.setAttribute("viewBox", `0 0 ${stage.width} ${best.height}`);
  element.replaceChildren(svg("defs", {}, ...patterns), stage.back, stage.wires, stage.front);
  dom("value").textContent = stage.value ?? "Cells show rounded values, where there is room. Tap one for the whole value.";
}
// Lists all values that are shown, with all their digits.
function drawValues() {
  if (!dom("values").open) return;
  const held = contentsAt(step);
  dom("values").lastChild.replaceChildren(...block.arrays.flatMap((array, k) => (!array.used ? [] : [html("p", {}, array.cells.map((i) => (i === null ? "…"
      : valueText(array, held[k], i * array.members.length, array.members.length))).join(", "))])));
}

function drawCode() {
  const barrier = block.barrierAt.get(step), stop = block.stop?.c === step ? [{ p: block.stop.p, t: [block.stop.t] }] : [];
  const current = [...stop, ...block.at[step] ?? [], ...barrier ? [barrier] : []];
  const places = new Map(), callers = new Set(), code = dom("code");
  for (const { p, t } of current) p.forEach(([file, line], k) => (k === 0
      ? places.set(`${file}:${line}`, (places.get(`${file}:${line}`) ?? 0) + t.length) : callers.add(`${file}:${line}`)));
  const others = new Set(block.races.filter((race) => race.c === step).map((race) => race.p2[0]?.join(":")));
  const file = current.find((one) => data.files[one.p[0]?.[0]])?.p[0][0] ?? launch.file;
  if (code.file !== file) code.replaceChildren(...(data.files[file] ?? []).map((text, k) => html("div", {}, html("i", {}, k + 1), text || " ")));
  code.file = file;
  code.querySelectorAll("em").forEach((badge) => badge.remove());
  let seen = null;
  [...code.children].forEach((row, k) => {
    const n = places.get(`${file}:${k + 1}`);
    row.className = n ? "now" : others.has(`${file}:${k + 1}`) ? "other" : callers.has(`${file}:${k + 1}`) ? "caller" : "";
    if (n) { row.append(html("em", {}, n === 1 ? "1 thread" : `${n} threads`)); seen ??= row; }
    else if (row.className === "other") row.append(html("em", {}, "the other side of the race"));
  });
  if (seen && (seen.offsetTop < code.scrollTop + 20 ||
      seen.offsetTop > code.scrollTop + code.clientHeight - 40)) code.scrollTop = seen.offsetTop - code.clientHeight / 2;
}

// Draws all steps: a row per thread, a column per step.
function drawChart() {
  const canvas = dom("chart"), strip = dom("strip"), threads = size(launch.threads), left = 30, top = 14, room = strip.clientWidth - left - 2,
      draw = canvas.getContext("2d");
  const w = Math.max(4, Math.min(20, room / block.columns)), h = Math.max(threads > 128 ? 1 : 2, Math.min(16, 260 / threads)),
      scale = devicePixelRatio || 1;
  canvas.cell = { w, h, left, top };
  canvas.width = (left + block.columns * w + 2) * scale; canvas.height = (top + threads * h + 4) * scale;
  canvas.style.width = `${canvas.width / scale}px`; canvas.style.height = `${canvas.height / scale}px`;
  const kinds = Object.fromEntries(Object.entries(colours).map(([kind, name]) => [kind, paint(name)])), ink = paint("--ink"), bad = paint("--bad");
  const middle = (c, t) => [left + (c + 0.5) * w, top + (t + 0.5) * h];
  draw.scale(scale, scale); draw.font = "11px system-ui"; draw.fillStyle = paint("--now");
  draw.fillRect(left + step * w, 0, w, top + threads * h + 4); draw.fillStyle = paint("--soft");
  for (let t = 0; t < threads; t += h >= 11 ? 1 : threads > 64 ? 32 : 8) draw.fillText(t, 4, top + t * h + Math.min(h, 10));
  draw.fillStyle = paint("--cell");
  for (const t of block.left) draw.fillRect(left, top + t * h, block.columns * w, h);
  for (const request of block.requests) for (const [lane, t] of request.t.entries()) {
    draw.fillStyle = request.u?.[lane] === 2 ? bad : kinds[request.k];
    draw.globalAlpha = request.a !== undefined && block.arrays[request.a].space === "shared" ? 0.5 : 1;
    draw.fillRect(left + request.c * w + 0.5, top + t * h + 0.5, Math.max(1, w - 1), Math.max(1, h - (h > 4 ? 1 : 0.3)));
  }
  draw.globalAlpha = 1;
  for (const barrier of block.barriers) {
    draw.fillStyle = barrier.bad ? bad : ink;
    for (const t of barrier.t) draw.fillRect(left + (barrier.c + 0.5) * w - 1.2, top + t * h, 2.4, h + 0.5);
  }
  draw.strokeStyle = bad;
  for (const race of block.races) {
    const isShown = race === raceAt(step), [x, y] = middle(race.c, race.t);
    if (race !== raceAt(race.c) && race.c !== step) continue;
    draw.lineWidth = isShown ? 2.6 : 1.4;
    draw.beginPath(); draw.arc(x, y, Math.max(3, Math.min(w, h) / 2), 0, 7);
    if (race.c2 !== null) { const [x2, y2] = middle(race.c2, race.t2); draw.moveTo(x, y); draw.lineTo(x2, y2); draw.moveTo(x2 + 3, y2);
        draw.arc(x2, y2, 3, 0, 7); }
    draw.globalAlpha = isShown ? 1 : 0.4; draw.stroke();
  }
  draw.globalAlpha = 1;
  if (block.stop) { const [x, y] = middle(block.stop.c, block.stop.t); draw.font = "bold 15px system-ui"; draw.fillStyle = bad;
      draw.fillText("✗", x - 6, y + 5); }
  if (chosen !== null) { draw.strokeStyle = ink; draw.lineWidth = 1; draw.strokeRect(left - 0.5, top + chosen * h - 0.5, block.columns * w, h); }
  const [x] = middle(step, 0);
  draw.fillStyle = ink; draw.beginPath(); draw.moveTo(x - 5, 2); draw.lineTo(x + 5, 2); draw.lineTo(x, 12); draw.fill();
  if (x < strip.scrollLeft + 40 || x > strip.scrollLeft + strip.clientWidth - 40) strip.scrollLeft = x - strip.clientWidth / 2;
  canvas.setAttribute("aria-label", `Chart of ${block.columns} steps of ${threads} threads. The text below it says the same.`);
}

// --- Choosing
const address = (at) => `#${data.launches.indexOf(launch)}.${launch.blocks.indexOf(block)}.${at}${chosen === null ? "" : `.${chosen}`}`;
function drawText() {
  if (dom("text").open) dom("text").querySelector("ol").replaceChildren(...block.at.map((_, at) => html("li", {},
      html("a", { href: address(at) }, "Show. "), ...sentences(at, false))));
}
function draw() {
  dom("time").value = step;
  dom("time").setAttribute("aria-valuetext", `step ${step + 1} of ${block.columns}`);
  dom("count").textContent = `step ${step + 1} of ${block.columns}`;
  dom("now").replaceChildren(...sentences(step));
  explain(dom("now"));
  dom("word").textContent = "";
  drawStage(); drawValues(); drawCode(); drawChart();
  if (self === top) history.replaceState(null, "", address(step));
}
function go(to) { step = Math.max(0, Math.min(block.columns - 1, to)); draw(); }
function choose(l, b, to) {
  if (block !== data.launches[l].blocks[b]) picked = null;
  launch = data.launches[l]; block = launch.blocks[b];
  const sums = { global: [0, 0], shared: [0, 0] };
  block.at = Array.from({ length: block.columns }, () => []);
  for (const request of block.requests) block.at[request.c].push(request);
  block.barrierAt = new Map(block.barriers.map((barrier) => [barrier.c, barrier]));
  block.timeline = [...block.requests.filter(({ a }) => a !== undefined).map((request) => ({ c: request.c, request })),
      ...block.changes.map((change) => ({ c: change[0], change }))].sort((x, y) => x.c - y.c);
  for (const array of block.arrays) array.cells = array.shown.flatMap(([from, to_], k) => [...from > (array.shown[k - 1]?.[1] ?? 0) ? [null] : [],
    ...Array.from({ length: to_ - from }, (_, i) => from + i), ...k === array.shown.length - 1 && to_ < array.count ? [null] : []]);
  for (const { x, a } of block.requests) if (x && sums[block.arrays[a].space]) sums[block.arrays[a].space].forEach((_, k, sum) => { sum[k] += x[k];
      });
  document.title = `${data.title}: what the threads do`;
  dom("title").replaceChildren(html("code", {}, `${kernelName(launch)}<<<${configuration()}>>>`),
      span("soft", `  ${data.title}${launch.shared ? `, ${launch.shared} bytes of dynamic shared memory` : ""}`));
  dom("launch").value = l;
  dom("block").replaceChildren(...launch.blocks.map((one, k) => html("option", { value: k, selected: k === b },
      `block ${triple(one.block, launch.grid)}`)));
  dom("time").max = Math.max(0, block.columns - 1);
  const slow = data.found.length ? [] : block.slow;  // mistakes come first
  dom("slow").replaceChildren(...slow.map((one) => html("button", { className: "warn", onclick: () => go(one.c) }, `⚠ ${one.text}`)));
  dom("sum").textContent = [`This block: ${count(sums.global[0], "sector")} of global memory (${sums.global[1]} would be enough)` +
      `${sums.shared[0] ? `, ${count(sums.shared[0], "wavefront")} of shared memory (${sums.shared[1]} would be enough)` : ""}, ${count(block.barriers.length, "barrier")}.`,
    block.left.length ? `Left out are the steps of ${some(block.left)}: the page keeps whole warps as far as there is room. What those threads write appears in the cells.` : "",
    block.cut ? "Only the block's first steps are shown." : "",
    launch.blocks.length < size(launch.grid) ? `Shown: ${launch.blocks.length} of ${size(launch.grid)} blocks (--block N chooses another).` : "",
    "Keys: ← → step, space play, ↑ ↓ choose a thread, N next mistake."].join(" ");
  explain(dom("sum"));
  go(to);
  drawText();
}
// Goes to a place such as "0.1.5.3"; missing parts are 0.
function visit(place) {
  const [l, b, s, t] = place.split(".").map((text) => (text === "" ? NaN : Number(text)));
  const one = data.launches[l] ? l : 0, isThread = t >= 0 && t < size(data.launches[one].threads);
  chosen = isThread ? t : null;
  choose(one, data.launches[one].blocks[b] ? b : 0, s >= 0 ? s : 0);
}
function play() {
  if (!timer && step === block.columns - 1) go(0);
  timer = timer ? clearInterval(timer) : setInterval(() => (step < block.columns - 1 ? go(step + 1) : play()), 700);
  dom("play").textContent = timer ? "❚❚" : "▶";
}
const mistakes = data.found.map(([place]) => place).filter((place) => place !== null);
let mistake = -1;
function nextMistake() { if (mistakes.length) visit(mistakes[mistake = (mistake + 1) % mistakes.length]); }
function chooseThread(by) {
  const threads = size(launch.threads);
  chosen = chosen === null ? (by > 0 ? 0 : threads - 1) : (chosen + by + threads) % threads;
  draw();
}
const keys = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(block.columns - 1), " ": play,
    ArrowDown: () => chooseThread(1), ArrowUp: () => chooseThread(-1),
  Escape: () => { chosen = null; draw(); }, n: nextMistake, N: nextMistake };
addEventListener("keydown", (event) => {
  const isOfControl = event.target.matches("select") || (event.key === " " && event.target.matches("button, summary, a"));
  if (isOfControl || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  keys[event.key](); event.preventDefault();
});
dom("play").onclick = play; dom("back").onclick = () => go(step - 1); dom("next").onclick = () => go(step + 1);
dom("time").oninput = (event) => go(Number(event.target.value));
dom("launch").replaceChildren(...data.launches.map((one, k) => html("option", { value: k }, `launch ${one.launch + 1}: ${kernelName(one)}`)));
dom("launch").hidden = data.launches.length < 2;
dom("launch").onchange = (event) => choose(Number(event.target.value), 0, 0);
dom("block").onchange = (event) => choose(data.launches.indexOf(launch), Number(event.target.value), step);
dom("chart").onclick = (event) => {
  const { w, h, left, top } = dom("chart").cell, t = Math.floor((event.offsetY - top) / h);
  chosen = t >= 0 && t < size(launch.threads) ? t : null;
  go(Math.floor((event.offsetX - left) / w));
};
dom("text").ontoggle = drawText;
dom("values").ontoggle = drawValues;
addEventListener("resize", draw);
addEventListener("hashchange", () => visit(location.hash.slice(1)));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
dom("report").hidden = !data.report;
dom("problems").append(...data.found.map(([place, text]) => (place === null ? span("isbad", `⚠ ${text}`)
    : html("button", { className: "bad", onclick: () => visit(place) }, `⚠ ${text.replace(/ \(.*?\)$/, "")}`))),
  data.found.length ? "" : span("isgood", "✓ The checker has found no mistake."));
for (const [kind, text] of [["r", "read"], ["w", "write"], ["a", "atomic"], ["S", "warp function"]]) {
  dom("legend").append(span("", text));
  dom("legend").lastChild.style.setProperty("--k", `var(${colours[kind]})`);
}
dom("legend").append(html("b", {}, "faint: shared memory · │ barrier · row = thread, column = step"));
explain(dom("legend"));
// Without a place in the address, begins at the first mistake, or where the first block wastes most.
const slow = data.launches.flatMap((one, l) => one.blocks[0].slow.slice(0, 1).map(({ c }) => `${l}.0.${c}`));
visit(location.hash.slice(1) || mistakes[0] || slow[0] || "");
