"use strict";
// what needs no script works without one: the filter by pattern, and all that folds

const said = document.getElementById("said");

function select(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    select(code);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  said.textContent = "SQL copied";
  setTimeout(() => { button.textContent = "Copy SQL"; said.textContent = ""; }, 1500);
}

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", () => copy(button));
}

for (const box of document.querySelectorAll("input.search")) {
  const columns = box.closest("section").querySelectorAll("details.column");
  const left = box.parentElement.querySelector("output");
  box.parentElement.hidden = false;
  box.addEventListener("input", () => {
    const word = box.value.trim().toLowerCase();
    let count = 0;
    for (const column of columns) {
      column.hidden = !column.dataset.name.toLowerCase().includes(word);
      count += !column.hidden;
    }
    left.textContent = word ? `${count} of ${columns.length}` : "";
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
