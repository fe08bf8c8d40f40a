import { sortKeys } from "./yaml-keys.ts";
import { NumberSpelling, writeNumber } from "./yaml-number.ts";
import { isSimpleKey, writeString } from "./yaml-scalar.ts";

/** The text of a document without a leading `---`, or why there is none. */
export type YamlResult = { readonly text: string } | { readonly problem: string };

/**
 * Writes JSON-like data exactly as sigs.k8s.io/yaml does: keys sorted, lists not indented under their key, text folded
 * behind column 80. Numbers may be bigints. Undefined properties are left out; NaN, infinities and characters that
 * YAML can't hold are problems.
 */
export function toYaml(value: unknown): YamlResult {
  if (!isWritable(value)) return { problem: findProblem(value, "") ?? "the document can't be written" };
  const out: string[] = [];
  writeNode(out, value, { indent: 0, column: 0, isInline: true, inMapping: false });
  const text = out.join("").replace(/^ /, "");
  return { text: text.endsWith("\n") ? text : `${text}\n` };
}

/** Delete and the C1 controls (but NEL) and U+FFFE, U+FFFF: the reader that the reference sends its JSON through refuses them. */
const REFUSED = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/** Whether there is no problem to be found; far faster than to find one. */
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
    return REFUSED.test(value) ? `YAML can't hold the control character in a string${where}` : undefined;
  }
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : `YAML documents can't hold the number ${value}${where}`;
  }
  if (value === null || typeof value === "boolean" || typeof value === "bigint" || value instanceof NumberSpelling) {
    return undefined;
  }
  if (Array.isArray(value)) return firstProblem(value.entries(), path);
  if (typeof value !== "object") return `a ${typeof value} is no data${where}`;
  for (const key of Object.keys(value)) {
    if (REFUSED.test(key)) return `YAML can't hold the control character in a key${where}`;
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

interface Place {
  /** Indentation of the collection that the node is in. */
  readonly indent: number;
  /** Column behind what is on the line already. */
  readonly column: number;
  /** Whether a block collection may begin on this line: after `-`, and after `?` and `:` of long keys. */
  readonly isInline: boolean;
  /** Lists right under a key are not indented. */
  readonly inMapping: boolean;
}

function writeNode(out: string[], value: unknown, place: Place): void {
  if (Array.isArray(value)) {
    if (value.length === 0) out.push(" []");
    else writeList(out, value, place);
    return;
  }
  if (value !== null && typeof value === "object" && !(value instanceof NumberSpelling)) {
    const keys = Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
    if (keys.length === 0) out.push(" {}");
    else writeMap(out, value as Record<string, unknown>, sortKeys(keys), place);
    return;
  }
  out.push(` ${writeScalar(value, place)}`);
}

function writeScalar(value: unknown, { indent, column }: Place): string {
  switch (typeof value) {
    case "string":
      return writeString(wellFormed(value), { column: column + 1, indent: indent + 2, isKey: false });
    case "number":
      return writeNumber(JSON.stringify(value));
    case "bigint":
      return writeNumber(value.toString());
    default:
      return value instanceof NumberSpelling ? writeNumber(value.spelling) : String(value);
  }
}

/** Begins the entries of a block collection: the first may stand on the line that is begun, the others get their own. */
function entryStarter(out: string[], indent: number, place: Place): () => void {
  const lead = " ".repeat(indent);
  let first = place.isInline;
  return () => {
    if (first) out.push(" ".repeat(Math.max(0, indent - place.column)));
    else out.push(endsLine(out) ? lead : `\n${lead}`);
    first = false;
  };
}

function endsLine(out: readonly string[]): boolean {
  return out.length === 0 || out.at(-1)!.endsWith("\n");
}

function writeList(out: string[], items: readonly unknown[], place: Place): void {
  const indent = place.inMapping && !place.isInline ? place.indent : nested(place);
  const startEntry = entryStarter(out, indent, place);
  for (const item of items) {
    startEntry();
    out.push("-");
    writeNode(out, item, { indent, column: indent + 1, isInline: true, inMapping: false });
  }
}

function writeMap(out: string[], map: Record<string, unknown>, keys: readonly string[], place: Place): void {
  const indent = nested(place);
  const startEntry = entryStarter(out, indent, place);
  for (const rawKey of keys) {
    startEntry();
    const key = wellFormed(rawKey);
    if (isSimpleKey(key)) {
      const written = writeString(key, { column: indent, indent, isKey: true });
      out.push(written, ":");
      const column = indent + written.length + 1;
      writeNode(out, map[rawKey], { indent, column, isInline: false, inMapping: true });
    } else {
      out.push("?");
      writeNode(out, key, { indent, column: indent + 1, isInline: true, inMapping: true });
      out.push(endsLine(out) ? "" : "\n", " ".repeat(indent), ":");
      writeNode(out, map[rawKey], { indent, column: indent + 1, isInline: true, inMapping: true });
    }
  }
}

/** The document itself is not indented. */
function nested(place: Place): number {
  return place.column === 0 ? 0 : place.indent + 2;
}

/** Go's JSON has no lone surrogates. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Cs}/gu, "\ufffd") : text;
}
