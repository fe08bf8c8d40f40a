import { readValues } from "../../yaml/values.ts";

/** An entry of a top-level list in a kustomization, in force or commented out. */
export interface Section {
  /** The list's key, such as `resources`. */
  readonly list: string;
  /** What the entry says, read as if it were in force. */
  readonly entry: unknown;
  readonly commented: boolean;
  /** Its lines: from the one with the dash up to, and without, `to`. */
  readonly from: number;
  readonly to: number;
}

/** A top-level key of a kustomization, such as `replacements:`, in force or commented out. */
export interface KeyLine {
  readonly key: string;
  readonly commented: boolean;
  readonly line: number;
}

/** What a kustomization has to switch on and off. */
export interface Kustomization {
  readonly lines: readonly string[];
  readonly eol: string;
  readonly keys: readonly KeyLine[];
  readonly sections: readonly Section[];
}

const keyLine = /^(#?)([A-Za-z]+):[ \t]*(#.*)?$/;
const dashLine = /^(#?)([ \t]*)-[ \t]/;

/**
 * Reads the lists of a kustomization with the entries that are commented out in them, as kubebuilder's files have them: `#- ../webhook`,
 * or `# - source:` with the lines that follow. What an entry is tells its content, not the words around it.
 */
export function readKustomization(text: string): Kustomization {
  const lines = text.split(/\r?\n/);
  const keys: KeyLine[] = [];
  const sections: Section[] = [];
  let list = "";
  for (let at = 0; at < lines.length; at++) {
    const [, mark, key = ""] = keyLine.exec(lines[at] ?? "") ?? [];
    if (mark !== undefined) {
      keys.push({ key, commented: mark === "#", line: at });
      list = key;
      continue;
    }
    const section = readSection(lines, at, list);
    if (section === undefined) continue;
    sections.push(section);
    at = section.to - 1;
  }
  return { lines, eol: text.includes("\r\n") ? "\r\n" : "\n", keys, sections };
}

function readSection(lines: readonly string[], from: number, list: string): Section | undefined {
  const [, mark, indent = ""] = dashLine.exec(lines[from] ?? "") ?? [];
  if (mark === undefined || list === "") return undefined;
  const commented = mark === "#";
  const belongs = (line: string) => {
    if (commented !== line.startsWith("#")) return false;
    const inner = commented ? line.slice(1) : line;
    const blanks = /^[ \t]*/.exec(inner)?.[0].length ?? 0;
    // Below the dash stands what belongs to it; a sentence in the comments begins further left.
    return blanks >= indent.length + 2 && blanks < inner.length && !/^[ \t]*\+kubebuilder:/.test(inner);
  };
  let to = from + 1;
  while (to < lines.length && belongs(lines[to] ?? "")) to++;
  const inner = lines.slice(from, to).map((line) => (commented ? line.slice(1) : line));
  const entry = entryOf(inner.join("\n"));
  return entry === undefined ? undefined : { list, entry, commented, from, to };
}

const known = new Map<string, unknown>();

/** What an entry says. The same ones are read again and again: in the file, in its pristine copy, before and after a change. */
function entryOf(text: string): unknown {
  if (!known.has(text)) known.set(text, parsed(text));
  return known.get(text);
}

function parsed(text: string): unknown {
  try {
    const [value] = readValues(text);
    return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  } catch {
    // A sentence that happens to begin with a dash.
    return undefined;
  }
}

/** The text with the given keys and entries switched on or off. */
export function switched(kustomization: Kustomization, what: readonly (Section | KeyLine)[], on: boolean): string {
  const lines = [...kustomization.lines];
  for (const part of what) {
    if (part.commented !== on) continue;
    const [from, to] = "line" in part ? [part.line, part.line + 1] : [part.from, part.to];
    for (let at = from; at < to; at++) {
      const line = lines[at] ?? "";
      lines[at] = on ? line.slice(1) : `#${line}`;
    }
  }
  return lines.join(kustomization.eol);
}
