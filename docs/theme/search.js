// Search in the pages' text and in the names of the reference. The texts, a megabyte, come with the first use.
(() => {
  "use strict";
  const PAGES_AT_MOST = 12, NAMES_AT_MOST = 20;
  const LITTLE_WORDS = /^(an?|and|are|as|at|by|for|from|how|in|is|it|of|on|or|the|to|what|where|which|with)$/;
  const form = document.getElementById("search");
  const field = form.querySelector("input"), results = form.querySelector("div");

  let data;
  const load = () => data ??= new Promise((resolve) =>
    document.head.append(Object.assign(document.createElement("script"), { src: "search_data.js", onload: resolve })));
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

  // A word finds all that begin with it or with its stem: races finds race, bodies body, divergence divergent.
  const stem = (word) => word.length < 5 ? word : word.replace(/(?<=\w{3})(?:ences?|ents?|ies|y|es|s)$/, "");
  const patterns = (text) => {
    const all = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const telling = all.filter((word) => !LITTLE_WORDS.test(word));
    return (telling.length ? telling : all).map((word) => new RegExp(`(?<![\\p{L}\\p{N}_])${stem(word)}[\\p{L}\\p{N}_]*`, "giu"));
  };
  const count = (text, pattern) => text.match(pattern)?.length ?? 0;

  // The glossary says what its words mean, and the tutorials show it; other pages only use them.
  const weight = ({ address, heading }) => /^(instructors_guide|hostile)\./.test(address) ||
    /^(Exercises|Further reading)$/.test(heading) ? 0.5 : /^step_/.test(address) ? 2 : 1;
  const score = ({ page, heading, text, address }, pattern) => {
    const inHeading = count(heading, pattern) / (1 + count(heading, /\s/g));
    return (address.startsWith("glossary.html#") ? 60 : 6) * inHeading + 4 * Math.min(1, count(page, pattern)) +
      Math.log2(1 + Math.min(3, count(text, pattern)));
  };
  // Sections with all of the words; if there are none, those with some.
  const find = (looked) => {
    const scored = search_pages.map((section) => {
      const scores = looked.map((pattern) => score(section, pattern));
      return { section, all: !scores.includes(0), score: weight(section) * scores.reduce((a, b) => a + b, 0) };
    }).filter((row) => row.score);
    const whole = scored.filter((row) => row.all);
    return (whole.length ? whole : scored).sort((a, b) => b.score - a.score).map((row) => row.section);
  };
  // Names with the text in them: first those that begin with it, short ones first.
  const named = (text) => {
    const begins = (name) => name.toLowerCase().replace(/.*::/, "").startsWith(text);
    return search_names.filter(([name]) => name.toLowerCase().includes(text))
      .sort(([a], [b]) => begins(b) - begins(a) || a.length - b.length);
  };

  // The words around the first place that was looked for; those that were are marked.
  const snippet = (text, looked) => {
    const places = looked.flatMap((pattern) => [...text.matchAll(pattern)]).sort((a, b) => a.index - b.index);
    const start = places[0]?.index ?? 0, from = start < 50 ? 0 : text.indexOf(" ", start - 50) + 1;
    const end = from + 170 < text.length ? text.lastIndexOf(" ", from + 170) : text.length;
    let said = from ? "… " : "", done = from;
    for (const { index, 0: word } of places) {
      if (index < done || index + word.length > end) continue;
      said += `${escaped(text.slice(done, index))}<mark>${escaped(word)}</mark>`;
      done = index + word.length;
    }
    return said + escaped(text.slice(done, end)) + (end < text.length ? " …" : "");
  };
  const pageRow = ({ page, heading, text, address }, looked) => `<a class="page" href="${address}">
    <b>${escaped(page)}</b>${heading ? ` › ${escaped(heading)}` : ""}<span>${snippet(text, looked)}</span></a>`;
  const nameRow = ([name, address, where]) =>
    `<a class="name" href="${address}"><code>${escaped(name)}</code> ${escaped(where)}</a>`;

  const search = async () => {
    await load();
    const text = field.value.trim(), looked = patterns(text);
    results.hidden = !text;
    if (!text) return;
    const found = find(looked), names = named(text.toLowerCase());
    results.innerHTML = (found.length ? "" : "<p>In no page</p>") +
      found.slice(0, PAGES_AT_MOST).map((section) => pageRow(section, looked)).join("") +
      `<p>In the reference: ${names.length || "nothing"}${names.length > NAMES_AT_MOST ? `, the first ${NAMES_AT_MOST}` : ""}</p>` +
      names.slice(0, NAMES_AT_MOST).map(nameRow).join("");
    results.scrollTop = 0;
  };
  const move = (by) => {
    const stops = [field, ...results.querySelectorAll("a")];
    stops[Math.min(Math.max(stops.indexOf(document.activeElement) + by, 0), stops.length - 1)].focus();
  };

  field.addEventListener("focus", search);
  field.addEventListener("input", search);
  results.addEventListener("click", (event) => { if (event.target.closest("a")) results.hidden = true; });
  form.addEventListener("submit", (event) => { event.preventDefault(); results.querySelector("a")?.click(); });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) results.hidden = true; });
})();
