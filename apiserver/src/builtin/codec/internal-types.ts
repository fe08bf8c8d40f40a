import { isObject, type Json, type JsonObject } from "../../json/json.ts";
import { unifiedDiff } from "../../json/unified-diff.ts";
import { dataFile } from "../data.ts";

/** The structs of internal versions: pairs of a field's name and its type, in the order of Go. */
const structs = dataFile<Record<string, [name: string, type: string][]>>("internal-types.json");

const zeros: Readonly<Record<string, Json>> = {
  string: "",
  bool: false,
  number: 0,
  Quantity: "0",
  IntOrString: 0,
  versioned: {},
  ObjectMeta: {},
};

/**
 * Shows a value as messages of the server do: with all fields of the internal version's structs, by their names in Go.
 *
 * @param type - the type, for example `core.PodSpec`
 * @param value - the value in the versioned form
 * @returns the value for the message
 */
export function internalForm(type: string, value: Json | undefined): Json {
  if (type.startsWith("*")) return isAbsent(value) ? null : internalForm(type.slice(1), value);
  if (type.startsWith("[]")) {
    return Array.isArray(value) && value.length > 0 ? value.map((item) => internalForm(type.slice(2), item)) : null;
  }
  if (type.startsWith("{}")) {
    if (!isObject(value)) return null;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, internalForm(type.slice(2), value[key])]));
  }
  const fields = structs()[type];
  if (fields === undefined) return isAbsent(value) ? (zeros[type] ?? null) : value;
  return structForm(fields, isObject(value) ? value : {});
}

function isAbsent(value: Json | undefined): value is null | undefined {
  return value === undefined || value === null;
}

function structForm(fields: readonly [string, string][], value: JsonObject): JsonObject {
  // The names differ only in their case, such as DNSPolicy and dnsPolicy.
  const names = new Map(Object.keys(value).map((key) => [key.toLowerCase(), key]));
  const of = (name: string): Json | undefined => value[names.get(name.toLowerCase()) ?? ""];
  return Object.fromEntries(
    fields.flatMap(([name, type]): [string, Json][] => {
      if (name === "ObjectMeta")
        return Object.entries(isObject(value.metadata) ? value.metadata : {}) as [string, Json][];
      if (type === "*core.PodSecurityContext") return [[name, internalForm(type, securityContextOf(value))]];
      return [[name, internalForm(type, of(name))]];
    }),
  );
}

/** The internal version has the namespaces of the host in the security context. */
function securityContextOf(spec: JsonObject): JsonObject {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  const fields = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  return { ...fields, ...(isObject(securityContext) ? securityContext : {}) } as JsonObject;
}

/**
 * Shows the differences between two values of an internal type.
 *
 * @param type - the type
 * @param old - the value before, in the versioned form
 * @param value - the new value
 * @returns the differences of their JSON, by lines
 */
export function internalDiff(type: string, old: Json | undefined, value: Json | undefined): string {
  return unifiedDiff(indented(internalForm(type, old)), indented(internalForm(type, value)));
}

function indented(value: Json): string {
  return JSON.stringify(value, null, 1).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
