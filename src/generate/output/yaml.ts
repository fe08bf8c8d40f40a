import { sortKeys } from "./yaml-keys.ts";
import { NumberSpelling, writeNumber } from "./yaml-number.ts";
import { isSimpleKey, writeString } from "./yaml-scalar.ts";

/** The text of a document without a leading `---`, or a problem. */
export type YamlResult = { readonly text: string } | { readonly problem: string };

/**
 * Formats JSON-like data exactly as sigs.k8s.io/yaml does: keys sorted, lists not indented below their key, text folded after
 * column 80. Numbers may be bigints. Undefined properties are omitted; NaN, infinities and characters that YAML can't
 * represent are problems.
 */
export function toYaml(value: unknown): YamlResult {
  if (!isWritable(value)) return { problem: findProblem(value, "") ?? "invalid document" };
  const out: Output = { text: "", endsLine: true };
  writeNode(out, value, -2, 0, "line");
  const text = out.text.startsWith(" ") ? out.text.slice(1) : out.text;
  return { text: text.endsWith("\n") ? text : `${text}\n` };
}

/** Delete, the C1 controls (except NEL), U+FFFE and U+FFFF: sigs.k8s.io/yaml rejects them when it reads its JSON back. */
const REFUSED = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Returns whether a value has no problem; much faster than finding one. */
function isWritable(value: unknown): boolean {
  if (typeof value === "string") return !REFUSED.test(value);
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return typeof value === "boolean" || typeof value === "bigint";
  if (value === null || value instanceof NumberSpelling) return true;
  if (Array.isArray(value)) return value.every(isWritable);
  for (const key of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[key];
    if (part !== undefined && (REFUSED.test(key) || !isWritable(part))) return false;
  }
  return true;
}

function findProblem(value: unknown, path: string): string | undefined {
  const where = path === "" ? "" : ` at ${path.slice(1)}`;
  if (typeof value === "string") {
    return REFUSED.test(value) ? `YAML doesn't allow the control character in a string${where}` : undefined;
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : `YAML documents can't contain the number ${value}${where}`;
  }
  if (value === null || typeof value === "boolean" || typeof value === "bigint" || value instanceof NumberSpelling) {
    return undefined;
  }
  if (Array.isArray(value)) return firstProblem(value.entries(), path);
  if (typeof value !== "object") return `a ${typeof value} isn't valid data${where}`;
  for (const key of Object.keys(value)) {
    if (REFUSED.test(key)) return `YAML doesn't allow the control character in a key${where}`;
  }
  return firstProblem(Object.entries(value), path);
}

function firstProblem(entries: Iterable<[string | number, unknown]>, path: string): string | undefined {
  for (const [key, part] of entries) {
    if (part === undefined && typeof key === "string") continue;
    const problem = findProblem(part, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Output {
  text: string;
  /** Whether the text ends with a line break, which only block scalars cause. Testing the text itself is slow. */
  endsLine: boolean;
}

/**
 * The context of a collection. After `line`, its first entry may be on the same line: at the document's start, after `-`,
 * and after `?` and `:` of long keys. After `key`, it may not, and lists aren't indented.
 */
type Behind = "line" | "key";

/** Writes a node. `indent` is that of the collection around the node, `column` the current position in the line. */
function writeNode(out: Output, value: unknown, indent: number, column: number, behind: Behind): void {
  if (Array.isArray(value)) {
    if (value.length === 0) out.text += " []";
    else writeList(out, value, behind === "key" ? indent : indent + 2, column, behind);
  } else if (value !== null && typeof value === "object" && !(value instanceof NumberSpelling)) {
    const map = value as Record<string, unknown>;
    const keys = sortKeys(Object.keys(map).filter((key) => map[key] !== undefined));
    if (keys.length === 0) out.text += " {}";
    else writeMap(out, map, keys, indent + 2, column, behind);
  } else {
    const written = writeScalar(value, indent, column);
    out.text += ` ${written}`;
    out.endsLine = written.endsWith("\n");
  }
}

function writeScalar(value: unknown, indent: number, column: number): string {
  switch (typeof value) {
    case "string":
      return writeString(asRead(value), { column: column + 1, indent: indent + 2, isKey: false });
    case "number":
      return writeNumber(JSON.stringify(value));
    case "bigint":
      return writeNumber(value.toString());
    default:
      return value instanceof NumberSpelling ? writeNumber(value.spelling) : String(value);
  }
}

function writeList(out: Output, items: readonly unknown[], indent: number, column: number, behind: Behind): void {
  let isFirst = behind === "line";
  for (const item of items) {
    startEntry(out, indent, isFirst ? column : -1);
    isFirst = false;
    out.text += "-";
    writeNode(out, item, indent, indent + 1, "line");
  }
}

function writeMap(
  out: Output,
  map: Record<string, unknown>,
  keys: readonly string[],
  indent: number,
  column: number,
  behind: Behind,
): void {
  let isFirst = behind === "line";
  for (const rawKey of keys) {
    startEntry(out, indent, isFirst ? column : -1);
    isFirst = false;
    const key = asRead(rawKey);
    if (isSimpleKey(key)) {
      const written = writeString(key, { column: indent, indent, isKey: true });
      out.text += `${written}:`;
      writeNode(out, map[rawKey], indent, indent + written.length + 1, "key");
    } else {
      out.text += "?";
      writeNode(out, key, indent, indent + 1, "line");
      startEntry(out, indent, -1);
      out.text += ":";
      writeNode(out, map[rawKey], indent, indent + 1, "line");
    }
  }
}

/** Continues the current line up to the column, or starts a new line; then indents. */
function startEntry(out: Output, indent: number, column: number): void {
  if (column >= 0) out.text += spaces(indent - column);
  else out.text += `${out.endsLine ? "" : "\n"}${spaces(indent)}`;
  out.endsLine = false;
}

const SPACES = " ".repeat(64);

function spaces(count: number): string {
  return count <= SPACES.length ? SPACES.slice(0, Math.max(0, count)) : " ".repeat(count);
}

/**
 * Returns the string as sigs.k8s.io/yaml reads it back from its own JSON. Go's JSON has no lone surrogates. A next-line
 * character is a line break there, folded into a space; several become one fewer line feeds.
 */
function asRead(text: string): string {
  if (!/[\u0085\ud800-\udfff]/.test(text)) return text;
  return text
    .replace(/\p{Cs}/gu, "\ufffd")
    .replace(/(?<! ) *\u0085[\u0085 ]*/g, (breaks) => "\n".repeat(breaks.replaceAll(" ", "").length - 1) || " ");
}
