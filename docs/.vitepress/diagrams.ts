import { createHash } from "node:crypto";
import { type RenderOptions, renderMermaidSVG } from "beautiful-mermaid";
import type { MarkdownRenderer } from "vitepress";

/** The colors are variables of style.css, which change with the theme of the site. */
const look: RenderOptions = { transparent: true, padding: 8 };

/** A diagram as text, in the language of Mermaid. */
export interface Diagram {
  /** The title for people who can't see the diagram. */
  readonly title: string;
  /** Its description, which contains what the drawing shows. */
  readonly description: string;
  /** The text without both. */
  readonly source: string;
}

/**
 * Reads a diagram.
 *
 * @param text - Mermaid with lines `accTitle: …` and `accDescr: …`
 * @throws Error if one of these lines is missing
 */
export function readDiagram(text: string): Diagram {
  const of = (key: string): string => {
    const value = new RegExp(`^\\s*${key}: *(.+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`a diagram needs a line "${key}: …":\n${text}`);
    return value;
  };
  const source = text.replace(/^\s*acc(?:Title|Descr):.*\n/gm, "");
  return { title: of("accTitle"), description: of("accDescr"), source };
}

/** Replaces the blocks of the language `mermaid` with SVG while the site is built, so that readers load no library. */
export function diagrams(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  if (fence === undefined) throw new Error("VitePress has no renderer for fenced blocks");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info = "", content = "" } = tokens[index] ?? {};
    return info.trim() === "mermaid" ? figure(content, markdown.utils.escapeHtml) : fence(tokens, index, ...rest);
  };
}

function figure(text: string, escapeHtml: (text: string) => string): string {
  const { title, description, source } = readDiagram(text);
  const id = `diagram-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
  const svg = renderMermaidSVG(source, look)
    // Vue drops styles in templates, and this one would load a font from another server. style.css has its rules.
    .replace(/<style>[\s\S]*?<\/style>/, "")
    .replace(/ style="--bg:[^"]*"/, "")
    // The drawn head of a start already points to the start, and would be turned around.
    .replace(/(id="arrowhead-start[^>]*orient=)"auto-start-reverse"/g, '$1"auto"')
    // Ids of several diagrams on a page must differ.
    .replace(/(\bid="|url\(#)([\w-]+)/g, `$1${id}-$2`)
    .replace(
      /^<svg ([^>]*)>/,
      `<svg $1 role="img" aria-labelledby="${id}-title ${id}-text"><title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-text">${escapeHtml(description)}</desc>`,
    )
    // Markdown ends a block of HTML at an empty line.
    .replace(/\n\s*\n/g, "\n");
  return `<figure class="diagram" tabindex="0" v-pre>${svg}</figure>\n`;
}
