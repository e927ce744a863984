// Draws what the threads of a block do in one step, and a chart of all steps. data: what document() in see.py returns.
const dom = (id) => document.getElementById(id);
const verbs = { r: "read", w: "write", a: "update atomically", S: "exchange values in", V: "take part in", W: "meet at",
  C: "wait at" };
let launch, block, step = 0, chosen = null, timer = null, best = {};

function element(node, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (["boolean", "function"].includes(typeof value)) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...parts);
  return node;
}
const html = (name, attributes = {}, ...parts) => element(document.createElement(name), attributes, parts);
const svg = (name, attributes = {}, ...parts) =>
  element(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, parts);
const span = (kind, text) => html("span", { class: kind }, text);

// --- Names
const size = (d) => d[0] * d[1] * d[2];
const triple = (d, extents = d) => (extents[2] > 1 ? `(${d.join(", ")})` : extents[1] > 1 ? `(${d[0]}, ${d[1]})` : `${d[0]}`);
// Returns "2, 32, 128, stream 1": what stands between <<< and >>>, as far as it is not the default. The executor counts from 2.
const configuration = () => [triple(launch.grid), triple(launch.threads), ...launch.shared || launch.stream ? [launch.shared] : [],
  ...launch.stream ? [`stream ${launch.stream - 1}`] : []].join(", ");
const kernelName = (one) => one.kernel.replace(/\(.*/, "");
function placeOf(t) {
  const [x, y] = launch.threads;
  return [t % x, Math.floor(t / x) % y, Math.floor(t / x / y)];
}
const threadName = (t) => triple(placeOf(t), launch.threads).replace(/ /g, "");
// The colour of a thread: never red, which means a mistake. Neighbours look alike, so that order and disorder show.
const hue = (t) => `--hue: ${95 + (t * 215) / size(launch.threads)}`;
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
const isMatrix = (array) => array.width && array.space === "shared";
const indexName = (array, i) => (isMatrix(array) ? `[${Math.floor(i / array.width)}][${i % array.width}]` : `[${i}]`);
const elementOf = (array, offset) => Math.floor(offset / array.element);
// Returns the numbers of an element that these bytes touch.
const membersAt = (array, offset, bytes) => array.members.filter(([, at, , own]) =>
  at < (offset % array.element) + bytes && at + own > offset % array.element);
function placeName(array, offset, bytes) {
  const [member] = membersAt(array, offset, bytes)[0] ?? [""], name = array.name + indexName(array, elementOf(array, offset));
  if (array.members.length === 1 || bytes >= array.element) return name;
  return name + (/^\d/.test(member) ? `, part ${member}` : `.${member}`);
}

// --- Values
const getters = { b: "Int8", B: "Uint8", "?": "Uint8", h: "Int16", H: "Uint16", e: "Uint16", i: "Int32", I: "Uint32", f: "Float32",
  q: "BigInt64", Q: "BigUint64", d: "Float64" };
// Knows what an array holds, byte by byte, as far as it is shown.
class Held {
  constructor(array, text) {
    const known = new Uint8Array(text.length / 2);
    Object.assign(this, { array, from: array.from, known, view: new DataView(new ArrayBuffer(known.length)) });
    this.set(array.from, text);
  }
  set(offset, text) {
    for (let k = 0; 2 * k < text.length; ++k) {
      const at = offset - this.from + k;
      if (text[2 * k] === "-" || at < 0 || at >= this.view.byteLength) continue;
      this.view.setUint8(at, parseInt(text.substr(2 * k, 2), 16));
      this.known[at] = 1;
    }
  }
  // Returns a number of an element: undefined if it is not known, null if it was never written.
  number(i, [, at, format, bytes]) {
    const begin = i * this.array.element + at - this.from;
    if (begin < 0 || begin + bytes > this.view.byteLength) return undefined;
    for (let k = begin; k < begin + bytes; ++k) if (!this.known[k]) return null;
    const value = this.view[`get${getters[format]}`](begin, true);
    if (format !== "e") return typeof value === "bigint" ? Number(value) : value;
    const sign = value >> 15 ? -1 : 1, exponent = (value >> 10) & 31, fraction = value & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
  }
}
// Returns the values of an access, from its bytes. What is no whole number of the array is one without a sign.
function valuesOf(array, offset, text) {
  const bytes = text.length / 2, i = elementOf(array, offset), held = new Held({ ...array, from: offset }, text);
  const all = Array.from({ length: Math.ceil((offset % array.element + bytes) / array.element) }, (_, k) =>
    array.members.map((member) => held.number(i + k, member))).flat().filter((value) => value !== undefined);
  return all.length ? all : [parseInt(text.match(/../g).reverse().join(""), 16)];
}
function short(value, room = 4) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.length === 1 ? short(value[0], room) : `(${value.map((x) => short(x, room)).join(", ")})`;
  if (!Number.isFinite(value)) return String(value).replace("inity", "");
  for (let digits = 8; digits > 0; --digits) {
    const text = String(Number(value.toPrecision(digits))).replace(/^(-?)0\./, room > 5 ? "$10." : "$1.");
    if (text.length <= room) return text;
  }
  const text = value.toExponential(0).replace("+", "");
  return text.length <= room + 1 || room > 5 ? text : Math.abs(value) < 1 ? `${Math.round(value) + 0}` : "";
}
// Returns a value with all its digits: of a float, as many as tell it from its neighbours.
function whole(value, bytes) {
  if (typeof value !== "number") return value === null ? "never written" : "unknown";
  for (let digits = 1; bytes < 8 && digits < 10; ++digits)
    if (Math.fround(value.toPrecision(digits)) === value) return String(Number(value.toPrecision(digits)));
  return String(value);
}
// Returns "bodies[3].x = 0.1": a number of an element, or all of them.
function valueText(array, held, i, members = array.members) {
  const values = members.map((member) => whole(held.number(i, member), member[3])), isAll = members.length === array.members.length;
  const name = placeName(array, i * array.element + members[0][1], isAll ? array.element : members[0][3]);
  return `${name} = ${values.length === 1 ? values[0] : `(${values.join(", ")})`}`;
}
// Returns what each array holds after a step.
function contentsAt(last) {
  const held = block.arrays.map((array) => new Held(array, array.start));
  for (const { c, request, change } of block.timeline) {
    if (c > last) break;
    if (change) held[change[1]].set(change[2], change[3]);
    else request.o.forEach((o, lane) => {
      if (!(request.k === "r" && request.u?.[lane])) held[request.a].set(o, (request.n ?? request.v)[lane]);
    });
  }
  return held;
}

