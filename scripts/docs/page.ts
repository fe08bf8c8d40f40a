import GithubSlugger from "github-slugger";
import MarkdownIt from "markdown-it";
import type Token from "markdown-it/lib/token.mjs";

/** A fenced block of a page. */
export interface Block {
  /** The path of the page, relative to the repository, with `/`. */
  readonly page: string;
  /** The line of the opening fence, counting from 1. */
  readonly line: number;
  readonly language: string;
  /** The path in brackets after the language: the file from which the block is quoted, and its parts. */
  readonly quoted?: string;
  /** The highlighted lines, such as `3,5-7`. */
  readonly highlighted?: string;
  /** The comments `<!-- key: value -->` directly above. */
  readonly notes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A part of a page with its position. */
export interface Placed {
  readonly page: string;
  readonly line: number;
  readonly text: string;
}

/** A Markdown file in the form that its tests need. */
export interface Page {
  readonly path: string;
  readonly title: string;
  /** The description in its frontmatter, for search engines and previews. */
  readonly description?: string;
  /** Whether its frontmatter excludes it from the search and the sidebar. */
  readonly hidden: boolean;
  readonly blocks: readonly Block[];
  /** The targets of links and images. */
  readonly links: readonly Placed[];
  /** Code in backticks in the text. */
  readonly codes: readonly Placed[];
  /** Tags, and text that looks like a tag, without comments. */
  readonly tags: readonly Placed[];
  /** Valid anchors: headings as GitHub converts them, and ids of tags. */
  readonly anchors: ReadonlySet<string>;
}

const markdown = new MarkdownIt({ html: true });

/** Parses a Markdown page. Lines keep their numbers. */
export function parsePage(source: string): Token[] {
  const withoutFrontmatter = source.replace(/^---\n[\s\S]*?\n---\n/, (head) => head.replace(/[^\n]/g, ""));
  return markdown.parse(withoutFrontmatter, {});
}

/** Reads a page. `path` is relative to the repository, and only used in messages. */
export function readPage(path: string, source: string): Page {
  const slugger = new GithubSlugger();
  const blocks: Block[] = [];
  const links: Placed[] = [];
  const codes: Placed[] = [];
  const tags: Placed[] = [];
  const anchors = new Set<string>();
  let title: string | undefined;
  let notes: Record<string, string> = {};
  const tokens = parsePage(source);
  let line = 1;
  tokens.forEach((token, index) => {
    // Table cells have the position of their row.
    line = token.map ? token.map[0] + 1 : line;
    for (const [, id] of token.content.matchAll(/<\w+[^>]*\s(?:id|name)="([^"]+)"/g)) if (id) anchors.add(id);
    if (token.type === "heading_open") {
      const heading = plainText(tokens[index + 1]?.children ?? []);
      title ??= heading;
      anchors.add(slugger.slug(heading));
    }
    if (token.type === "fence") {
      const {
        language = "",
        highlighted,
        label,
      } = /^(?<language>[\w-]*)(?:\{(?<highlighted>[\d,-]+)\})?(?: \[(?<label>.*)\])?/.exec(token.info.trim())
        ?.groups ?? {};
      // In a code group, brackets contain the title of a tab.
      const quoted = label?.includes("/") ? label : undefined;
      blocks.push({ page: path, line, language, quoted, highlighted, notes, text: token.content });
    }
    for (const child of token.children ?? []) {
      const target = child.attrGet("href") ?? child.attrGet("src");
      if (target !== null) links.push({ page: path, line, text: decodeURI(target) });
      if (child.type === "code_inline") codes.push({ page: path, line, text: child.content });
      if (child.type !== "html_inline") continue;
      tags.push({ page: path, line, text: child.content });
      for (const target of targetsIn(child.content)) links.push({ page: path, line, text: target });
    }
    if (token.type === "html_block") {
      for (const target of targetsIn(token.content)) links.push({ page: path, line, text: target });
    }
    const html = token.type === "html_block" ? token.content.replace(/<!--[\s\S]*?-->/g, "").trim() : "";
    if (html !== "") tags.push({ page: path, line, text: html });
    notes = token.type === "html_block" ? { ...notes, ...notesIn(token.content) } : {};
  });
  const head = /^---\n([\s\S]*?)\n---\n/.exec(source)?.[1] ?? "";
  const description = /^description: (.+)$/m.exec(head)?.[1];
  const hidden = /^search: false$/m.test(head);
  return { path, title: title ?? path, description, hidden, blocks, links, codes, tags, anchors };
}

/** Returns the targets of links and images that are written as tags. */
function targetsIn(html: string): string[] {
  return [...html.matchAll(/\s(?:href|src|srcset)="([^"]+)"/g)].map(([, target = ""]) => target);
}

function plainText(tokens: readonly { type: string; content: string }[]): string {
  return tokens
    .filter(({ type }) => type === "text" || type === "code_inline")
    .map(({ content }) => content)
    .join("");
}

function notesIn(html: string): Record<string, string> {
  return Object.fromEntries(
    [...html.matchAll(/<!--\s*([a-z-]+):\s*(.*?)\s*-->/g)].map(([, key = "", value = ""]) => [key, value]),
  );
}
