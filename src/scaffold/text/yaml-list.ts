import { isMap, isScalar, isSeq, type Scalar } from "yaml";
import { ProblemError } from "../../project/problem-error.ts";
import { editDocument } from "../../yaml/document.ts";

/**
 * Appends missing entries to a top-level list of a YAML file. Preserves the rest of the text, including comments and empty
 * lines.
 *
 * @throws ProblemError if the file has no such list; the hint shows the lines to add by hand
 */
export function appendToList(text: string, file: string, key: string, entries: readonly string[]): string {
  const document = editDocument(text);
  const list = isMap(document.contents) ? document.get(key) : undefined;
  if (document.errors.length > 0 || !isSeq(list) || list.flow === true || list.items.length === 0) {
    throw new ProblemError(
      "missing-list",
      `${file} has no list "${key}" that entries can be added to; nothing was changed`,
      `add one and run the command again, which then adds these entries:\n${entries.map((entry) => `    - ${entry}`).join("\n")}`,
    );
  }
  const present = new Set((list.toJSON() as unknown[]).map(String));
  const missing = entries.filter((entry) => !present.has(entry));
  if (missing.length === 0) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const last = list.items.at(-1) as { range?: [number, number, number] };
  const lineStart = text.lastIndexOf("\n", (last.range?.[0] ?? 0) - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? "";
  const at = endOfComments(text, last.range?.[1] ?? text.length);
  const head = text.slice(0, at);
  const lines = missing.map((entry) => `${indent}- ${entry}${eol}`).join("");
  return `${head}${head.endsWith("\n") ? "" : eol}${lines}${text.slice(at)}`;
}

/**
 * Removes scalar entries from a top-level list of a YAML file, with their lines. Returns the text unchanged if it is
 * invalid, or if the list would become empty, which YAML would no longer parse as a list.
 */
export function removeFromList(text: string, key: string, entries: readonly string[]): string {
  const document = editDocument(text);
  const list = isMap(document.contents) ? document.get(key) : undefined;
  if (document.errors.length > 0 || !isSeq(list) || list.flow === true) return text;
  const gone = list.items.filter((item) => isScalar(item) && entries.includes(String(item.value)));
  if (gone.length === list.items.length) return text;
  // Edit from the last to the first, so that positions stay valid.
  const starts = gone.map((item) => text.lastIndexOf("\n", ((item as Scalar).range?.[0] ?? 0) - 1) + 1).reverse();
  let rest = text;
  for (const start of starts) {
    const end = rest.indexOf("\n", start);
    rest = rest.slice(0, start) + (end < 0 ? "" : rest.slice(end + 1));
  }
  return rest;
}

/**
 * Returns the position after a value's line and the comment lines directly below it, which introduce the next anchor or
 * entry.
 */
function endOfComments(text: string, from: number): number {
  let at = text.indexOf("\n", from - (text[from - 1] === "\n" ? 1 : 0));
  if (at < 0) return text.length;
  at++;
  for (;;) {
    const line = /^[ \t]*#[^\n]*(\n|$)/.exec(text.slice(at))?.[0];
    if (line === undefined || line === "") return at;
    at += line.length;
  }
}
