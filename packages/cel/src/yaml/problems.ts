import type { YAMLException } from "js-yaml";
import { tagOf } from "./scalars.ts";

/** A problem as Go's library names it. Its line is that of the scanner, or one less if the parser finds the problem. */
interface Problem {
  text: string;
  line: number;
}

/**
 * Translates an error of the library to that of Go's library.
 *
 * @param error - the error
 * @param document - the text
 * @returns the message, for example `yaml: line 6: did not find expected key`
 */
export function yamlProblem(error: YAMLException, document: string): string {
  const { text, line } = problemOf(error, document);
  return line === 0 ? `yaml: ${text}` : `yaml: line ${line}: ${text}`;
}

function problemOf({ reason, mark }: YAMLException, text: string): Problem {
  if (/non-printable/.test(reason)) return { text: "control characters are not allowed", line: 0 };
  const alias = /^unidentified alias "(.*)"$/.exec(reason)?.[1];
  if (alias !== undefined) return { text: `unknown anchor '${alias}' referenced`, line: 0 };
  if (mark === undefined) return { text: reason, line: 0 };
  if (/cannot merge mappings/.test(reason)) {
    return { text: "map merge requires map or sequence of maps as the value", line: 0 };
  }
  const tag = /cannot resolve a node with !<tag:yaml\.org,2002:(\w+)> explicit tag/.exec(reason)?.[1];
  const scalar = tag && new RegExp(`!!${tag}[ \\t]+('[^']*'|"[^"]*"|[^,\\]}\\n]+)`).exec(text)?.[1];
  if (scalar) {
    const value = scalar.trim().replace(/^(['"])(.*)\1$/, "$2");
    const valueTag = value === scalar.trim() ? tagOf(value) : "!!str";
    return { text: `cannot decode ${valueTag} \`${value}\` as a !!${tag}`, line: 0 };
  }
  const { line, position } = mark;
  const character = text[position] ?? "";
  const scanner = (problem: string, at = line): Problem => ({ text: problem, line: at === 0 ? 0 : at + 1 });
  const parser = (problem: string, at = line): Problem => ({ text: problem, line: at });
  // Like the library's, lines of these errors count from 0. The end of a document has a line of its own.
  const end = text.split("\n").length - 1;
  const streamEnd = text.endsWith("\n") ? end : end + 1;
  if (/within a (?:double|single) quoted scalar/.test(reason)) return scanner("found unexpected end of stream", end);
  if (/flow collection|unexpected end of the stream/.test(reason) && position >= text.trimEnd().length) {
    if (/[[{,]\s*$/.test(text)) return parser("did not find expected node content", streamEnd);
    return parser(`did not find expected ',' or '${unclosed(text)}'`, streamEnd);
  }
  if (/a colon is missed/.test(reason)) return scanner("could not find expected ':'", line + 1);
  if (/a document separator is expected/.test(reason)) return scanner("could not find expected ':'", streamEnd);
  if (/hexadecimal/.test(reason)) return scanner("did not find expected hexdecimal number");
  if (/unknown escape/.test(reason)) return scanner("found unknown escape character");
  if (/tab characters/.test(reason) || /[\t@`%]/.test(character)) {
    return scanner("found character that cannot start any token");
  }
  if (/node content/.test(reason)) return parser("did not find expected node content", lineAt(text, position - 1));
  if (character === "}" || character === "]") return parser("did not find expected node content");
  if (/bad indentation of a mapping entry|mapping values are not allowed/.test(reason)) {
    if (character === ":") return scanner("mapping values are not allowed in this context");
    return parser(`did not find expected ${followsItem(text, position) ? "'-' indicator" : "key"}`);
  }
  return { text: reason, line: Math.min(line, text.trimEnd().split("\n").length - 1) + 1 };
}

const lineAt = (text: string, position: number): number => text.slice(0, Math.max(position, 0)).split("\n").length - 1;

/** Finds the end of the innermost collection that a document doesn't end. */
function unclosed(text: string): string {
  const open: string[] = [];
  // A quote without an end is a part of a text without quotes. It isn't searched again.
  const openQuotes = new Set<string>();
  const token = /["'[\]{}]/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [opened] = match;
    if (opened === "[" || opened === "{") open.push(opened);
    else if (opened === "]" || opened === "}") open.pop();
    else if (!openQuotes.has(opened)) {
      const end = endOfQuoted(text, match.index);
      if (end === undefined) openQuotes.add(opened);
      else token.lastIndex = end + 1;
    }
  }
  return open.at(-1) === "[" ? "]" : "}";
}

function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at++) {
    const isEscape = quote === '"' ? text[at] === "\\" : text[at] === "'" && text[at + 1] === "'";
    if (isEscape) at++;
    else if (text[at] === quote) return at;
  }
  return undefined;
}

/** Reports whether a line has the indentation of the item of a list before it. */
function followsItem(text: string, position: number): boolean {
  const before = text.slice(0, position).split("\n");
  const indentation = (before.pop() as string).length;
  const item = before.reverse().find((line) => line.trim() !== "" && line.search(/\S/) <= indentation);
  return item !== undefined && /^\s*-(?:\s|$)/.test(item) && item.search(/\S/) === indentation;
}
