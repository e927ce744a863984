// A line does not end within an option, after the -- of --steps say.
for (const code of document.querySelectorAll(":is(p, li, td, th) code")) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = text.data.split(/((?<!\S)--?[a-z][\w-]*)/);  // the odd ones are options
    text.replaceWith(...parts.map((part, k) =>
      k % 2 ? Object.assign(document.createElement("span"), { className: "option", textContent: part }) : part));
  }
}
