// The pages for coding assistants: Markdown of each page, and the lists llms.txt and llms-full.txt (llmstxt.org, version 2).
import { posix } from "node:path";
import { nameInProject } from "./name-in-project.ts";
import type { Link, Section } from "./sidebar.ts";

/** The addresses that links lead to. */
export interface Addresses {
  /** The address of the site, which ends with a slash. */
  readonly site: string;
  /** The address of the repository. */
  readonly repository: string;
}

/** A page of the documentation. */
export interface Source {
  /** Its path in `docs/` without `.md`. */
  readonly path: string;
  /** The Markdown of its file. */
  readonly text: string;
}

const fence = /^( *)(`{3,})(.*)$/;

/**
 * Converts a page to plain Markdown: without frontmatter, comments, tags and containers, and with absolute links.
 *
 * @param page - the page
 * @param addresses - the addresses of links
 */
export function markdownOf(page: Source, addresses: Addresses): string {
  return converted(page, (target) => absolute(page.path, target, addresses));
}

/** Returns the address of a page's Markdown. */
export function markdownAddress(path: string, { site }: Addresses): string {
  return new URL(`${path}.md`, site).href;
}

/**
 * Creates llms.txt: the pages by groups of the sidebar, each with its description.
 *
 * @param sections - the groups of the sidebar. Those without an own list are the last one, `Optional`.
 * @param pages - all pages
 * @param addresses - the addresses of links
 */
export function llmsTxt(sections: readonly Section[], pages: readonly Source[], addresses: Addresses): string {
  const byLink = new Map(pages.map((page) => [`/${page.path}`, page]));
  const line = ({ text, link }: Link): string => {
    const page = byLink.get(link);
    if (page === undefined) throw new Error(`the sidebar contains ${link}, which isn't a page`);
    return `- [${text}](${markdownAddress(page.path, addresses)}): ${frontmatter(page.text, "description")}`;
  };
  const list = (title: string, links: readonly Link[]): string => `## ${title}\n\n${links.map(line).join("\n")}\n`;
  const isSecondary = ({ text }: Section): boolean => secondary.includes(text);
  return [
    "# kubewright\n",
    "> Kubernetes operators in TypeScript: kubebuilder's commands and layout, controller-gen's manifests, and a runtime with controller-runtime's rules.\n",
    `All pages in one file: ${new URL("llms-full.txt", addresses.site).href}\n`,
    ...sections.filter((section) => !isSecondary(section)).map((section) => list(section.text, primary(section))),
    list(
      "Optional",
      sections.flatMap((section) => (isSecondary(section) ? linksOf(section) : optional(section))),
    ),
  ].join("\n");
}

/** Groups whose pages are only for some questions: the API of the runtime, and the pages about the project itself. */
const secondary: readonly string[] = ["Runtime API", "Project"];

function primary(section: Section): Link[] {
  return section.items.flatMap((item) =>
    "items" in item ? (secondary.includes(item.text) ? [] : primary(item)) : [item],
  );
}

function optional(section: Section): Link[] {
  return section.items.flatMap((item) =>
    "items" in item ? (secondary.includes(item.text) ? linksOf(item) : optional(item)) : [],
  );
}

function linksOf(section: Section): Link[] {
  return section.items.flatMap((item) => ("items" in item ? linksOf(item) : [item]));
}

/**
 * Creates llms-full.txt: all pages of the sidebar in its order, each below its address. Links between pages are their text,
 * because the file contains both. The whole files that a page shows collapsed are links to the repository.
 *
 * @param sections - the groups of the sidebar
 * @param pages - all pages
 * @param addresses - the addresses of links
 */
export function llmsFullTxt(sections: readonly Section[], pages: readonly Source[], addresses: Addresses): string {
  const byLink = new Map(pages.map((page) => [`/${page.path}`, page]));
  const texts = sections.flatMap(linksOf).map(({ link }) => {
    const page = byLink.get(link);
    if (page === undefined) throw new Error(`the sidebar contains ${link}, which isn't a page`);
    const short = {
      ...page,
      text: page.text.replace(wholeFile, `The whole file: [$1](${addresses.repository}/blob/main/$1)\n`),
    };
    const text = shortened(
      page.path,
      converted(short, (target) => (/^https?:/.test(target) ? target : undefined)),
    );
    return `Source: ${new URL(`${page.path}.html`, addresses.site).href}\n\n${text}`;
  });
  return texts.join("\n---\n\n");
}

/**
 * Shortens the Markdown of a page for readers that see only its text: signatures and properties of the reference without the
 * marks that render them, parameters without the types that the signature contains, lists and examples without the word above
 * them, and no drawings. Overloads don't repeat the texts of others, nor the first page of the reference the names on the others.
 */
