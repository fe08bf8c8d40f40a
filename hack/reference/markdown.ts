/** Text as Markdown that no site generator takes for tags or templates; what stands in backticks stays as it is. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** Code in backticks, in as many as it takes. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A cell of a table: a bar would end it. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** The anchor that GitHub and the site give a heading of plain words. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** The remark at the top of a generated page. */
export function madeFrom(source: string): string {
  return `<!-- Written by \`npm run docs:reference\` from ${source}. -->`;
}
