/**
 * Escapes text as Markdown, so that no site generator interprets it as tags or templates. Text in backticks isn't changed.
 */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;");
}

/** Encloses code in as many backticks as necessary. */
export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Escapes the bars in a table cell. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Returns the anchor that GitHub and the site create for a heading of plain words. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/** Returns the comment at the top of a generated page. */
export function madeFrom(source: string): string {
  return `<!-- Written by \`npm run docs:reference\` from ${source}. -->`;
}

/**
 * Returns the frontmatter of a page.
 *
 * @param description - one sentence for search engines and previews
 */
export function head(description: string): string[] {
  return ["---", `description: ${JSON.stringify(description)}`, "---", ""];
}
