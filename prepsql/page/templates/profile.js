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