// --- What happens in a step
// Returns the race that is shown in a step: of the chosen thread, or the first one.
function raceAt(at) {
  const all = block.races.filter((race) => race.c === at);
  return all.find((race) => race.t === chosen || (race.t2 === chosen && !race.place)) ?? all[0];
}
const stopAt = (at) => (block.stop?.c === at ? block.stop : null);
const isWrongNow = () => raceAt(step) || stopAt(step);
// Returns whether the stop is outside its array, and not at a misaligned address in it.
const isOutside = ({ a, i }) => a !== null && (i < 0 || i >= block.arrays[a].count);
const lineText = ([file, line] = []) => data.files[file]?.[line - 1] ?? "";
const inLine = (p) => (p?.[0] ? ` in line ${p[0][1]}` : "");

function costText(requests, offsets) {
  const [{ k, a, x: [is, least, banks], d, m }] = requests.toSorted((one, other) => other.x[0] - other.x[1] - one.x[0] + one.x[1]);
  const same = Math.max(...offsets.map((o) => offsets.filter((other) => other === o).length));
  if (m) return span("soft", "CUDA leaves open which thread holds which element: a GPU may distribute them in another way.");
  if (k === "a" && same > 1) return span("warn", `${same} threads update the same element, one after the other.`);
  if (d) return span("soft", "An asynchronous copy: it may end at any time before the wait for it.");
  if (offsets.length === 1 || block.arrays[a].space === "constant") return "";
  if (banks) return is === least ? span("good", "No bank conflict.")
    : span("warn", `In this step a warp takes ${is} turns of shared memory instead of ${least}: of the 32 banks, one has ` +
      `${Math.max(...banks)} of the words, and gives one a turn.`);
  const sectors = requests.length > 1 ? `at most ${count(is, "sector")} per warp` : count(is, "sector");
  const times = Math.round(10 * is / least) / 10;
  return is > least ? span("warn", `In this step a warp moves ${times} times the memory that it uses: ${is} sectors of 32 bytes ` +
    `instead of ${least}.`)
    : span("good", `Coalesced: the threads use ${same === offsets.length ? "the same" : "neighbouring"} bytes, in ${sectors}.`);
}
// Returns ", every 2nd element": how the elements of a warp's lanes follow each other.
function orderText(requests, element) {
  const gaps = new Set(requests.flatMap(({ o }) => o.slice(1).map((at, lane) => (at - o[lane]) / element))), [gap] = gaps;
  if (gaps.size > 1) return ", in mixed order";
  return gap === undefined || gap === 1 ? "" : gap === 0 ? ", all the same element" : gap === -1 ? ", backwards"
    : `,${requests.length > 1 ? " in each warp" : ""} every ${gap}${{ 2: "nd", 3: "rd" }[gap] ?? "th"} element`;
}
// Returns the sentences about requests of several warps at one line, as paragraphs.
function accessText(requests, isFull, isWrong) {
  const [{ k, a, p, s, d, name }] = requests, threads = requests.flatMap(({ t }) => t), offsets = requests.flatMap(({ o }) => o);
  const array = block.arrays[a], isMeeting = !array || array.barrier, out = html("p");
  const verb = d ? "start a copy to" : verbs[array?.barrier ? "V" : k];
  out.append(html("b", {}, capital(some(threads))), " ", span(k, threads.length > 1 ? verb : verb.replace(/^\w+/, "$&s")), " ");
  if (isMeeting) {
    const { t, o } = requests.find((one) => one.t.includes(chosen)) ?? requests[0], lane = Math.max(0, t.indexOf(chosen));
    out.append(`${name ?? array.name}${inLine(p)}. `, k !== "S" ? ""
      : `Thread ${threadName(t[lane])} takes the value of thread ${threadName(t[lane] - (t[lane] % 32) + o[lane])}.`);
    return [out];
  }
  const order = orderText(requests, array.element);
  const ends = order === ", in mixed order" ? [Math.min(...offsets), Math.max(...offsets)] : [offsets[0], offsets.at(-1)];
  const names = [...new Set(ends.map((o) => placeName(array, o, s)))];
  const value = (one, lane) => [one.v, one.n].filter(Boolean).map((list) => short(valuesOf(array, one.o[lane], list[lane]), 8));
  out.append(html("code", {}, names.join(" … ")), order, threads.length > 1 ? "" : ` = ${value(requests[0], 0).at(-1)}`);
  const isBlind = requests.some(({ u }) => u?.includes(2)), cost = costText(requests, offsets);
  const slow = block.slow.find((one) => one.a === a && one.line === p[0]?.[1]);
  out.append(`${inLine(p)}. `);
  if (cost.className === "warn") out.prepend(cost, " ");  // mistakes come first
  else if (cost.className !== "good" || !(isWrong || isBlind)) out.append(cost);  // no praise next to a mistake
  if (slow && cost.className === "warn" && isFull && !isWrong) out.append(html("b", {}, slow.remedy));
  const blindText = (level) => {
    const blind = requests.flatMap(({ t, u }) => t.filter((_, lane) => u?.[lane] === level));
    return blind.length ? `${some(blind)} read${blind.length > 1 ? "" : "s"} memory that nobody has written` : "";
  };
  if (isBlind) out.prepend(span("bad", `Garbage${inLine(p)}: ${blindText(2)}.`), " ");
  if (blindText(1)) out.append(" ", span("soft", `${capital(blindText(1))}, but no result depends on it.`));
  const own = requests.find(({ t }) => t.includes(chosen));
  if (!own || !isFull || threads.length === 1) return [out];
  const lane = own.t.indexOf(chosen), values = value(own, lane);
  return [out, html("p", {}, `Thread ${threadName(chosen)}: ${placeName(array, own.o[lane], s)} ` +
    `${values.length > 1 ? values.join(" becomes ") : `= ${values[0]}`}.`)];
}
const ofBlock = () => (size(launch.grid) > 1 ? ` of block ${triple(block.block, launch.grid)}` : "");
function raceText(race) {
  const name = placeName(block.arrays[race.a], race.o, Infinity), there = inLine(race.p2);
  const other = race.t === race.t2 && !race.place ? "its asynchronous copy"
    : `thread ${threadName(race.t2)}${race.place ? ` of ${race.place}` : ""}`;
  const when = race.hint.includes("next iteration") ? "in the next iteration, " : "";
  const what = race.w && race.w2 ? `writes ${name}, and ${other} writes it${there}. Chance decides which value stays`
    : race.w ? `writes ${name}, perhaps before ${other} has read it${there}`
      : `reads ${name}, perhaps before ${other} has written it${there}`;
  const text = `Race${inLine(race.p)}: ${when}thread ${threadName(race.t)} ${what}.`;
  return [html("p", { class: "bad" }, text), html("b", {}, race.hint)];
}
function stopText(stop) {
  const array = block.arrays[stop.a], isElement = stop.what.endsWith("]"), isInside = array && !isOutside(stop);
  const kind = isInside ? "Misaligned address" : isElement ? "Out of bounds" : "Mistake";
  const verb = !isElement ? "uses" : stop.w ? "writes" : "reads", size = array && !isInside && array.count > 0;
  return [html("p", { class: "bad" }, `${kind}${inLine(stop.p)}: thread ${threadName(stop.t)}${ofBlock()} ${verb} ${stop.what}` +
    `${size ? `, but ${array.name} has ${count(array.count, "element")}` : ""}. The block ends here: nothing after that is drawn.`),
  html("b", {}, stop.hint)];
}
function barrierText({ at, missing, t }) {
  const out = at.map(([threads, name, , line]) => html("p", {}, html("b", {},
    `${capital(some(threads))} ${threads.length > 1 ? "wait" : "waits"} at ${name}`), ` in line ${line}. `));
  out.at(-1).append(at.length > 1 ? span("bad", "They wait for each other in vain.")
    : missing.length ? span("bad", `${capital(some(missing))} never came.`)
      : t.length + block.left.length < size(launch.threads) ? "" : "All have arrived: what was written before, all may read now.");
  return out;
}
// Returns the sentences about a step, as paragraphs. isFull: also about the chosen thread, and the remedies.
function sentences(at, isFull = true) {
  const groups = new Map(), barrier = block.barrierAt.get(at), race = raceAt(at), stop = stopAt(at);
  for (const request of block.at[at] ?? []) {
    const key = [request.k, request.a, request.p[0], request.name].join();
    groups.set(key, [...groups.get(key) ?? [], request]);
  }
  const done = [...groups.values()].flatMap((requests) => accessText(requests, isFull, race || stop));
  if (race || stop) done[0]?.prepend(span("soft", "In this step: "));
  const out = [...race ? raceText(race) : [], ...stop ? stopText(stop) : [], ...done, ...barrier ? barrierText(barrier) : []];
  if (!race && !stop) data.found.forEach(([place, text], k) => {
    if (!`${place}.`.startsWith(`${address(at, null).slice(1)}.`) || out[0]?.textContent === capital(text)) return;
    if (!text.startsWith("uninitialised")) out.unshift(html("p", { class: "bad" }, capital(text)));  // accessText() says that
    out.push(html("b", {}, data.advice[k]));
  });
  const text = lineText((stop ?? block.at[at]?.[0] ?? barrier)?.p[0]);
  if (text) out.unshift(html("pre", { class: "here" }, text.trim()));
  return out.length ? out : [html("p", { class: "soft" }, "Nothing happens in memory.")];
}

