// Search in the pages' text, by lunr, and only when asked in the names of the reference.
// What is searched comes with the first use: lunr and the texts are half a megabyte.
(() => {
  "use strict";
  const AT_MOST = 12, NAMES_AT_MOST = 40;
  const form = document.createElement("form");
  form.id = "search";
  form.setAttribute("role", "search");
  form.innerHTML = `<input id="search-field" type="search" placeholder="Search" aria-label="Search the pages"
    autocomplete="off" spellcheck="false"/><div id="search-results" aria-live="polite" hidden></div>`;
  document.getElementById("titlearea").after(form);
  const field = form.querySelector("input"), results = form.querySelector("div");

  const load = (file) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    Object.assign(script, { src: file, onload: resolve, onerror: () => reject(new Error(`${file} is not there`)) });
    document.head.append(script);
  });
  const once = (make) => { let made; return () => made ??= make(); };
  const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

  // The glossary says what its words mean, and the tutorials show it; others only use them.
  const isTerm = ({ address }) => address.startsWith("glossary.html#");
  const weight = ({ address, heading }) => /^(instructors_guide|hostile)\./.test(address) || /^(Exercises|Further reading)$/.test(heading)
    ? 0.5 : /^step_/.test(address) ? 2 : 1;

  const index = once(async () => {
    await Promise.all([load("lunr.min.js"), load("search_pages.js")]);
    lunr.tokenizer.separator = /[^\p{L}\p{N}_]+/u;
    return lunr(function () {
      this.pipeline.remove(lunr.stemmer);  // a word being typed is a prefix of the word itself, not of its stem
      this.searchPipeline.reset();
      this.metadataWhitelist = ["position"];
      this.ref("place");
      this.field("page", { boost: 4 });
      this.field("heading", { boost: 4 });
      this.field("term", { boost: 40 });
      this.field("text");
      search_pages.forEach((section, place) =>
        this.add({ ...section, place, term: isTerm(section) ? section.heading : "" }, { boost: weight(section) }));
    });
  });
  const names = once(() => load("search_names.js"));

  const words = (text) => {
    const all = lunr.tokenizer(text);
    const telling = all.filter((token) => lunr.stopWordFilter(token));
    return telling.length ? telling : all;
  };
  // What a word and its stem begin with in common finds its other forms, too: race and races, body and bodies.
  const prefix = (word) => {
    const stem = lunr.stemmer(new lunr.Token(word)).toString();
    let same = 0;
    while (same < stem.length && stem[same] === word[same]) ++same;
    return word.slice(0, Math.max(same, Math.min(word.length, 3)));
  };
  const query = (lunrIndex, text, presence) => lunrIndex.query((q) => {
    for (const token of words(text)) {
      const word = token.toString();
      q.term(prefix(word), { wildcard: lunr.Query.wildcard.TRAILING, presence });
      q.term(word, { boost: 10 });
    }
  });
  // Sections with all of the words; where there are none, with some.
  const find = (lunrIndex, text) => {
    const whole = query(lunrIndex, text, lunr.Query.presence.REQUIRED);
    return whole.length ? whole : query(lunrIndex, text, lunr.Query.presence.OPTIONAL);
  };

  // The words around the first place where most of the words are near, those that were looked for marked.
  const snippet = (text, { metadata }) => {
    const places = Object.values(metadata).flatMap(({ text: found }) => found ? found.position : [])
      .sort((a, b) => a[0] - b[0]);
    const near = (start) => places.filter(([at]) => at >= start && at < start + 120).length;
    const start = places.reduce((best, [at]) => near(at) > near(best) ? at : best, places.length ? places[0][0] : 0);
    const from = start < 50 ? 0 : text.indexOf(" ", start - 50) + 1;
    const end = from + 170 < text.length ? text.lastIndexOf(" ", from + 170) : text.length;
    let said = from ? "… " : "", done = from;
    for (const [at, length] of places) {
      if (at < done || at + length > end) continue;
      said += `${escaped(text.slice(done, at))}<mark>${escaped(text.substr(at, length))}</mark>`;
      done = at + length;
    }
    return said + escaped(text.slice(done, end)) + (end < text.length ? " …" : "");
  };

  const shown = ({ ref, matchData }) => {
    const { page, heading, text, address } = search_pages[ref];
    return `<a class="page" href="${address}"><b>${escaped(page)}</b>${heading ? ` › ${escaped(heading)}` : ""}
      <span>${snippet(text, matchData)}</span></a>`;
  };

  // Names with the text in them: first those that begin with it, short ones first.
  const named = (text) => {
    const begins = (name) => name.toLowerCase().replace(/.*::/, "").startsWith(text);
    return search_names.filter(([name]) => name.toLowerCase().includes(text))
      .sort(([a], [b]) => begins(b) - begins(a) || a.length - b.length);
  };
  const showNames = async () => {
    await names();
    const found = named(field.value.trim().toLowerCase());
    const many = found.length > NAMES_AT_MOST ? `, the first ${NAMES_AT_MOST}` : "";
    const rows = found.slice(0, NAMES_AT_MOST).map(([name, address, where]) =>
      `<a class="name" href="${address}"><code>${escaped(name)}</code> ${escaped(where)}</a>`);
    results.querySelector("button").outerHTML =
      `<p>In the reference: ${found.length || "nothing"}${many}</p>${rows.join("")}`;
  };

  const search = async () => {
    const text = field.value.trim();
    const found = text && find(await index(), text);
    if (text !== field.value.trim()) return;  // typed on meanwhile
    results.hidden = !text;
    if (!text) return;
    results.innerHTML = (found.length ? found.slice(0, AT_MOST).map(shown).join("") : "<p>In no page</p>") +
      `<button type="button">Also in the reference</button>`;
    results.scrollTop = 0;
  };
  const move = (by) => {
    const stops = [field, ...results.querySelectorAll("a, button")];
    stops[Math.min(Math.max(stops.indexOf(document.activeElement) + by, 0), stops.length - 1)].focus();
  };

  field.addEventListener("focus", index, { once: true });
  field.addEventListener("focus", search);
  field.addEventListener("input", search);
  results.addEventListener("click", (event) => {
    if (event.target.closest("button")) showNames();
    else if (event.target.closest("a")) results.hidden = true;
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); results.querySelector("a")?.click(); });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) results.hidden = true; });
})();
