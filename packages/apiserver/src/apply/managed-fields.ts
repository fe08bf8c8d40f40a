import { compareText, goJson, goQuote, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { FieldSet } from "./typed/field-set.ts";

/** The fields that a manager owns, in the version in which it wrote them. */
export interface OwnedFields {
  readonly set: FieldSet;
  readonly apiVersion: string;
  /** Whether the manager applied the fields; otherwise it created, updated or patched them. */
  readonly applied: boolean;
}

/** The owners of an object's fields, by the identifier of {@link managerIdentifier}. */
export interface ManagedFields {
  readonly owners: Map<string, OwnedFields>;
  readonly times: Map<string, string>;
}

/** The parts of an entry of `metadata.managedFields` that distinguish managers. */
export interface ManagerParts {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  subresource?: string;
}

/** Returns managed fields without owners. */
export function noManagedFields(): ManagedFields {
  return { owners: new Map(), times: new Map() };
}

/**
 * Returns the identifier of a manager. All entries with the same identifier belong to the same manager.
 *
 * @param parts - the parts of its entry; the version of those who apply is left out
 * @returns the identifier: the JSON of the parts
 */
export function managerIdentifier(parts: ManagerParts): string {
  const apiVersion = parts.operation === "Apply" ? undefined : parts.apiVersion;
  const members = Object.entries({ ...parts, apiVersion: undefined, subresource: undefined })
    .concat(Object.entries({ apiVersion, subresource: parts.subresource }))
    .filter(([, value]) => value);
  const order = ["manager", "operation", "apiVersion", "subresource"];
  members.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return `{${members.map(([name, value]) => `"${name}":${goJson(value as string)}`).join(",")}}`;
}

/**
 * Reads the parts of a manager from its identifier.
 *
 * @param identifier - the identifier
 * @returns the parts
 */
export function managerParts(identifier: string): ManagerParts {
  return JSON.parse(identifier) as ManagerParts;
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/**
 * Reads `metadata.managedFields`.
 *
 * @param entries - the list of an object, or undefined
 * @returns the owners and the times of their entries
 * @throws Error if an entry is invalid, with kube-apiserver's message
 */
export function decodeManagedFields(entries: Json | undefined): ManagedFields {
  const managed = noManagedFields();
  if (!Array.isArray(entries)) return managed;
  for (const [index, value] of entries.entries()) {
    const entry = isObject(value) ? value : {};
    const operation = text(entry.operation);
    if (operation !== "Apply" && operation !== "Update") throw new Error("operation must be `Apply` or `Update`");
    const apiVersion = text(entry.apiVersion);
    if (apiVersion === "") throw new Error("apiVersion must not be empty");
    const fieldsType = text(entry.fieldsType);
    if (fieldsType === "") throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== "FieldsV1") {
      throw new Error(`invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${index}`);
    }
    const manager = text(entry.manager);
    const subresource = text(entry.subresource);
    const identifier = managerIdentifier({ manager, operation, apiVersion, subresource });
    managed.owners.set(identifier, { set: decodeFields(entry), apiVersion, applied: operation === "Apply" });
    if (typeof entry.time === "string") managed.times.set(identifier, entry.time);
    else managed.times.delete(identifier);
  }
  return managed;
}

function decodeFields(entry: JsonObject): FieldSet {
  try {
    return FieldSet.fromFieldsV1(entry.fieldsV1);
  } catch (error) {
    const parts = ["manager", "operation", "apiVersion", "time", "fieldsType"].map((name) => text(entry[name]));
    const shown = `{${parts.join(" ")} ${entry.fieldsV1 === undefined ? "<nil>" : goJson(entry.fieldsV1)} ${text(entry.subresource)}}`;
    throw new Error(`error decoding versioned set from ${shown}: error decoding set: ${(error as Error).message}`);
  }
}

/**
 * Writes `metadata.managedFields`.
 *
 * @param managed - the owners and the times of their entries
 * @returns the entries by operation, time, manager, version and subresource; undefined if there are none
 */
export function encodeManagedFields({ owners, times }: ManagedFields): JsonObject[] | undefined {
  if (owners.size === 0) return undefined;
  const entries: Entry[] = [];
  for (const [identifier, { set, apiVersion, applied }] of owners) {
    const { manager = "", operation = "", subresource = "" } = managerParts(identifier);
    const time = times.get(identifier);
    entries.push({ manager, operation: applied ? "Apply" : operation, apiVersion, subresource, time, set });
  }
  entries.sort(compareEntries);
  return entries.map(({ manager, operation, apiVersion, subresource, time, set }) => ({
    ...(manager === "" ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: "FieldsV1",
    fieldsV1: set.toFieldsV1(),
    ...(subresource === "" ? {} : { subresource }),
  }));
}

interface Entry {
  manager: string;
  operation: string;
  apiVersion: string;
  subresource: string;
  time: string | undefined;
  set: FieldSet;
}

/** Returns the whole seconds of a time since 1970; 0 for no time. */
export function seconds(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000) || 0;
}

function compareEntries(left: Entry, right: Entry): number {
  return (
    compareText(left.operation, right.operation) ||
    seconds(left.time) - seconds(right.time) ||
    compareText(left.manager, right.manager) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}
