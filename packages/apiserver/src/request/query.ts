import { badRequest } from "../model/status.ts";
import { parseInt64 } from "./go-integer.ts";

const none = new URLSearchParams();

/** The query parameters of a request, read as Kubernetes' parameter codec reads them. */
export class Query {
  readonly #values: URLSearchParams;

  /** @param search - the part of a URL after the question mark */
  constructor(search: string) {
    const isValid = (pair: string): boolean => !pair.includes(";") && !/%(?![\da-f]{2})/i.test(pair);
    // Go ignores malformed parameters.
    this.#values = search === "" ? none : new URLSearchParams(search.split("&").filter(isValid).join("&"));
  }

  /** Returns the first value, or an empty text. */
  text(name: string): string {
    return this.#values.get(name) ?? "";
  }

  /** Returns all values of a parameter that may be repeated. */
  texts(name: string): string[] {
    return this.#values.getAll(name);
  }

  /** Returns true if the parameter exists. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns false if the parameter is absent, `0` or `false`, otherwise true. */
  flag(name: string): boolean {
    return this.optionalFlag(name) ?? false;
  }

  /** Returns undefined if the parameter is absent. */
  optionalFlag(name: string): boolean | undefined {
    const value = this.#values.get(name);
    return value === null ? undefined : value !== "0" && value.toLowerCase() !== "false";
  }

  /**
   * @returns undefined if the parameter is absent
   * @throws StatusError (400) if it isn't a 64-bit integer, such as an empty text
   */
  integer(name: string): number | undefined {
    const value = this.#values.get(name);
    if (value === null) return undefined;
    const number = parseInt64(value);
    if (number.problem !== undefined) throw badRequest(number.problem);
    return Number(number.value);
  }
}
