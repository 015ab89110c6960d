"use strict";
// what needs no script works without one: filters, and all that folds

for (const box of document.querySelectorAll("input.search")) {
  const parts = box.closest("section").querySelectorAll("[data-name]");
  const left = box.parentElement.querySelector("output");
  box.parentElement.hidden = false;
  box.addEventListener("input", () => {
    const word = box.value.trim().toLowerCase();
    let count = 0;
    for (const part of parts) {
      part.hidden = !part.dataset.name.toLowerCase().includes(word);
      count += !part.hidden;
    }
    left.textContent = word ? `${count} of ${parts.length}` : "";
  });
}

function unfold() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  for (let node = target; node; node = node.parentElement) {
    if (node.tagName === "DETAILS") node.open = true;
  }
  if (target) target.scrollIntoView();
}
addEventListener("hashchange", unfold);
unfold();
