import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../../project/problem-error.ts";
import { isComment } from "../../text/typescript.ts";
import type { Tree } from "../files/tree.ts";

export const boilerplatePath = "hack/boilerplate.txt";

/** The available license headers. */
export const licenses = ["apache2", "copyright", "none"] as const;
export type License = (typeof licenses)[number];

/** Returns the text of `hack/boilerplate.txt`, with the placeholder YEAR; empty for `none`. */
export function boilerplate(templates: string, license: License, owner: string | undefined): string {
  if (license === "none") return "";
  const text = readFileSync(join(templates, "license", `${license}.txt`), "utf8");
  const plain = text.replace("OWNER", "");
  return owner === undefined ? plain : (withOwner(plain, owner) ?? plain);
}

const copyright = /^(.*\bCopyright YEAR\b)(?: (.*?))?\.?$/m;

/** Returns the copyright owner in the text of `hack/boilerplate.txt`, or undefined if there is none. */
export function ownerOf(text: string): string | undefined {
  return copyright.exec(text)?.[2];
}

/** Returns the text with another owner, or undefined if it has no copyright line. */
export function withOwner(text: string, owner: string): string | undefined {
  if (!copyright.test(text)) return undefined;
  return text.replace(copyright, (_, head: string) => `${head} ${owner.replace(/\.$/, "")}.`);
}

/**
 * Returns the license header of a scaffolded file: the text with its year, without the last line break.
 *
 * @throws ProblemError if the text contains more than comments, which would run as code in each file
 */
export function fileHeader(text: string | undefined, year: number): string {
  const header = withYear(text ?? "", year);
  if (isComment(header)) return header;
  throw new ProblemError(
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

/** Returns the license header from the project's boilerplate. */
export function projectHeader(tree: Tree, year: number): string {
  return fileHeader(tree.readText(boilerplatePath), year);
}

/** Whitespace and comments at the beginning of a source file. */
const beginning = /^(?:\s+|\/\*[\s\S]*?\*\/|\/\/.*)*/;

/**
 * Returns a scaffolded text with the license header and year that the file was created with. The current
 * `hack/boilerplate.txt` applies to new files; `edit --license` changes existing ones.
 *
 * @param made the text that was previously scaffolded for the file
 * @param header the header that `text` has, empty for none
 */
export function withHeadOf(made: string, text: string, header: string): string {
  const body = text.slice(header.length).trimStart();
  const comments = beginning.exec(body)?.[0] ?? "";
  const before = beginning.exec(made)?.[0] ?? "";
  // The comments between header and code have changed, so the end of the old header is unknown.
  if (!text.startsWith(header) || !before.endsWith(comments)) return withYearOf(made, text);
  return before.slice(0, before.length - comments.length) + body;
}

/** Returns a text whose header has the year in which the file was created, so that scaffolding again doesn't change it. */
export function withYearOf(made: string, text: string): string {
  const year = /Copyright (\d{4})\b/.exec(made)?.[1];
  return year === undefined ? text : text.replace(/Copyright \d{4}\b/, `Copyright ${year}`);
}

/** Whether a text begins with the header from a boilerplate, with any year. */
export function hasHead(text: string, boilerplate: string): boolean {
  return text.replaceAll("\r\n", "\n").startsWith(withYear(boilerplate, yearOf(text)));
}

function yearOf(text: string): number {
  return Number(/Copyright (\d{4})\b/.exec(text)?.[1] ?? new Date().getFullYear());
}

/** Replaces the header of a text if it is the one from the boilerplate; keeps the year. */
export function withHead(text: string, before: string, after: string): string {
  const year = yearOf(text);
  const [old, head] = [withYear(before, year), fileHeader(after, year)];
  if (old === "" || !text.startsWith(old)) return text;
  const rest = text.slice(old.length);
  return head === "" ? rest.trimStart() : head + rest;
}
