import { byteLength, type JsonObject } from "@kubewright/cel/json";
import {
  compile,
  type Declarations,
  formatType,
  parseType,
  perCallLimit,
  type StructDeclaration,
} from "@kubewright/cel/language";
import { type FieldError, forbiddenValue, invalidValue, required, tooLong } from "@kubewright/cel/validation";
import { fieldsOf, isSet, textOf } from "../fields/fields.ts";
import { listErrors } from "./lists.ts";

const longestExpression = 10 * 1024;
const maximumSelectors = 32;
const deviceType = "kubernetes.DRADevice";

/** The type of the variable `device`. */
const structs: Declarations<StructDeclaration> = new Map([
  [
    deviceType,
    {
      fields: new Map(
        Object.entries({
          driver: "string",
          attributes: "map(string, map(string, any))",
          capacity: "map(string, map(string, kubernetes.Quantity))",
          allowMultipleAllocations: "bool",
        }).map(([name, type]) => [name, parseType(type)]),
      ),
    },
  ],
]);

interface Sized {
  /** The largest length of a text, or the largest number of entries. */
  size: number;
  fields?: Readonly<Record<string, Sized>>;
  keys?: Sized;
  values?: Sized;
  /** True if the values have a size of their own also when a field selects one. */
  anyField?: boolean;
}

const entries = 32;
const mapOf = (keys: number, values: Sized, anyField = false): Sized => ({
  size: entries,
  keys: { size: keys },
  values,
  anyField,
});
const longestName = 32;
const longestDomain = 63;

/** The largest sizes of what the variable `device` holds. */
const device: Sized = {
  size: 0,
  fields: {
    driver: { size: longestDomain },
    attributes: mapOf(longestDomain, mapOf(longestName, { size: 64 }, true)),
    capacity: mapOf(longestDomain, mapOf(longestName, { size: 0 })),
    allowMultipleAllocations: { size: 1 },
  },
};

function sizeOf([variable, ...path]: readonly string[]): number | undefined {
  let current: Sized | undefined = variable === "device" ? device : undefined;
  for (const step of path) {
    if (step === "@items" || step === "@values") current = current?.values;
    else if (step === "@keys") current = current?.keys;
    else current = current?.anyField ? current.values : current?.fields?.[step];
  }
  return current?.size;
}

/** Checks the expressions that select devices. */
export function selectorErrors(selectors: JsonObject[string] | undefined, path: string): FieldError[] {
  return listErrors(selectors, path, maximumSelectors, (selector, at) =>
    isSet(selector.cel)
      ? expressionErrors(textOf(fieldsOf(selector.cel).expression), `${at}.cel.expression`)
      : [required(`${at}.cel`, "")],
  );
}

function expressionErrors(text: string, path: string): FieldError[] {
  if (byteLength(text) > longestExpression) return [tooLong(path, longestExpression)];
  const compiled = compile(text, { variables: { device: parseType(deviceType) }, structs, sizeOf, hasBind: true });
  if ("problems" in compiled) {
    const { type, problems } = compiled;
    if (type === undefined) return [invalidValue(path, text, `compilation failed: ${problems}`)];
    return [{ type: "InternalError", field: path, detail: `program instantiation failed: ${problems}` }];
  }
  const type = formatType(compiled.type);
  if (type !== "bool" && type !== "any") {
    return [invalidValue(path, text, `must evaluate to bool or the unknown type, not ${type}`)];
  }
  if (compiled.estimate.max <= perCallLimit) return [];
  return [forbiddenValue(path, "too complex, exceeds cost limit")];
}
