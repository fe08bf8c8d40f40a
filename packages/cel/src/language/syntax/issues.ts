/** A problem of an expression at an offset in code points; -1 for no position. */
export interface Issue {
  offset: number;
  message: string;
  /** The name that doesn't exist, if that is the problem. */
  unknown?: UnknownName;
}

/** A name that an expression uses, and that refers to nothing. */
export interface UnknownName {
  kind: "field" | "variable" | "function";
  name: string;
  /** The names that exist there, as far as they can be listed. */
  candidates: readonly string[];
}

const maxSnippetLength = 16_384;
const maxIssues = 100;

/**
 * Formats the problems of an expression, with the line and a marker for each.
 *
 * @param source - the expression
 * @param issues - its problems
 * @returns for example `ERROR: <input>:1:5: undefined field 'x'`, followed by the line and the marker
 */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  // An empty source has no line to show, and its position is before the first column.
  if (source === "") return issues.map(({ message }) => `ERROR: <input>:1:0: ${message}`).join("\n");
  const lines = source.split("\n").map((line) => [...line]);
  const located = issues.map((issue) => ({ ...locate(lines, issue.offset), message: issue.message }));
  located.sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = located.slice(0, maxIssues).map((issue) => formatIssue(lines, issue));
  if (located.length > maxIssues) shown.push(`${located.length - maxIssues} more errors were truncated`);
  return shown.join("\n");
}

function locate(lines: readonly string[][], offset: number): { line: number; column: number } {
  if (offset < 0) return { line: -1, column: -1 };
  let start = 0;
  for (const [index, line] of lines.entries()) {
    if (offset <= start + line.length) return { line: index + 1, column: offset - start };
    start += line.length + 1;
  }
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}

function formatIssue(lines: readonly string[][], at: { line: number; column: number; message: string }): string {
  const head = `ERROR: <input>:${at.line}:${at.column + 1}: ${at.message}`;
  const line = lines[at.line - 1];
  if (line === undefined || line.join("").length > maxSnippetLength) return head;
  const wide = (char: string | undefined) => char !== undefined && (char.codePointAt(0) as number) > 0x7f;
  const dots = line.slice(0, at.column).map((char) => (wide(char) ? "．" : "."));
  const marker = wide(line[at.column]) ? "＾" : "^";
  const text = line.map((char) => (char === "\t" ? " " : char)).join("");
  return `${head}\n | ${text}\n | ${dots.join("")}${marker}`;
}
