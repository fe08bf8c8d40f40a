// The styles and the script of the HTML page, which has no other files.

/** The styles: both themes, and tables that become lists on narrow screens. */
export const styles = `
:root { color-scheme: light dark; --text: #1f2328; --weak: #57606a; --back: #fff; --panel: #f6f8fa; --line: #d0d7de; --link: #0550ae; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --weak: #9da7b3; --back: #0d1117; --panel: #161b22; --line: #30363d; --link: #79b8ff; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 2rem 0 0.75rem; }
h1 { margin-top: 0.5rem; }
h2 { border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
p { margin: 0 0 0.75rem; }
ul, ol { margin: 0 0 0.75rem; padding-left: 1.5rem; }
code { font: 0.9em ui-monospace, monospace; background: var(--panel); border-radius: 4px; padding: 0.1em 0.3em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; margin: 0 0 0.75rem; padding: 0.75rem; white-space: pre-wrap; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; margin: 0 0 1rem; width: 100%; }
th, td { border: 1px solid var(--line); padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; }
th { background: var(--panel); }
td > :last-child, li > :last-child { margin-bottom: 0; }
td ul { padding-left: 1.1rem; }
.type { color: var(--weak); font-style: italic; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0 0 1rem; }
dt { color: var(--weak); }
dd { margin: 0; }
.filter { margin: 1rem 0; }
.filter input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--weak); border-radius: 6px; max-width: 24rem; padding: 0.4rem 0.6rem; width: 100%; }
.filter label { display: block; font-weight: 600; margin-bottom: 0.25rem; }
[hidden] { display: none !important; }
@media (max-width: 700px) {
  dl { grid-template-columns: 1fr; }
  dd { margin-bottom: 0.4rem; }
  thead { display: none; }
  table, tbody, tr, td { display: block; width: 100%; }
  tr { border: 1px solid var(--line); border-radius: 6px; margin-bottom: 0.75rem; }
  td { border: 0; }
  td:empty { display: none; }
  td[data-label]::before { color: var(--weak); content: attr(data-label) ": "; display: block; font-size: 0.85em; }
}
`;

/** The script: hides the fields that don't match, and the sections without a match. */
export const script = `
const form = document.querySelector(".filter");
const input = form.querySelector("input");
const status = form.querySelector("[role=status]");
const sections = [...document.querySelectorAll("section.type-section")].map((section) => ({
  section,
  name: section.dataset.name.toLowerCase(),
  rows: [...section.querySelectorAll("tr[data-field]")],
}));
form.hidden = false;
function filter() {
  const text = input.value.trim().toLowerCase();
  let count = 0;
  for (const { section, name, rows } of sections) {
    const isNamed = name.includes(text);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !isNamed && !row.dataset.field.toLowerCase().includes(text);
      if (!row.hidden) shown++;
    }
    section.hidden = text !== "" && !isNamed && shown === 0;
    if (!section.hidden) count += shown;
  }
  status.textContent = text === "" ? "" : count + (count === 1 ? " field" : " fields");
}
input.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
`;