function shortened(path: string, markdown: string): string {
  // Sections with nothing but links to other pages, which are in the same file.
  const whole = markdown
    .split(/^(?=## )/m)
    .filter((section) => !/^## Next(?: steps)?\n/.test(section))
    .join("");
  const text = path === "reference/runtime" ? whole.replace(/^(?:\w+(?:\(\))?, )+\w+(?:\(\))?\n\n?/gm, "") : whole;
  const plain = text
    .replace(/^```mermaid\n[^`]*```\n\n/gm, "")
    .replace(/^> .*\*\*.*[)>;].*$/gm, (signature) => signature.replace(/[`\\*]/g, ""))
    .replace(/^Parameters:\n\n(?:- .*\n)+/gm, (list) => list.replace(/^- \*\*(.+?)\*\* \(.*?\): /gm, "- $1: "))
    .replace(
      /^- \*\*(.+?)\*\* (\(.*?\)): /gm,
      (_, name: string, type: string) => `- ${name} ${type.replace(/[`\\]/g, "")}: `,
    )
    .replace(/^(?:Parameters|Properties|Example):\n\n/gm, "");
  return path.startsWith("reference/runtime/")
    ? plain
        .split(/^(?=## )/m)
        .map(withoutRepeats)
        .join("")
    : plain;
}

/** Removes the parameters, results and errors of a section that it contains before. */
function withoutRepeats(section: string): string {
  const before = new Set<string>();
  const isNew = (text: string) => !before.has(text) && before.add(text);
  return section
    .split("\n\n")
    .map((paragraph) => {
      if (/^(?:Returns|Throws) /.test(paragraph)) return isNew(paragraph) ? paragraph : "";
      return paragraph.startsWith("- ")
        ? paragraph
            .split(/\n(?=- )/)
            .filter(isNew)
            .join("\n")
        : paragraph;
    })
    .filter((paragraph, index, all) => paragraph !== "" || index === all.length - 1)
    .join("\n\n");
}

/** A collapsed block with a whole file. Its path is the first group. */
const wholeFile =
  /^:{3,} details .*\n(?:<!--.*\n)?```\w+(?:\{[^}]*\})? \[([^\]#]+\/[^\]#]+)\].*\n[\s\S]*?^```\n:{3,}$/gm;

/** Returns the tags of a page's head that lead to its Markdown and to llms.txt. */
export function assistantTags(path: string, addresses: Addresses): ["link", Record<string, string>][] {
  return [
    ["link", { rel: "alternate", type: "text/markdown", href: markdownAddress(path, addresses) }],
    ["link", { rel: "describedby", type: "text/plain", href: new URL("llms.txt", addresses.site).href }],
  ];
}

/** Converts a page. `address` returns the target of a link or an image, or `undefined` to keep only its text. */
function converted({ path, text }: Source, address: (target: string) => string | undefined): string {
  const title = frontmatter(text, "title");
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "").replace(/ *<!--[\s\S]*?-->\n?/g, "");
  const lines: string[] = path === "index" ? [`# ${title}`, ""] : [];
  let closing: string | undefined;
  for (const line of body.split("\n")) {
    const [, indent = "", ticks = "", info = ""] = fence.exec(line) ?? [];
    if (closing !== undefined) {
      if (line.trim() === closing) closing = undefined;
      lines.push(line);
    } else if (ticks !== "") {
      closing = ticks;
      lines.push(`${indent}${ticks}${plainInfo(info)}`);
    } else if (/^ *:{3,}/.test(line)) {
      const container = /^ *:{3,} *(?:details|tip|warning|danger|info) ?(.*)$/.exec(line)?.[1];
      if (container) lines.push(`**${container}**`, "");
    } else lines.push(withLinks(line, address));
  }
  return `${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

/** Returns the info of a block: its language, and the name of its file. */
function plainInfo(info: string): string {
  const language = /^[\w-]*/.exec(info)?.[0] ?? "";
  const file = /\[([^\]#]*\/[^\]#]*)(?:#[^\]]*)?\]/.exec(info)?.[1];
  const name = file === undefined ? undefined : nameInProject(file);
  return name === undefined ? language : `${language} ${name}`;
}

/** A link or an image, or code in which brackets have no meaning. */
const linkOrCode = /(!?)\[((?:[^[\]\\]|\\.|\[[^\]]*\])*)\]\(([^()\s]+)\)|(`+)[^`]+\4/g;

/** Replaces the targets of links outside of code, and removes tags of anchors. */
function withLinks(line: string, address: (target: string) => string | undefined): string {
  return line
    .replace(/<a id="[^"]*"><\/a>/g, "")
    .replace(linkOrCode, (match, image: string, label: string, target: string | undefined) => {
      if (target === undefined) return match;
      const to = address(target);
      return to === undefined ? label : `${image}[${label}](${to})`;
    });
}

/** Returns the absolute address of a link: of the Markdown of a page, of a file of the site, or of a file of the repository. */
function absolute(page: string, target: string, { site, repository }: Addresses): string {
  if (/^[a-z]+:/.test(target)) return target;
  const [path = "", anchor] = target.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return new URL(`${page}.md${hash}`, site).href;
  const full = posix.join("docs", posix.dirname(page), path);
  if (!full.startsWith("docs/")) return `${repository}/blob/main/${full}${hash}`;
  return new URL(`${full.replace(/^docs\/(public\/)?/, "")}${hash}`, site).href;
}

/** Returns a value of the frontmatter. */
function frontmatter(text: string, key: string): string {
  const head = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? "";
  return (new RegExp(`^${key}: (.+)$`, "m").exec(head)?.[1] ?? "").replace(/^"(.*)"$/, "$1");
}
