// The prose of a file: pages without code, comments, and string literals that are sentences.
import { ts } from "ts-morph";

export interface Text {
  text: string;
  /** Line of its first character, from 1. */
  line: number;
  kind: "page" | "comment" | "message";
}

/** Replaces code by a word, and keeps the line breaks. */
const hidden = (code: string): string => `x${code.replace(/[^\n]/g, "")}`;

/**
 * Returns the prose of a page in Markdown: one text per paragraph, list item or table cell.
 *
 * @param source - the page
 */
export function pageTexts(source: string): Text[] {
  const plain = source
    .replace(/^---\n[\s\S]*?\n---\n/, hidden)
    .replace(/^([ \t]*)(```+|~~~+)[\s\S]*?^\1\2[ \t]*$/gm, hidden)
    .replace(/<!--[\s\S]*?-->/g, hidden)
    .replace(/(`+)[^`][\s\S]*?\1/g, hidden)
    .replace(/\]\([^)]*\)/g, "]");
  return textsOf(plain, /\n\s*\n|\n(?=\s*(?:[-*|>#]|\d+\. ))|\|/, "page");
}

/**
 * Returns the prose of a template: its comments, or all of it for a page.
 *
 * @param source - the template
 * @param path - its path, by which the language is found
 */
export function templateTexts(source: string, path: string): Text[] {
  const plain = source.replace(/\{\{[\s\S]*?\}\}/g, hidden);
  if (/\.md\.hbs$/.test(path)) return pageTexts(plain);
  const comments = plain.replace(
    /[^\n]+/g,
    (line) => /^\s*(?:#+|\/\/+|\/?\*+)\s?(.*)$/.exec(line)?.[1] ?? trailingOf(line),
  );
  return textsOf(comments.replace(/`[^`\n]*`/g, hidden), /\n\s*\n/, "comment");
}

const trailingOf = (line: string): string => /\s(?:#|\/\/)\s(.*)$/.exec(line)?.[1] ?? "";

/**
 * Returns the comments of TypeScript or JavaScript, and its string literals that are sentences.
 *
 * @param source - the text of the file
 */
export function codeTexts(source: string): Text[] {
  const file = ts.createSourceFile("x.ts", source, ts.ScriptTarget.Latest, true);
  const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line + 1;
  const texts: Text[] = [];
  const seen = new Set<number>();
  const addComments = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ];
    const fresh = ranges.filter(({ pos }) => !seen.has(pos));
    for (const { pos } of fresh) seen.add(pos);
    // Line comments below each other are one text.
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
    const message = messageOf(node);
    if (message && / [a-z]/.test(message))
      texts.push({ text: message, line: lineOf(node.getStart()), kind: "message" });
    node.getChildren().forEach(visit);
  };
  visit(file);
  return texts.map((each) => ({ ...each, text: each.text.replace(/`[^`]*`/g, hidden) }));
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

function textsOf(plain: string, between: RegExp, kind: Text["kind"]): Text[] {
  const texts: Text[] = [];
  let at = 0;
  let line = 1;
  for (const separator of [...plain.matchAll(new RegExp(between, "g")), undefined]) {
    const end = separator?.index ?? plain.length;
    const raw = plain.slice(at, end);
    const text = raw.replace(/^[\s>#*|-]+|\s+$/g, "");
    const first = line + (raw.slice(0, raw.indexOf(text)).match(/\n/g)?.length ?? 0);
    if (text !== "") texts.push({ text, line: first, kind });
    line += plain.slice(at, end + (separator?.[0].length ?? 0)).match(/\n/g)?.length ?? 0;
    at = end + (separator?.[0].length ?? 0);
  }
  return texts;
}
