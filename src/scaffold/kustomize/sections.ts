import { readValues } from "../../yaml/values.ts";

/** An entry of a top-level list in a kustomization, active or commented out. */
export interface Section {
  /** The list's key, such as `resources`. */
  readonly list: string;
  /** The parsed entry, as if it were active. */
  readonly entry: unknown;
  readonly commented: boolean;
  /** Its range of lines, from the one with the dash up to, but excluding, `to`. */
  readonly from: number;
  readonly to: number;
}

/** A top-level key of a kustomization, such as `replacements:`, active or commented out. */
export interface KeyLine {
  readonly key: string;
  readonly commented: boolean;
  readonly line: number;
}

/** The parts of a kustomization that can be switched on and off. */
export interface Kustomization {
  readonly lines: readonly string[];
  readonly eol: string;
  readonly keys: readonly KeyLine[];
  readonly sections: readonly Section[];
}

const keyLine = /^(#?)([A-Za-z]+):[ \t]*(#.*)?$/;
const dashLine = /^(#?)([ \t]*)-[ \t]/;

/**
 * Parses the lists of a kustomization, including entries that are commented out as in kubebuilder's files: `#- ../webhook`,
 * or `# - source:` with the following lines. Entries are identified by their content, not by the comments around them.
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
    // The lines of an entry are indented further than its dash; a sentence in the comments isn't.
    return blanks >= indent.length + 2 && blanks < inner.length && !/^[ \t]*\+kubebuilder:/.test(inner);
  };
  let to = from + 1;
  while (to < lines.length && belongs(lines[to] ?? "")) to++;
  const inner = lines.slice(from, to).map((line) => (commented ? line.slice(1) : line));
  const entry = entryOf(inner.join("\n"));
  return entry === undefined ? undefined : { list, entry, commented, from, to };
}

const cache = new Map<string, unknown>();

/** Parses an entry. The same entries are parsed often: in the file, in its pristine copy, before and after a change. */
function entryOf(text: string): unknown {
  if (!cache.has(text)) cache.set(text, parsed(text));
  return cache.get(text);
}

function parsed(text: string): unknown {
  try {
    const [value] = readValues(text);
    return Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  } catch {
    // A sentence that happens to begin with a dash isn't an entry.
    return undefined;
  }
}

/** Returns the text with the given keys and entries switched on or off. */
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
