import { masked } from "./masked.ts";
import { secretTexts } from "./secret-copy.ts";

/** Shorter values would be found in texts that have nothing to do with them. */
const shortest = 8;
/** Limit for the values, whose latest are kept. */
const maxValues = 5000;
/** Characters of a value that are compared. Of a longer one, the whole rest of the text is replaced. */
const compared = 64;
/** Values with the same start that are compared; with more, the whole rest of the text is replaced. */
const maxSameStart = 16;
/** Depth of JSON in strings of JSON in which values are found. */
const escapeLevels = 4;
/** The text in front of the value of a field that identifies an object, in JSON. */
const identity = /"(?:name|namespace|kind|apiVersion|uid|controller)":"$/;

/** The marks before the first value: most runs of a simulation have no Secret, and 64 KiB for each would take longer than the rest. */
const noMarks = new Uint8Array();

/** Knows the values of Secrets, and finds copies of them in texts. They never leave the process. */
export class SecretValues {
  /** The values by their first characters. */
  readonly #byStart = new Map<string, Set<string>>();
  /** All values, the oldest first. */
  readonly #known = new Set<string>();
  /** Marks of the characters at fixed positions of each value, so that most positions of a text are skipped fast. */
  #marks = noMarks;

  /** Adds the values of a Secret; nothing for other objects. */
  learn(object: { readonly kind?: string | undefined }): void {
    if (object.kind !== "Secret") return;
    for (const text of secretTexts(object)) this.#add(text);
  }

  /** Returns a JSON text in which the known values are replaced, except for names that identify objects. */
  maskJson(text: string): string {
    if (this.#known.size === 0) return text;
    let shown = "";
    let from = 0;
    for (let at = 0; at + shortest <= text.length; at++) {
      if (this.#marks[markOf(text, at)] === 0) continue;
      const length = this.#lengthAt(text, at);
      if (length === 0 || identity.test(text.slice(Math.max(0, at - 20), at))) continue;
      shown += text.slice(from, at) + masked;
      from = at + length;
      at = from - 1;
    }
    return from === 0 ? text : shown + text.slice(from);
  }

  /** Returns the length of the longest known value that a text contains at a position; 0 for none. */
  #lengthAt(text: string, at: number): number {
    const values = this.#byStart.get(text.slice(at, at + shortest));
    if (!values) return 0;
    if (values.size > maxSameStart) return lengthOfRest(text, at);
    let length = 0;
    for (const value of values) if (value.length > length && text.startsWith(value, at)) length = value.length;
    return length < compared ? length : lengthOfRest(text, at);
  }

  #add(text: string): void {
    // As it is in a JSON string, and in strings within it.
    let whole = text;
    for (let level = 0; level < escapeLevels; level++) {
      const escaped = JSON.stringify(whole).slice(1, -1);
      if (level > 0 && escaped === whole) break;
      whole = escaped;
      const value = whole.slice(0, compared);
      if (value.length < shortest || this.#known.has(value)) continue;
      const start = value.slice(0, shortest);
      this.#byStart.set(start, (this.#byStart.get(start) ?? new Set()).add(value));
      this.#known.add(value);
      if (this.#marks === noMarks) this.#marks = new Uint8Array(65_536);
      this.#marks[markOf(value, 0)] = 1;
    }
    for (const oldest of this.#known) {
      if (this.#known.size <= maxValues) break;
      this.#known.delete(oldest);
      const start = oldest.slice(0, shortest);
      const values = this.#byStart.get(start);
      values?.delete(oldest);
      if (values?.size === 0) this.#byStart.delete(start);
    }
  }
}

/** Returns the length of the text up to the end of its line or of its string. */
function lengthOfRest(text: string, at: number): number {
  for (let end = at; end < text.length; end++) if (text[end] === '"' || text[end] === "\\") return end - at;
  return text.length - at;
}

function markOf(text: string, at: number): number {
  return (text.charCodeAt(at) * 31 + text.charCodeAt(at + 3) * 17 + text.charCodeAt(at + 7) * 257) & 0xffff;
}
