// Tables that are wider than a phone scroll in a box; the keyboard must reach it to scroll it.
addEventListener("load", () => {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) box.tabIndex = 0;
});

// The button of each block of code stands in a <nav> of its own: it is no place that one goes to.
const unname = () => {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.setAttribute("role", "presentation");
};
new MutationObserver(unname).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("load", unname);
