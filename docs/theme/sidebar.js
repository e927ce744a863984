// Doxygen opens only the group of the page that is shown. All are short but the last, the reference: the others
// are opened, too.
(() => {
  const tree = document.getElementById("nav-tree-contents");
  const observer = new MutationObserver(() => {
    const groups = tree.querySelectorAll(":scope > ul > li > ul > li:not(:last-child) > .item .arrow");
    if (!groups.length) return;  // Doxygen's script makes the tree when the page has been loaded
    observer.disconnect();
    setTimeout(() => {
      groups.forEach((arrow) => { if (arrow.textContent === "►") arrow.click(); });
      document.getElementById("selected")?.scrollIntoView({ block: "nearest" });
    });
  });
  observer.observe(tree, { childList: true, subtree: true });
})();

// In the menu of a narrow screen a group leads nowhere: a second tap would load the page again.
document.addEventListener("click", (event) => {
  if (event.target.closest('#main-menu a[href=""]')) event.preventDefault();
});
