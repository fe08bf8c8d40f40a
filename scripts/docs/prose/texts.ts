// Extracts the prose of a file: pages without code, comments, titles of tests, and string literals that are sentences.
import type Token from "markdown-it/lib/token.mjs";
import { ts } from "ts-morph";
import { parsePage } from "../page.ts";
import { titlesIn } from "./titles.ts";

export interface Text {
  text: string;
  /** The line of its first character, counting from 1. */
  line: number;
  kind: "page" | "comment" | "message" | "title";
}

/** Replaces code with a word, and keeps line breaks. */
const hidden = (code: string): string => `x${code.replace(/[^\n]/g, "")}`;

/**
 * Returns the prose of a Markdown page: one text per paragraph, list item or table cell.
 *
 * @param source - the page
 */
export function pageTexts(source: string): Text[] {
  let line = 1;
  return parsePage(source).flatMap(({ type, map, children }) => {
    // Table cells have the position of their row.
    line = map ? map[0] + 1 : line;
    const text = type === "inline" ? (children ?? []).map(inlineText).join("") : "";
    return text === "" ? [] : [{ text, line, kind: "page" as const }];
  });
}

function inlineText({ type, content }: Token): string {
  if (type === "text") return content;
  if (type === "softbreak" || type === "hardbreak") return "\n";
  if (type === "code_inline") return hidden(content);
  if (type === "image") return `[${content}]`;
  return { link_open: "[", link_close: "]" }[type] ?? "";
}

/**
 * Returns the prose of a template: its comments, or all of it if it is a page.
 *
 * @param source - the template
 * @param path - its path, which determines the language
 */
export function templateTexts(source: string, path: string): Text[] {
  const plain = source.replace(/\{\{[\s\S]*?\}\}/g, hidden);
  if (/\.md\.hbs$/.test(path)) return pageTexts(plain);
  const comments = plain.replace(
    /[^\n]+/g,
    (line) => /^\s*(?:#+|\/\/+|\/?\*+)\s?(.*)$/.exec(line)?.[1] ?? trailingOf(line),
  );
  return paragraphs(comments.replace(/`[^`\n]*`/g, hidden));
}

const trailingOf = (line: string): string => /\s(?:#|\/\/)\s(.*)$/.exec(line)?.[1] ?? "";

/**
 * Returns the comments of TypeScript or JavaScript, the titles of tests, and other string literals that are sentences.
 *
 * @param source - the text of the file
 * @param name - its name, whose suffix is that of its language
 */
export function codeTexts(source: string, name = "x.ts"): Text[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest);
  const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line + 1;
  const texts: (Text & { at: number })[] = [];
  const titles = titlesIn(file);
  /** The characters of the code, with spaces in place of verbatim tokens. */
  const code = source.split("");
  const visit = (node: ts.Node): void => {
    if (isVerbatim(node)) code.fill(" ", node.getStart(file), node.end);
    const text = messageOf(node);
    const kind = titles.has(node) ? "title" : "message";
    if (text && (kind === "title" || / [a-z]/.test(text))) {
      const at = node.getStart(file);
      texts.push({ text, line: lineOf(at), kind, at });
    }
    node.forEachChild(visit);
  };
  visit(file);
  // Adjacent line comments are one text.
  let last: { text: Text; next: number } | undefined;
  for (const { 0: comment, index: at } of code.join("").matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)) {
    const text = commentText(source.slice(at, at + comment.length));
    const line = lineOf(at);
    const isLine = comment.startsWith("//") && source.slice(source.lastIndexOf("\n", at) + 1, at).trim() === "";
    if (isLine && last?.next === line) {
      last.text.text += `\n${text}`;
      last.next++;
    } else {
      const added = { text, line, kind: "comment" as const, at };
      texts.push(added);
      last = isLine ? { text: added, next: line + 1 } : undefined;
    }
  }
  return texts
    .sort((one, other) => one.at - other.at)
    .map(({ text, line, kind }) => ({ text: text.replace(/`[^`]*`/g, hidden), line, kind }));
}

/**
 * Returns the comments and titles of a test file or of its helpers. Other string literals are inputs and expected outputs.
 *
 * @param source - the text of the file
 */
export function testTexts(source: string): Text[] {
  return codeTexts(source).filter(({ kind }) => kind !== "message");
}

function commentText(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\*|\/\/+)?\s?/, ""))
    .join("\n")
    .replace(/```[\s\S]*?```/g, hidden)
    .replace(/\{@link ([^}]*)\}/g, "$1");
}

/** Whether a token can contain the characters of comments without being one. */
function isVerbatim(node: ts.Node): boolean {
  return (
    ts.isLiteralExpression(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node) ||
    ts.isJsxText(node)
  );
}

function messageOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join("");
}

function paragraphs(comments: string): Text[] {
  const texts: Text[] = [];
  let line = 1;
  for (const part of comments.split(/(\n\s*\n)/)) {
    const text = part.replace(/^[\s>#*|-]+|\s+$/g, "");
    const before = part.slice(0, part.indexOf(text));
    if (text !== "") texts.push({ text, line: line + lineBreaks(before), kind: "comment" });
    line += lineBreaks(part);
  }
  return texts;
}

const lineBreaks = (text: string): number => text.split("\n").length - 1;
