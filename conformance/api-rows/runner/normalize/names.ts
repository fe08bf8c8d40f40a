// Collects the values that a server chooses, and gives each of them a name.
import { isObject, type Json, type JsonObject } from "@kubewright/cel/json";

export const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
export const clusterAddress = /\b10\.0\.0\.(\d{1,3})\b/g;
export const printedPort = /:(3[0-2]\d{3})\/(?=TCP|UDP)/g;
export const number = /^\d+$/;

/** The names, by the values that they replace. */
export interface Names {
  readonly uids: ReadonlyMap<string, string>;
  /** By resource version, in numeric order. */
  readonly versions: ReadonlyMap<string, string>;
  /** The names that servers generate, the longest first. */
  readonly generated: readonly (readonly [generated: string, name: string])[];
  readonly addresses: ReadonlyMap<string, string>;
  readonly ports: ReadonlyMap<string, string>;
}

/**
 * Names the values of all responses in the order in which they appear.
 *
 * @param prefixes - the prefixes of generated names in the requests
 */
export function collectNames(responses: readonly Json[], prefixes: readonly string[]): Names {
  const collector = new Collector(prefixes);
  for (const response of responses) collector.add(response);
  return collector.names();
}

/** Whether an object is a list. The resource version of a list isn't that of an object. */
export function isList({ items, rows, kind, metadata }: JsonObject): boolean {
  if (Array.isArray(items) || Array.isArray(rows) || items === null) return true;
  const isNamed = isObject(metadata) && Boolean(metadata.name);
  return typeof kind === "string" && /(List|Table)$/.test(kind) && !isNamed;
}

/** Whether a key has the number of a port of all nodes. */
export function isNodePort(key: string): boolean {
  return key === "nodePort" || key === "healthCheckNodePort";
}

class Collector {
  readonly #prefixes: readonly string[];
  readonly #uids = new Map<string, string>();
  readonly #versions = new Set<bigint>();
  readonly #generated = new Map<string, string>();
  readonly #addresses = new Map<string, string>();
  readonly #ports = new Map<string, string>();

  constructor(prefixes: readonly string[]) {
    this.#prefixes = prefixes;
  }

  names(): Names {
    const versions = [...this.#versions].sort((one, other) => (one < other ? -1 : 1));
    return {
      uids: this.#uids,
      versions: new Map(versions.map((version, index) => [String(version), `<rv${index + 1}>`])),
      generated: [...this.#generated].sort(([one], [other]) => other.length - one.length),
      addresses: this.#addresses,
      ports: this.#ports,
    };
  }

  add(value: Json | undefined): void {
    if (typeof value === "string") this.#addText(value);
    else if (Array.isArray(value)) for (const item of value) this.add(item);
    else if (isObject(value)) this.#addObject(value);
  }

  #addText(text: string): void {
    for (const [match] of text.matchAll(uid)) name(this.#uids, match, "uid");
    for (const [, version = ""] of text.matchAll(/resourceVersion"?: "(\d+)"/g)) this.#versions.add(BigInt(version));
    for (const [address, last] of text.matchAll(clusterAddress)) {
      // Requests set the lower addresses and ports.
      if (Number(last) > 16) name(this.#addresses, address, "ip");
    }
    for (const [, port = ""] of text.matchAll(printedPort)) this.#addPort(Number(port));
  }

  #addPort(port: number): void {
    if (port > 30085) name(this.#ports, String(port), "nodeport");
  }

  #addObject(object: JsonObject): void {
    this.#addGeneratedName(object);
    const { metadata } = object;
    if (isObject(metadata) && !isList(object)) this.#addVersion(metadata.resourceVersion);
    this.#addVersion(object["metadata.resourceVersion"]);
    for (const [key, value] of Object.entries(object)) {
      if (isNodePort(key) && typeof value === "number") this.#addPort(value);
      // The resource version of a bookmark isn't that of an object.
      if (key === "object" && object.type === "BOOKMARK") this.add(withoutVersion(value));
      else this.add(value);
    }
  }

  #addVersion(version: Json | undefined): void {
    if (typeof version === "string" && number.test(version)) this.#versions.add(BigInt(version));
  }

  #addGeneratedName({ kind, details, generateName, name: ownName }: JsonObject): void {
    if (kind === "Status" && isObject(details) && typeof details.name === "string") {
      const { name: shown } = details;
      const prefix = this.#prefixes.find((prefix) => shown.length === prefix.length + 5 && shown.startsWith(prefix));
      if (prefix !== undefined) this.#generated.set(shown, `${prefix}<gen>`);
    }
    if (typeof generateName !== "string" || typeof ownName !== "string") return;
    if (!ownName.startsWith(generateName) || ownName === generateName) return;
    const suffix = ownName.slice(generateName.length);
    const isRegular = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(suffix);
    this.#generated.set(ownName, `${generateName}<gen${isRegular ? "" : `:${suffix}`}>`);
  }
}

/** Gives a value the next name, unless it has one. */
function name(names: Map<string, string>, value: string, kind: string): void {
  if (!names.has(value)) names.set(value, `<${kind}${names.size + 1}>`);
}

function withoutVersion(object: Json | undefined): Json | undefined {
  if (!isObject(object) || !isObject(object.metadata)) return undefined;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
