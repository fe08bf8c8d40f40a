import type { CallExpression, Node } from "oxc-parser";
import { ProblemError } from "../../project/problem-error.ts";
import { type Edit, indentAt, lineWidth } from "./edits.ts";
import type { Code } from "./parse.ts";
import { descendants, functionNamed } from "./search.ts";

/** Calls to insert into a chain such as `begin(x).one().complete()`, before its last call. */
export interface ChainExtension {
  /** The function that contains the chain. */
  readonly within: string;
  /** The function that begins the chain. */
  readonly begin: string;
  /** The method that ends the chain. */
  readonly end: string;
  /** The calls, each with its dot: `.withDefaulter(new A())`. */
  readonly calls: readonly string[];
}

/**
 * Returns the edits that insert calls into a chain. It is an error if the chain already has a call of such a method, because
 * it isn't clear which one to keep.
 *
 * @throws ProblemError if the file has no such chain; the hint shows the calls to add by hand
 */
export function extendChain(code: Code, extension: ChainExtension): Edit[] {
  const body = functionNamed(code, extension.within);
  const last = body && chainEnd(body, extension);
  if (last === undefined) throw noChain(code, extension);
  const links = linksOf(code, last);
  const methods = extension.calls.map(methodOf);
  const double = links.map(methodOf).find((method) => methods.includes(method));
  if (double !== undefined) {
    throw new ProblemError(
      "call-exists",
      `${code.path} has a call of ${double} in ${extension.within} already, which PROJECT doesn't record; nothing was changed`,
      "remove it and run the command again, or record it in PROJECT",
    );
  }
  if (isPlain(code, last)) return [relaid(code, last, [...links.slice(0, -1), ...extension.calls, links.at(-1) ?? ""])];
  // Preserve comments: insert the calls before the last one, on lines of their own if it has one.
  const receiver = receiverOf(last);
  const lineBreak = /^\s*\n[ \t]*/.exec(code.text.slice(receiver.end, last.end))?.[0];
  const text = extension.calls.map((call) => `${lineBreak ?? ""}${call}`).join("");
  return [{ start: receiver.end, end: receiver.end, text }];
}

/** Returns the edits that remove calls from a chain; none if the chain is missing or changed. */
export function shortenChain(code: Code, { within, begin, end, calls }: ChainExtension): Edit[] {
  const body = functionNamed(code, within);
  const last = body && chainEnd(body, { begin, end });
  if (last === undefined || !isPlain(code, last)) return [];
  const links = linksOf(code, last);
  const squeezed = calls.map(squeeze);
  return [
    relaid(
      code,
      last,
      links.filter((link) => !squeezed.includes(squeeze(link))),
    ),
  ];
}

const squeeze = (call: string): string => call.replace(/\s+/g, "").replace(/,\)/g, ")");

/** Whether the chain has no comments, which a new layout would lose. */
function isPlain(code: Code, last: CallExpression): boolean {
  return !/\/\/|\/\*/.test(code.text.slice(last.start, last.end).replace(/"[^"\n]*"/g, ""));
}

/**
 * Returns a chain of calls on one line, or with a line per call if it is too long.
 *
 * @param links the beginning of the chain, and each call with its dot
 * @param line the rest of its line: the indentation, and the texts before and after the chain
 */
export function printChain(
  links: readonly string[],
  { indent, before, after }: { readonly indent: string; readonly before: string; readonly after: string },
): string {
  const line = links.join("");
  return `${indent}${before}${line}${after}`.length <= lineWidth ? line : links.join(`\n${indent}  `);
}

/** Returns the edit that replaces a chain's links. */
function relaid(code: Code, last: CallExpression, links: readonly string[]): Edit {
  const { text } = code;
  const indent = indentAt(text, last.start);
  const before = text.slice(text.lastIndexOf("\n", last.start - 1) + 1 + indent.length, last.start);
  const after = /^[^\r\n]*/.exec(text.slice(last.end))?.[0] ?? "";
  return { start: last.start, end: last.end, text: printChain(links, { indent, before, after }) };
}

/** Returns the call that ends the chain. */
function chainEnd(body: Node, { begin, end }: Pick<ChainExtension, "begin" | "end">): CallExpression | undefined {
  return descendants(body).find((node): node is CallExpression => {
    if (node.type !== "CallExpression" || methodName(node) !== end) return false;
    let at: Node = node;
    while (at.type === "CallExpression" && at.callee.type === "MemberExpression") at = at.callee.object;
    return at.type === "CallExpression" && at.callee.type === "Identifier" && at.callee.name === begin;
  });
}

function methodName(node: CallExpression): string | undefined {
  const { callee } = node;
  return callee.type === "MemberExpression" && !callee.computed && callee.property.type === "Identifier"
    ? callee.property.name
    : undefined;
}

function receiverOf(node: CallExpression): Node {
  return (node.callee as Extract<Node, { type: "MemberExpression" }>).object;
}

/** Splits a chain into its links: `begin(x)`, `.one()`, `.complete()`. */
function linksOf(code: Code, last: CallExpression): string[] {
  const links: string[] = [];
  let at: Node = last;
  while (at.type === "CallExpression" && at.callee.type === "MemberExpression") {
    const receiver: Node = at.callee.object;
    links.unshift(onOneLine(code.text.slice(receiver.end, at.end).trim()));
    at = receiver;
  }
  return [code.text.slice(at.start, at.end), ...links];
}

/** Joins a call whose only argument has a line of its own, which is how the formatter breaks long calls. */
function onOneLine(link: string): string {
  const [, call, inside] = /^(\.\w+)\(([\s\S]*)\)$/.exec(link) ?? [];
  if (call === undefined || inside === undefined) return link;
  const argument = inside.trim();
  const [before, after] = [
    inside.slice(0, inside.length - inside.trimStart().length),
    inside.slice(inside.trimEnd().length),
  ];
  if (argument === "" || argument.includes("\n") || !before.includes("\n") || !after.includes("\n")) return link;
  return `${call}(${argument.replace(/(?<=.),$/, "")})`;
}

function methodOf(link: string): string {
  return /^\.\s*(\w+)/.exec(link)?.[1] ?? "";
}

function noChain(code: Code, { within, begin, end, calls }: ChainExtension): ProblemError {
  return new ProblemError(
    "missing-chain",
    `${code.path} has no function ${within} with a chain ${begin}(…).${end}(); nothing was changed`,
    `add one and run the command again, which then adds these calls before ${end}:\n${calls.map((call) => `    ${call}`).join("\n")}`,
  );
}