// --- The picture of a step
// Returns the kinds that are true, as the attribute class takes them.
const kinds = (of) => Object.keys(of).filter((kind) => of[kind]).join(" ");
// How many cells stand in a row of an array, and how wide they are. room: in pixels; n: cells
function gridOf(array, n, room, isBeside) {
  const narrowest = n > 128 ? 10 : n > 64 ? (room < 500 ? 10 : 19) : n > 32 ? 19 : 22;
  const fit = (cols, most, least) => ({ cols, wide: Math.max(least, Math.min(most, Math.floor(room / cols))) });
  if (array.width) return isBeside ? fit(array.width, 24, 4) : fit(array.width, 40, 3);
  if (room / n >= 22 && !(array.space === "shared" && n >= 64)) return fit(n, 40, 3);
  return fit([64, 32, 16, 8, 4].find((one) => room / one >= narrowest && (one <= 32 || n > 256)) ?? 4, 40, 3);
}
// Draws a number of an array, or a whole element, with the threads that use it in this step.
function drawCell(k, i, members, held, hits, wide) {
  const array = block.arrays[k], values = members.map((member) => held.number(i, member)), [first] = hits;
  const isMany = hits.some(({ t }) => t !== first.t), isVoid = values.includes(null);
  const races = block.races.filter((race) => race.c === step && race.a === k && elementOf(array, race.o) === i);
  const room = Math.max(3, Math.floor((wide - 1) / (wide < 22 ? 6 : 7)));
  const letters = wide >= 18 && !isVoid && values.length === 1 ? short(values[0], room) : "";
  return html("div", {
    class: kinds({ cell: true, void: isVoid, hit: first, [first?.k]: first, many: isMany, blind: hits.some(({ u }) => u),
      garbage: hits.some(({ u }) => u === 2), race: races.length, shown: races.includes(raceAt(step)) }),
    title: valueText(array, held, i, members) + (first ? `; ${some(hits.map(({ t }) => t))}` : ""),
    style: first && !isMany ? hue(first.t) : "",
  }, (wide < 22 ? 6 : 6.6) * letters.replace(/\W/g, "").length < wide ? letters : "");
}
// Draws the sector of 32 bytes of an element: unused, used well, or by requests that need more sectors than their bytes fill.
function drawSector(array, i, requests) {
  const sector = (at) => Math.floor((array.skew + at) / 32), own = sector(i * array.element);
  const mine = requests.filter(({ o, s }) => o.some((at) => sector(at) <= own && sector(at + s - 1) >= own));
  const isWasted = mine.some(({ x, m }) => x[0] > x[1] && !m), isEnd = (array.skew + (i + 1) * array.element) % 32 === 0;
  const isGood = mine.length && !isWasted && !isWrongNow();
  return html("div", { class: kinds({ sector: true, warn: isWasted, good: isGood, end: isEnd }) });
}
// Draws the words that each bank delivers in the request that takes most turns. cell: the width of a word above its bank, if it is
function drawBanks(requests, cell, room) {
  const worst = requests.map(({ x }) => x).filter((x) => x[2]).sort((a, b) => b[0] - a[0])[0]?.[2] ?? [];
  const wide = cell ?? Math.max(2.5, Math.min(16, (room - 44) / 32)), tall = Math.min(9, 36 / Math.max(...worst));
  const kind = (n) => (n > 1 ? "warn" : n < 1 ? "" : isWrongNow() ? "soft" : "good");
  return html("div", { class: "banks", style: `--wide: ${wide}px; --tall: ${tall}px` }, ...worst.map((n) =>
    html("i", { class: kind(n), style: `height: ${Math.max(1, n) * tall}px` })),
  worst.length && !cell ? " banks" : "");
}
// Draws an array. Adds its elements to cells, by "array:element".
function drawArray(k, held, cells, width, isBeside) {
  const array = block.arrays[k], { members, name, host, space } = array, stop = stopAt(step), hits = new Map();
  const requests = (block.at[step] ?? []).filter((request) => request.a === k), isGhost = stop?.a === k && isOutside(stop);
  const isStack = !array.width && members.length > 1 && members.length <= 8, labels = members.map((member) => member[0].slice(-8));
  const indent = isStack ? 10 + 6.5 * Math.max(...labels.map((label) => label.length)) : 3;
  const { cols, wide } = gridOf(array, array.cells.length + isGhost, width - indent - 5, isBeside);
  for (const request of requests) request.o.forEach((o, lane) => {
    for (let i = elementOf(array, o); i <= elementOf(array, o + request.s - 1); ++i)
      for (const [, at] of membersAt(array, o, request.s))
        hits.set(`${i}.${at}`, [...hits.get(`${i}.${at}`) ?? [], { k: request.k, t: request.t[lane], u: request.u?.[lane] }]);
  });
  const isNumbered = (i) => wide >= 18 && !array.width && (wide >= 26 || i % 8 === 0 || i === array.count - 1);
  const slots = array.cells.map((i) => (i === null ? html("div", { class: "soft" }, "…") : html("div", {},
    html("div", {}, ...(isStack ? members.map((one) => [one]) : [members]).map((some) =>
      drawCell(k, i, some, held, some.flatMap(([, at]) => hits.get(`${i}.${at}`) ?? []), wide))),
    space === "global" && !(array.width && wide < 8) ? drawSector(array, i, requests) : "",
    isNumbered(i) ? html("small", {}, i) : "")));
  array.cells.forEach((i, slot) => cells.set(`${k}:${i}`, slots[slot]));
  if (isGhost) {
    cells.set("ghost", html("div", {}, html("div", { class: "cell ghost" }, "✗"), html("small", { class: "bad" }, stop.i)));
    slots.splice(stop.i < 0 ? 0 : slots.length, 0, cells.get("ghost"));
  }
  const shape = isBeside ? "" : ` memory, ${array.count} × ${array.element} bytes`;
  return html("figure", { class: kinds({ beside: isBeside }), style: `--wide: ${wide}px` },
    html("figcaption", {}, html("b", {}, `${space === "shared" ? "__shared__ " : ""}${name}`),
      span("soft", ` ${space}${shape}${isBeside || name === host || /\W/.test(host) ? "" : `, ${host} on the host`}`)),
    html("div", { class: kinds({ cells: true, stacked: isStack, tiny: wide < 10, narrow: wide < 22 }),
      style: `--cols: ${cols}` }, ...slots.flatMap((slot, k) => (!isStack || k % cols || !slot.firstElementChild ? [slot]
      : [html("div", { class: "labels soft" }, ...labels.map((label) => html("div", {}, label))), slot]))),
    space === "shared" ? drawBanks(requests, array.element === 4 && cols === 32 ? wide : null, width) : "");
}
// Draws the threads in rows as the block has them: x in a row, y one below the other, z side by side.
function drawThreads(dots, width, isFlat) {
  const [bx, by, bz] = launch.threads, total = size(launch.threads), cols = isFlat ? bx : Math.min(total, width < 420 ? 16 : 32);
  const rows = isFlat ? by : Math.ceil(total / cols), isLabelled = isFlat || total > 100, layerCount = isFlat ? bz : 1;
  const room = ((width - 8 * (layerCount - 1)) / layerCount - (isLabelled ? 36 : 6)) / cols;
  const apart = Math.max(4, Math.min(rows > 8 ? 17 : rows > 2 ? 22 : 40, room)), dot = Math.max(4, Math.min(22, apart - 2));
  const isNamed = dot >= Math.max(15, 7.2 * `${isFlat ? bx - 1 : total - 1}`.length), left = new Set(block.left);
  const active = new Set([...block.at[step] ?? [], block.barrierAt.get(step) ?? { t: [] }].flatMap(({ t }) => t));
  const layers = Array.from({ length: layerCount }, (_, z) =>
    html("div", { class: "dots", style: `--cols: ${cols}; --wide: ${apart}px; --dot: ${dot}px` },
      layerCount > 1 ? html("small", {}, `z ${z}`) : ""));
  for (let t = 0; t < total; ++t) {
    const [x, y, z] = placeOf(t), row = isFlat ? y : Math.floor(t / cols), isFirst = isLabelled && (dot >= 12 || row % 8 === 0);
    if (t % cols === 0) layers[isFlat ? z : 0].append(html("small", {}, !isFirst ? "" : isFlat ? `y ${y}` : t));
    dots.set(t, html("span", { style: hue(t), title: `thread ${threadName(t)}${left.has(t) ? ", left out" : ""}`,
      class: kinds({ dot: true, active: active.has(t), left: left.has(t), chosen: chosen === t, stop: stopAt(step)?.t === t }),
      onclick: () => { chosen = chosen === t ? null : t; draw(); } }, isNamed ? (isFlat ? x : t) : ""));
    layers[isFlat ? z : 0].append(dots.get(t));
  }
  const name = isFlat ? html("b", {}, `threads${isNamed ? " by x" : ""}`) : cols * apart > width - 160 ? ""
    : span("soft", `thread${total > 1 ? "s" : ""} of block ${triple(block.block, launch.grid)}`);
  return html("figure", { class: kinds({ threads: true, beside: isFlat }) }, html("figcaption", {}, name),
    html("div", { class: "layers" }, ...layers));
}
// Draws arrows, in the direction in which values go, once everything has its place.
function drawWires(dots, cells, isFlat) {
  const wires = dom("wires"), origin = dom("stage").getBoundingClientRect(), now = block.at[step] ?? [], race = raceAt(step);
  function place(node) {
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width / 2 - origin.left, top: box.top - origin.top, middle: box.top + box.height / 2 - origin.top,
      bottom: box.bottom - origin.top };
  }
  function wire(t, cell, isRead, wide, isBad = false) {
    const dot = dots.get(t), slot = cells.get(cell)?.firstElementChild;
    if (!dot || !slot) return;
    const from = place(dot), to = place(slot), isDown = to.top > from.top, isFaint = !isBad && chosen !== null && chosen !== t;
    const y1 = isFlat ? from.middle : isDown ? from.bottom : from.top, y2 = isFlat ? to.middle : isDown ? to.top : to.bottom;
    const [x, y, xEnd, yEnd] = isRead ? [to.x, y2, from.x, y1] : [from.x, y1, to.x, y2], middle = (y1 + y2) / 2;
    const dashes = isBad && isRead ? "7 4" : "none";
    wires.append(svg("path", { style: `${hue(t)}; stroke-width: ${wide}; stroke-dasharray: ${dashes}`,
      class: kinds({ bad: isBad, pale: isFaint }),
      d: `M${x},${y}${isFlat ? "L" : `C${x},${middle} ${xEnd},${middle} `}${xEnd},${yEnd}`,
      "marker-end": isFlat ? "" : "url(#arrow)" }));
  }
  wires.replaceChildren(wires.firstElementChild);
  const accesses = now.flatMap(({ a, t, o, k }) => (a === undefined ? []
    : o.map((at, lane) => [t[lane], `${a}:${elementOf(block.arrays[a], at)}`, k === "r"])));
  const near = chosen ?? (isFlat ? NaN : accesses[0]?.[0] + 1);  // of many threads only three have arrows
  for (const [t, cell, isRead] of accesses) if (accesses.length <= 16 || Math.abs(t - near) < 2) wire(t, cell, isRead, 1.7);
  for (const { k, t, o } of now) if (k === "S") t.forEach((one, lane) => {  // from the lane that gives the value
    const other = one - (one % 32) + o[lane];
    if (other === one || !dots.has(other)) return;
    const from = place(dots.get(other)), to = place(dots.get(one)), low = from.bottom + 6 + Math.abs(from.x - to.x) / 6;
    const d = `M${from.x},${from.bottom}Q${(from.x + to.x) / 2},${low} ${to.x},${to.bottom}`;
    wires.append(svg("path", { style: hue(one), d }));
  });
  if (race) for (const [t, isRead] of [[race.t, !race.w], ...race.place ? [] : [[race.t2, !race.w2]]])
    wire(t, `${race.a}:${elementOf(block.arrays[race.a], race.o)}`, isRead, 3, true);
  const stop = stopAt(step);
  if (stop) wire(stop.t, isOutside(stop) ? "ghost" : `${stop.a}:${stop.i}`, !stop.w, 3, true);
}
function drawStage() {
  const { clientWidth } = dom("stage"), held = contentsAt(step), dots = new Map(), cells = new Map();
  // Input above the threads, shared memory and output below them, each in the order of the kernel's parameters.
  const group = (k) => (block.arrays[k].above ? 0 : block.arrays[k].space === "shared" ? 1 : 2);
  const used = [...block.arrays.keys()].filter((k) => block.arrays[k].used)
    .sort((i, k) => group(i) - group(k) || block.arrays[i].order - block.arrays[k].order);
  // Matrices stand side by side as far as they fit.
  const isFlat = launch.threads[1] > 1 || launch.threads[2] > 1, items = 1 + used.filter((k) => block.arrays[k].width).length;
  const narrow = Math.floor(clientWidth / Math.ceil(items / Math.ceil(items / (clientWidth < 500 ? 2 : 4)))) - 24;
  const figures = used.map((k) => {
    const isBeside = isFlat && block.arrays[k].width > 0;
    return drawArray(k, held[k], cells, isBeside ? narrow : clientWidth, isBeside);
  });
  figures.splice(used.filter((k) => group(k) === 0).length, 0,
    drawThreads(dots, isFlat && launch.threads[2] === 1 ? narrow : clientWidth, isFlat));
  dom("rows").replaceChildren(...figures);
  best = { of: block, height: Math.max(dom("rows").offsetHeight, best.of === block ? best.height : 0) };
  dom("stage").style.minHeight = `${best.height}px`;  // does not jump from step to step
  drawWires(dots, cells, isFlat);
}
// Lists all values that are shown, with all their digits.
function drawValues() {
  if (!dom("values").open) return;
  const held = contentsAt(step);
  dom("values").lastChild.replaceChildren(...block.arrays.flatMap((array, k) => (!array.used ? []
    : [html("p", {}, array.cells.map((i) => (i === null ? "…" : valueText(array, held[k], i))).join(", "))])));
}

