// Text as HTML.
import type { Block, Inline } from "./doc-comment.ts";
import type { ResolveName } from "./pages.ts";

/** Escapes text, also in attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Returns the blocks of a comment. */
export function blocksHtml(blocks: readonly Block[], resolve: ResolveName): string {
  return blocks
    .map((block) => {
      if (block.kind === "paragraph") return `<p>${inlineHtml(block.parts, resolve)}</p>`;
      if (block.kind === "code") return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
      const tag = block.start === undefined ? "ul" : "ol";
      const start = block.start === undefined || block.start === 1 ? "" : ` start="${block.start}"`;
      const items = block.items.map((item) => {
        const [only, ...more] = item;
        const isText = only?.kind === "paragraph" && more.length === 0;
        return `<li>${isText ? inlineHtml(only.parts, resolve) : blocksHtml(item, resolve)}</li>`;
      });
      return `<${tag}${start}>${items.join("")}</${tag}>`;
    })
    .join("");
}

function inlineHtml(parts: readonly Inline[], resolve: ResolveName): string {
  return parts
    .map((part) => {
      const text = escapeHtml(part.text);
      if (part.kind === "code") return `<code>${text}</code>`;
      if (part.kind === "strong") return `<strong>${text}</strong>`;
      const url = part.kind === "link" ? part.url : part.kind === "reference" ? resolve(part.name) : undefined;
      return url === undefined ? text : linkHtml(part.text, url);
    })
    .join("");
}

/** Returns a link. */
export function linkHtml(text: string, url: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}
