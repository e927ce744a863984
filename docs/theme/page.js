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

// A drawing is no wider than the page. Where that is less than its own width, a button beneath shows it in that, to be
// scrolled. div.image is Doxygen's, of a picture that the text names: of a screen, with the dots of a page.
const OF_A_DOT = 96 / 150;  // recorded pictures have 150 dots an inch (common/tools/plots/figure.py), a page has 96
for (const figure of document.querySelectorAll(":is(figure, div.image):has(> svg, > img)")) {
  const drawing = figure.querySelector(":scope > svg, :scope > img");
  const button = Object.assign(document.createElement("button"), { className: "enlarge", textContent: "Enlarge" });
  const ofADot = figure.matches("figure") ? OF_A_DOT : 1;
  const ownWidth = () => drawing.viewBox?.baseVal.width ?? ofADot * drawing.naturalWidth;
  const offer = () => {
    const isEnlarged = figure.classList.contains("enlarged");
    button.hidden = !isEnlarged && ownWidth() < 1.1 * drawing.getBoundingClientRect().width;
  };
  button.addEventListener("click", () => {
    const isEnlarged = figure.classList.toggle("enlarged");
    button.textContent = isEnlarged ? "Fit to the screen" : "Enlarge";
    drawing.style.width = isEnlarged ? `${ownWidth()}px` : "";
  });
  figure.after(button);
  drawing.addEventListener("load", offer);
  new ResizeObserver(offer).observe(figure);
}

// Doxygen opens only the group of the page that is shown. All are short but the last, the reference: the others
// are opened, too, except the headings of the start page (the first, from Doxygen 1.9.8 on). The page that is shown is scrolled to.
(() => {
  const tree = document.getElementById("nav-tree-contents");
  const closed = (arrow) => arrow?.textContent === "►";
  const observer = new MutationObserver(() => {
    const root = tree.querySelector(":scope > ul > li > .item .arrow");
    if (closed(root)) root.click();  // Doxygen leaves it closed if the address names no page
    const groups = tree.querySelectorAll(":scope > ul > li > ul > li:not(:first-child, :last-child) > .item .arrow");
    if (!groups.length) return;  // Doxygen's script makes the tree when the page has been loaded
    observer.disconnect();
    setTimeout(() => {
      jQuery("#nav-tree").stop(true);  // it scrolls to where the page was in the closed tree
      jQuery.fx.off = true;  // groups that slide open would move the page out of sight again
      groups.forEach((arrow) => { if (closed(arrow)) arrow.click(); });
      jQuery.fx.off = false;
      document.getElementById("selected")?.scrollIntoView({ block: "center" });  // if it is known yet; else Doxygen does
    });
  });
  observer.observe(tree, { childList: true, subtree: true });
})();

// In the menu of a narrow screen a group leads nowhere: a second tap would load the page again.
document.addEventListener("click", (event) => {
  if (event.target.closest('#main-menu a[href=""]')) event.preventDefault();
});

// The links to the previous and the next page, in the sidebar's order.
(() => {
  // A group has no address; what lies deeper are headings of the start page and lists of the reference.
  const order = NAVTREE[0][2].flatMap(([title, address, below]) => address ? [[title, address]] : below.filter((page) => !page[2]));
  const name = location.pathname.split("/").pop() || "index.html";
  const place = order.findIndex(([, address]) => address === name);
  if (place < 0) return;
  const link = (rel, page) => page ? Object.assign(document.createElement("a"), { rel, href: page[1], textContent: page[0] }) : "";
  const chain = Object.assign(document.createElement("nav"), { className: "chain", ariaLabel: "Previous and next page" });
  chain.append(link("prev", order[place - 1]), link("next", order[place + 1]));
  document.querySelector(".textblock").append(chain);
})();