function drawCode() {
  const stop = stopAt(step), places = new Map(), callers = new Set(), code = dom("code");
  const current = [stop && { p: stop.p, t: [stop.t] }, ...block.at[step] ?? [], block.barrierAt.get(step)].filter(Boolean);
  for (const { p: [first, ...more], t } of current) {
    places.set(`${first}`, (places.get(`${first}`) ?? 0) + t.length);
    for (const place of more) callers.add(`${place}`);
  }
  const others = new Set(block.races.filter((race) => race.c === step).map((race) => `${race.p2[0]}`));
  const file = current.find((one) => data.files[one.p[0]?.[0]])?.p[0][0] ?? launch.file;
  code.replaceChildren(...(data.files[file] ?? []).map((text, k) => {
    const place = `${file},${k + 1}`, n = places.get(place), isOther = !n && others.has(place);
    const isEnd = stop && `${stop.p[0]}` === place;
    return html("div", { class: kinds({ now: n, other: isOther, caller: !n && callers.has(place) }) },
      html("i", {}, k + 1), text || " ", n ? html("em", {}, isEnd ? `thread ${threadName(stop.t)} ends here` : count(n, "thread"))
        : isOther ? html("em", {}, "the other side of the race") : "");
  }));
  const seen = code.querySelector(".now");
  if (seen && (seen.offsetTop < code.scrollTop + 20 || seen.offsetTop > code.scrollTop + code.clientHeight - 40))
    code.scrollTop = seen.offsetTop - code.clientHeight / 2;
}

