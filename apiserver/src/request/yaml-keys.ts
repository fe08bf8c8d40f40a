import type { State } from "js-yaml";
import { goSyntax } from "../json/go-text.ts";
import type { Json } from "../json/json.ts";

/** Matches documents in which a list or an object may be a key. */
const complexKey = /[\]}]\s*:|(?:^|[{[,:-])[ \t]*\?/m;
const quotedNull = /(["'])null\1\s*:|!!str\s+null\b/;

/** Finds keys of objects that JSON doesn't have. The library makes texts of them. */
export class KeyCheck {
  readonly #text: string;
  readonly #closed: object[] = [];
  #hasQuotedNull: boolean | undefined;

  /** @param text - the document */
  constructor(text: string) {
    this.#text = text;
  }

  /** @returns the listener for the library; undefined if the document needs none */
  listener(): ((event: string, state: State) => void) | undefined {
    // The library copies the fields of the objects after `<<`, so that these objects seem to be keys.
    if (!complexKey.test(this.#text) || /<<\s*:/.test(this.#text)) return undefined;
    return (event, { result }) => {
      if (event === "close" && typeof result === "object" && result !== null) this.#closed.push(result);
    };
  }

  /**
   * Finds a list or an object that is a key.
   *
   * @param documents - all documents of the text
   * @returns the message of Go's library; undefined if there is none
   */
  complex(documents: readonly Json[]): string | undefined {
    if (this.#closed.length === 0) return undefined;
    const reached = partsOf(documents);
    const keys = this.#closed.filter((one) => !reached.has(one));
    const inner = partsOf(keys.flatMap((one) => Object.values(one)));
    const key = keys.find((one) => !inner.has(one)) as Json | undefined;
    if (key === undefined) return undefined;
    return `invalid map key: ${syntaxOf(key)}`;
  }

  /**
   * Reports a null that is a key.
   *
   * @param key - a key of an object
   * @param value - its value
   * @returns the message of the converter to JSON; undefined if the key is a text
   */
  null(key: string, value: Json): string | undefined {
    if (key !== "null") return undefined;
    this.#hasQuotedNull ??= quotedNull.test(this.#text);
    if (this.#hasQuotedNull) return undefined;
    return `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${syntaxOf(value)}`;
  }
}

function syntaxOf(value: Json): string {
  if (value === null) return "<nil>";
  return goSyntax(value).replaceAll("map[string]interface {}", "map[interface {}]interface {}");
}

/** Returns all objects and lists in some values. */
function partsOf(values: readonly Json[]): Set<object> {
  const parts = new Set<object>();
  const pending = [...values];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null || parts.has(next)) continue;
    parts.add(next);
    for (const item of Object.values(next)) if (item !== null) pending.push(item as Json);
  }
  return parts;
}
