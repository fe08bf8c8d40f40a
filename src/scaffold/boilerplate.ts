import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isComment } from "../text/typescript.ts";
import { ScaffoldError } from "./scaffold-error.ts";
import type { Tree } from "./tree.ts";

export const boilerplatePath = "hack/boilerplate.txt";

/** Licences that a project can carry in the head of each file. */
export const licenses = ["apache2", "copyright", "none"] as const;
export type License = (typeof licenses)[number];

/** The text of `hack/boilerplate.txt`: with the placeholder YEAR, or empty for `none`. */
export function boilerplate(templates: string, license: License, owner: string | undefined): string {
  if (license === "none") return "";
  const text = readFileSync(join(templates, "license", `${license}.txt`), "utf8");
  const plain = text.replace("OWNER", "");
  return owner === undefined ? plain : (withOwner(plain, owner) ?? plain);
}

const copyright = /^(.*\bCopyright YEAR\b)(?: (.*?))?\.?$/m;

/** Who holds the copyright by the text of `hack/boilerplate.txt`; undefined where it names nobody. */
export function ownerOf(text: string): string | undefined {
  return copyright.exec(text)?.[2];
}

/** The same text with another owner; undefined where no line has the place of one. */
export function withOwner(text: string, owner: string): string | undefined {
  if (!copyright.test(text)) return undefined;
  return text.replace(copyright, (_, head: string) => `${head} ${owner.replace(/\.$/, "")}.`);
}

/**
 * What stands at the top of a scaffolded file: the text with its year, without the last line break.
 *
 * @throws ScaffoldError if the text is more than comments: it would run as code of each file
 */
export function fileHeader(text: string | undefined, year: number): string {
  const header = withYear(text ?? "", year);
  if (isComment(header)) return header;
  throw new ScaffoldError(
    "bad-boilerplate",
    `${boilerplatePath} can't be used: it is the license header of each file, and must contain only comments`,
    "begin each line with //, or enclose the text in /* and */",
  );
}

function withYear(text: string, year: number): string {
  return text
    .replace(/\bYEAR\b/g, String(year))
    .replaceAll("\r\n", "\n")
    .trim();
}

/** The header that the project's own boilerplate asks for. */
export function projectHeader(tree: Tree, year: number): string {
  return fileHeader(tree.readText(boilerplatePath), year);
}

/** The blank lines and comments that a source file begins with. */
const beginning = /^(?:\s+|\/\*[\s\S]*?\*\/|\/\/.*)*/;

/**
 * A scaffolded text with the head, and its year, that a file was made with: what stands in `hack/boilerplate.txt` by now is for
 * new files, and `edit --license` is for the others.
 *
 * @param made what was scaffolded for the file before
 * @param header the head that the text has now, empty for none
 */
export function withHeadOf(made: string, text: string, header: string): string {
  const body = text.slice(header.length).trimStart();
  const comments = beginning.exec(body)?.[0] ?? "";
  const before = beginning.exec(made)?.[0] ?? "";
  // Other comments than now stood between the head and the code: where the head ends is not to be seen.
  if (!text.startsWith(header) || !before.endsWith(comments)) return withYearOf(made, text);
  return before.slice(0, before.length - comments.length) + body;
}

/** A text with the year in its head that a file was made in: a later scaffold doesn't change it. */
export function withYearOf(made: string, text: string): string {
  const year = /Copyright (\d{4})\b/.exec(made)?.[1];
  return year === undefined ? text : text.replace(/Copyright \d{4}\b/, `Copyright ${year}`);
}

/** Whether a text has the head that a boilerplate gives it, in whatever year. */
export function hasHead(text: string, boilerplate: string): boolean {
  return text.replaceAll("\r\n", "\n").startsWith(withYear(boilerplate, yearOf(text)));
}

function yearOf(text: string): number {
  return Number(/Copyright (\d{4})\b/.exec(text)?.[1] ?? new Date().getFullYear());
}

/** A text with another head, where it has the one that the boilerplate gave it; the year stays. */
export function withHead(text: string, before: string, after: string): string {
  const year = yearOf(text);
  const [old, head] = [withYear(before, year), fileHeader(after, year)];
  if (old === "" || !text.startsWith(old)) return text;
  const rest = text.slice(old.length);
  return head === "" ? rest.trimStart() : head + rest;
}
