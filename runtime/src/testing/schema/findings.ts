import type { FieldError } from "./field-error.ts";

/** What is wrong with a value, and how much of its schema was looked at: of several alternatives the one that fits most is told. */
export class Findings {
  readonly #errors = new Map<string, FieldError>();
  checks = 0;

  get errors(): readonly FieldError[] {
    return [...this.#errors.values()];
  }

  get isValid(): boolean {
    return this.#errors.size === 0;
  }

  add(error: FieldError): void {
    const text = `${error.field}: ${error.message}`;
    if (!this.#errors.has(text)) this.#errors.set(text, error);
  }

  merge(other: Findings): void {
    this.checks += other.checks;
    for (const error of other.errors) this.add(error);
  }
}