// Draws all steps: a row per thread, a column per step.
function drawChart() {
  const threads = size(launch.threads), left = 30, top = 14, strip = dom("strip"), chart = dom("chart"), shown = raceAt(step);
  const w = Math.max(4, Math.min(20, (strip.clientWidth - left - 2) / block.columns));
  const h = Math.max(threads > 128 ? 1 : 2, Math.min(16, 260 / threads)), every = h >= 11 ? 1 : threads > 64 ? 32 : 8;
  const x = (c) => left + (c + 0.5) * w, y = (t) => top + (t + 0.5) * h, all = left + block.columns * w;
  // Cells of threads in a column. Those of neighbours are one line with gaps.
  const cells = (c, lanes, kind, wide = Math.max(1, w - 1)) => svg("path", { class: kind, "stroke-width": wide,
    d: lanes.map((t) => `M${x(c)},${top + t * h}v${Math.max(1, h - (h > 4 ? 1 : 0.3))}`).join("") });
  const mark = ({ t, c, t2, c2 }) => svg("path", { class: "race", d: `M${x(c) + w / 2},${y(t)}a${w / 2},${w / 2} 0 1 0 0,0.1` +
    `${c2 === null ? "" : `M${x(c)},${y(t)}L${x(c2)},${y(t2)}m3,0a3,3 0 1 0 0,0.1`}` });
  const bar = (c, kind) => svg("path", { class: kind, "stroke-width": 4, d: `M${x(c) - w / 2},${top - 3}h${w}` });
  Object.assign(chart, { w, h, left, top });
  chart.setAttribute("width", all + 2);
  chart.setAttribute("height", top + threads * h + 4);
  chart.setAttribute("aria-label", `Chart of ${block.columns} steps of ${threads} threads. The text below it says the same.`);
  chart.replaceChildren(svg("path", { d: `M${x(step)},0V${top + threads * h + 4}`, "stroke-width": w, class: "step" }),
    ...block.left.map((t) => svg("path", { d: `M${left},${y(t)}H${all}`, "stroke-width": h, class: "left" })),
    ...block.requests.flatMap(({ c, k, a, t, u }) => [
      cells(c, t.filter((_, lane) => u?.[lane] !== 2), `${k}${block.arrays[a]?.space === "shared" ? " faint" : ""}`),
      cells(c, t.filter((_, lane) => u?.[lane] === 2), "bad")]),
    ...block.requests.filter(({ x: cost, m }) => cost && !m && cost[0] >= 1.5 * cost[1] && cost[0] > cost[1])
      .map(({ c }) => bar(c, "warn")),
    ...block.barriers.map(({ c, t, bad }) => cells(c, t, bad ? "bad" : "barrier", 2.4)),
    ...block.races.map(({ c }) => bar(c, "bad")), ...shown ? [mark(shown)] : [],
    ...block.stop ? [svg("text", { x: x(block.stop.c) - 6, y: y(block.stop.t) + 5, class: "stop" }, "✗")] : [],
    ...chosen === null ? [] : [svg("rect", { x: left, y: top + chosen * h, width: all - left, height: h })],
    svg("path", { d: `M${x(step) - 5},2h10l-5,10z`, class: "cursor" }));
  for (let t = 0; t < threads; t += every) chart.append(svg("text", { x: 4, y: top + t * h + Math.min(h, 10) }, t));
  const isInSight = x(step) > strip.scrollLeft + 40 && x(step) < strip.scrollLeft + strip.clientWidth - 40;
  if (!isInSight) strip.scrollLeft = x(step) - strip.clientWidth / 2;
}

