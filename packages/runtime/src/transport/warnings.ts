import type { Logger } from "../log/logger.ts";

// API servers use only code 299. The agent contains no spaces; the text is a quoted string.
const WARNING = /299 [^ "]+ "((?:[^"\\]|\\.)*)"/g;
// Warnings can contain object names, so the number of remembered warnings is limited.
const REMEMBERED = 1000;

/** Returns the texts of `Warning` headers with code 299. */
function warningTexts(header: string | string[] | undefined): string[] {
  if (header === undefined) return [];
  const joined = Array.isArray(header) ? header.join(", ") : header;
  return Array.from(joined.matchAll(WARNING), (match) => match[1]!.replaceAll(/\\(.)/g, "$1"));
}

/** Logs each warning text once. */
export class Warnings {
  readonly #said = new Set<string>();
  readonly #logger: Logger | undefined;

  constructor(logger: Logger | undefined) {
    this.#logger = logger;
  }

  note(header: string | string[] | undefined): void {
    if (header === undefined || !this.#logger) return;
    for (const text of warningTexts(header)) {
      if (this.#said.has(text)) continue;
      if (this.#said.size >= REMEMBERED) this.#said.clear();
      this.#said.add(text);
      this.#logger.warn(text, { from: "the API server" });
    }
  }
}
