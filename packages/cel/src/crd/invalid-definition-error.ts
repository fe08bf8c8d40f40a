import { goQuote } from "../json/go-text.ts";
import { isObject, type JsonObject } from "../json/json.ts";

/** A CustomResourceDefinition whose schemas kube-apiserver would reject. */
export class InvalidDefinitionError extends Error {
  /** The texts of kube-apiserver, one per error. */
  readonly errors: readonly string[];

  /**
   * @param definition - the definition
   * @param errors - the texts of its errors
   */
  constructor(definition: JsonObject, errors: readonly string[]) {
    const { metadata } = definition;
    const name = isObject(metadata) ? String(metadata.name ?? "") : "";
    const list = errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`;
    super(`CustomResourceDefinition ${goQuote(name)} is invalid: ${list}`);
    this.name = "InvalidDefinitionError";
    this.errors = errors;
  }
}
