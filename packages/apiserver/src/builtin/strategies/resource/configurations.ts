import { byteLength, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue, required, tooLong } from "@kubewright/cel/validation";
import { declaredDriverNameErrors } from "../core/volume/volume-sources.ts";
import { fieldsOf, isSet } from "../fields/fields.ts";

/** The largest number of configurations. */
export const maximumConfigurations: number = 32;
const longestParameters = 10 * 1024;

/** Checks a configuration for a driver. */
export function configurationErrors({ opaque }: JsonObject, path: string): FieldError[] {
  const at = `${path}.opaque`;
  if (!isSet(opaque)) return [required(at, "")];
  const { driver, parameters } = fieldsOf(opaque);
  return [...declaredDriverNameErrors(driver, `${at}.driver`), ...parameterErrors(parameters, `${at}.parameters`)];
}

/** Checks an object of a driver, which Kubernetes doesn't know. */
export function parameterErrors(parameters: Json | undefined, path: string): FieldError[] {
  if (!isSet(parameters)) return [required(path, "")];
  if (byteLength(JSON.stringify(parameters)) > longestParameters) return [tooLong(path, longestParameters)];
  return isObject(parameters) ? [] : [invalidValue(path, "<value omitted>", "must be a valid JSON object")];
}
