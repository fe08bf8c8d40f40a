import type { KubernetesObject } from "../api/index.ts";

/** Stands for the value of a Secret. */
export const hidden = "(hidden)";
/** Shorter values of Secrets also occur within other texts by chance. */
const shortestPart = 4;

/** Hides the values of Secrets in texts. */
export class SecretTexts {
  readonly #values = new Set<string>();
  /** The values that are hidden within texts, longer ones first. Computed when it is needed. */
  #parts: readonly string[] | undefined;

  /** Remembers the values of a Secret, so that no text of the plan contains them. Ignores other kinds. */
  learn(object: KubernetesObject | undefined): void {
    if (object?.kind !== "Secret") return;
    const { data, stringData } = object as {
      data?: Record<string, string> | null;
      stringData?: Record<string, string> | null;
    };
    for (const encoded of Object.values(data ?? {})) {
      this.#add(String(encoded));
      this.#add(Buffer.from(String(encoded), "base64").toString("utf8"));
    }
    for (const text of Object.values(stringData ?? {})) this.#add(String(text));
  }

  /** Returns a text without the values of Secrets. */
  without(text: string): string {
    if (this.#values.has(text.trim())) return hidden;
    this.#parts ??= [...this.#values]
      .filter(({ length }) => length >= shortestPart)
      .sort((one, other) => other.length - one.length);
    return this.#parts.reduce((shown, part) => shown.replaceAll(part, hidden), text);
  }

  /** Returns a value without the values of Secrets. */
  shown(value: unknown): unknown {
    if (typeof value === "string") return this.without(value);
    if (Array.isArray(value)) return value.map((item) => this.shown(item));
    if (typeof value !== "object" || value === null) return typeof value === "bigint" ? value.toString() : value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.shown(item)]));
  }

  #add(text: string): void {
    const value = text.trim();
    if (value === "" || this.#values.has(value)) return;
    this.#values.add(value);
    this.#parts = undefined;
  }
}
