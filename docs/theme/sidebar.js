// Doxygen opens only the group of the page that is shown. All are short but the last, the reference: the others
// are opened, too, and the page that is shown is scrolled to.
(() => {
  const tree = document.getElementById("nav-tree-contents");
  const closed = (arrow) => arrow?.textContent === "►";
  const observer = new MutationObserver(() => {
    const root = tree.querySelector(":scope > ul > li > .item .arrow");
    if (closed(root)) root.click();  // Doxygen leaves it closed if the address names no page
    const groups = tree.querySelectorAll(":scope > ul > li > ul > li:not(:last-child) > .item .arrow");
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