// --- Choosing
const address = (at, thread = chosen) =>
  `#${data.launches.indexOf(launch)}.${launch.blocks.indexOf(block)}.${at}${thread === null ? "" : `.${thread}`}`;
function drawText() {
  if (dom("text").open) dom("text").querySelector("ol").replaceChildren(...block.at.map((_, at) =>
    html("li", {}, html("a", { href: address(at) }, "Show. "), ...sentences(at, false))));
}
function draw() {
  dom("time").value = step;
  dom("count").textContent = `step ${step + 1} of ${block.columns}`;
  dom("time").setAttribute("aria-valuetext", dom("count").textContent);
  dom("now").replaceChildren(...sentences(step));
  for (const drawPart of [drawStage, drawValues, drawCode, drawChart]) drawPart();
  if (self === top) history.replaceState(null, "", address(step));
}
function go(to) { step = Math.max(0, Math.min(block.columns - 1, to)); draw(); }
function leftOutText() {
  const blocks = size(launch.grid);
  return [block.left.length ? `Left out are the steps of ${some(block.left)}: the page keeps whole warps as far as there is ` +
    "room. What those threads write appears in the cells." : "",
  block.cut ? "Only the block's first steps are shown." : "",
  launch.blocks.length < blocks ? `The checker looks at all ${blocks} blocks. This page has ${launch.blocks.length} of them, and ` +
    "with --block N another one." : ""].join(" ");
}
function choose(l, b, to) {
  launch = data.launches[l]; block = launch.blocks[b];
  block.at = Array.from({ length: block.columns }, (_, c) => block.requests.filter((request) => request.c === c));
  block.barrierAt = new Map(block.barriers.map((barrier) => [barrier.c, barrier]));
  block.timeline = [...block.requests.filter(({ a }) => a !== undefined).map((request) => ({ c: request.c, request })),
    ...block.changes.map((change) => ({ c: change[0], change }))].sort((one, other) => one.c - other.c);
  for (const array of block.arrays) array.cells = array.shown.flatMap(([from, to_], k) => [  // null: some are left out
    ...from > (array.shown[k - 1]?.[1] ?? 0) ? [null] : [], ...Array.from({ length: to_ - from }, (_, i) => from + i),
    ...k === array.shown.length - 1 && to_ < array.count ? [null] : []]);
  document.title = `${data.title}: what the threads do`;
  dom("title").replaceChildren(html("code", {}, `${kernelName(launch)}<<<${configuration()}>>>`),
    span("soft", `  ${data.title}`));
  dom("launch").value = l;
  dom("block").replaceChildren(...launch.blocks.map((one, k) =>
    html("option", { value: k, selected: k === b }, `block ${triple(one.block, launch.grid)}`)));
  dom("time").max = Math.max(0, block.columns - 1);
  const slow = block.slow.map(({ c, text }, n) => html("button", { class: "warn", onclick: () => go(c) },
    `⚠ ${n ? "Also slow" : "No mistake, but slow"}: ${text}`));
  dom("slow").replaceChildren(...data.found.length ? []  // mistakes come first
    : slow.length ? slow : [span("good", "✓ No mistake in any block, and nothing slow in this one.")]);
  dom("left").textContent = leftOutText();
  go(to);
  drawText();
}
// Goes to a place such as "0.1.5.3"; missing parts are 0.
function visit(place) {
  const [l, b, s, t] = place.split(".").map((text) => (text === "" ? NaN : Number(text))), one = data.launches[l] ? l : 0;
  chosen = t >= 0 && t < size(data.launches[one].threads) ? t : null;
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
const keys = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(block.columns - 1),
  ArrowDown: () => chooseThread(1), ArrowUp: () => chooseThread(-1), Escape: () => { chosen = null; draw(); }, " ": play,
  n: nextMistake, N: nextMistake };
