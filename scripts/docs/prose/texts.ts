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
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line + 1;
  const texts: Text[] = [];
  const seen = new Set<number>();
  const titles = titlesIn(file);
  const addComments = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ];
    const fresh = ranges.filter(({ pos }) => !seen.has(pos));
    for (const { pos } of fresh) seen.add(pos);
    // Adjacent line comments are one text.
    let last: Text | undefined;
    for (const { pos, end, kind } of fresh.sort((a, b) => a.pos - b.pos)) {
      const text = commentText(source.slice(pos, end));
      const line = lineOf(pos);
      const isNext =
        last && kind === ts.SyntaxKind.SingleLineCommentTrivia && line === last.line + last.text.split("\n").length;
      if (last && isNext) last.text += `\n${text}`;
      else {
        last = { text, line, kind: "comment" };
        texts.push(last);
      }
    }
  };
  const visit = (node: ts.Node): void => {
    addComments(node);
    const text = messageOf(node);
    const kind = titles.has(node) ? "title" : "message";
    if (text && (kind === "title" || / [a-z]/.test(text))) texts.push({ text, line: lineOf(node.getStart()), kind });
    node.getChildren().forEach(visit);
  };
  visit(file);
  return texts.map((each) => ({ ...each, text: each.text.replace(/`[^`]*`/g, hidden) }));
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
