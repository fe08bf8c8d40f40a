import { type CallExpression, Node, type SourceFile, SyntaxKind } from "ts-morph";
import { ProblemError } from "../../project/problem-error.ts";
import { functionNamed } from "./names.ts";
import { printChain } from "./print.ts";
import { replaceRange } from "./source-file.ts";

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
 * Inserts calls into a chain. It is an error if the chain already has a call of such a method, because it isn't clear which one
 * to keep.
 *
 * @param path the path of the file for the errors
 * @throws ProblemError if the file has no such chain; the hint shows the calls to add by hand
 */
export function extendChain(file: SourceFile, path: string, extension: ChainExtension): void {
  const last = chainEnd(file, extension);
  if (last === undefined) throw noChain(path, extension);
  const links = linksOf(last);
  const methods = extension.calls.map(methodOf);
  const double = links.map(methodOf).find((method) => methods.includes(method));
  if (double !== undefined) {
    throw new ProblemError(
      "call-exists",
      `${path} has a call of ${double} in ${extension.within} already, which PROJECT doesn't record; nothing was changed`,
      "remove it and run the command again, or record it in PROJECT",
    );
  }
  if (!hasComments(last)) {
    layOut(last, [...links.slice(0, -1), ...extension.calls, links.at(-1) ?? ""]);
    return;
  }
  // Preserve comments: insert the calls before the last one, on lines of their own if it has one.
  const receiver = receiverOf(last)?.getEnd() ?? last.getStart();
  const lineBreak = /^\s*\n[ \t]*/.exec(file.getFullText().slice(receiver, last.getEnd()))?.[0];
  replaceRange(file, [receiver, receiver], extension.calls.map((call) => `${lineBreak ?? ""}${call}`).join(""));
}

/** Removes calls from a chain. Changes nothing if the chain is missing or has comments. */
export function shortenChain(file: SourceFile, extension: ChainExtension): void {
  const last = chainEnd(file, extension);
  if (last === undefined || hasComments(last)) return;
  const calls = extension.calls.map(squeeze);
  layOut(
    last,
    linksOf(last).filter((link) => !calls.includes(squeeze(link))),
  );
}

const squeeze = (call: string): string => call.replace(/\s+/g, "").replace(/,\)/g, ")");

/** Whether the chain has comments, which a new layout would lose. */
function hasComments(last: CallExpression): boolean {
  return /\/\/|\/\*/.test(last.getText().replace(/"[^"\n]*"/g, ""));
}

/** Replaces a chain's links. */
function layOut(last: CallExpression, links: readonly string[]): void {
  const file = last.getSourceFile();
  const text = file.getFullText();
  const [start, end] = [last.getStart(), last.getEnd()];
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
  const after = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? "";
  replaceRange(file, [start, end], printChain(links, { indent, before: line.slice(indent.length), after }));
}

/** Returns the call that ends the chain. */
function chainEnd(file: SourceFile, { within, begin, end }: ChainExtension): CallExpression | undefined {
  return functionNamed(file, within)
    ?.getDescendantsOfKind(SyntaxKind.CallExpression)
    .find((call) => {
      const callee = call.getExpression();
      if (!Node.isPropertyAccessExpression(callee) || callee.getName() !== end) return false;
      let first: Node = call;
      for (let next = receiverOf(first); next; next = receiverOf(next)) first = next;
      return Node.isCallExpression(first) && first.getExpression().getText() === begin;
    });
}

/** Returns the value whose method a call calls: `a.b()` for `a.b().c()`. */
function receiverOf(node: Node): Node | undefined {
  const callee = Node.isCallExpression(node) ? node.getExpression() : undefined;
  return Node.isPropertyAccessExpression(callee) ? callee.getExpression() : undefined;
}

/** Splits a chain into its links: `begin(x)`, `.one()`, `.complete()`. */
function linksOf(last: CallExpression): string[] {
  const text = last.getSourceFile().getFullText();
  const links: string[] = [];
  let first: Node = last;
  for (let next = receiverOf(first); next; next = receiverOf(next)) {
    links.unshift(onOneLine(text.slice(next.getEnd(), first.getEnd()).trim()));
    first = next;
  }
  return [first.getText(), ...links];
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

function noChain(path: string, { within, begin, end, calls }: ChainExtension): ProblemError {
  return new ProblemError(
    "missing-chain",
    `${path} has no function ${within} with a chain ${begin}(…).${end}(); nothing was changed`,
    `add one and run the command again, which then adds these calls before ${end}:\n${calls.map((call) => `    ${call}`).join("\n")}`,
  );
}