addEventListener("keydown", (event) => {
  const isOfControl = event.target.matches("select") || (event.key === " " && event.target.matches("button, summary, a"));
  if (isOfControl || event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});
dom("play").onclick = play;
dom("back").onclick = () => go(step - 1);
dom("next").onclick = () => go(step + 1);
dom("time").oninput = (event) => go(Number(event.target.value));
dom("launch").replaceChildren(...data.launches.map((one, k) =>
  html("option", { value: k }, `launch ${one.launch + 1}: ${kernelName(one)}`)));
dom("launch").hidden = data.launches.length < 2;
dom("launch").onchange = (event) => choose(Number(event.target.value), 0, 0);
dom("block").onchange = (event) => choose(data.launches.indexOf(launch), Number(event.target.value), step);
dom("chart").onclick = (event) => {
  const { w, h, left, top } = dom("chart"), box = dom("chart").getBoundingClientRect();
  const t = Math.floor((event.clientY - box.top - top) / h);
  chosen = t >= 0 && t < size(launch.threads) ? t : null;
  go(Math.floor((event.clientX - box.left - left) / w));
};
dom("text").ontoggle = drawText;
dom("values").ontoggle = drawValues;
addEventListener("resize", draw);
addEventListener("hashchange", () => visit(location.hash.slice(1)));
dom("report").hidden = !data.report;
dom("problems").append(...data.found.map(([place, text]) => (place === null ? span("bad", `⚠ ${text}`)
  : html("button", { class: "bad", onclick: () => visit(place) }, `⚠ ${text.replace(/ \(.*?\)$/, "")}`))));
// Without a place in the address, begins at the first mistake, or where the first block wastes most.
const slow = data.launches.flatMap((one, l) => one.blocks[0].slow.slice(0, 1).map(({ c }) => `${l}.0.${c}`));
visit(location.hash.slice(1) || mistakes[0] || slow[0] || "");
