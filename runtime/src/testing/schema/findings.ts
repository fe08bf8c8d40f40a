import type { FieldError } from "./field-error.ts";

/** The errors of a value, and the number of schema checks. If all alternatives fail, the count selects the closest one. */
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
