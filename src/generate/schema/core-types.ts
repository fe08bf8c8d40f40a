// The built-in API types as controller-gen sees them, read by group on demand.
import { type AboutType, type CoreResource, corePackage } from "./core-types-data.ts";
import type { JSONSchema } from "./model/json-schema.ts";

export { coreTypesVersion } from "./core-types-data.ts";

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";
const apiextensionsV1 = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
const door = /^@kubewright\/runtime\/api\/([a-z0-9]+)\/(v[0-9][a-z0-9]*)$/;

/**
 * Returns the Go package of a module of the runtime's API, `@kubewright/runtime/api/core/v1` → `k8s.io/api/core/v1`; undefined
 * for any other module. The package may not exist.
 */
export function corePackageOf(moduleSpecifier: string): string | undefined {
  const [, group, version] = door.exec(moduleSpecifier) ?? [];
  return group === undefined || version === undefined ? undefined : goPackageOf(group, version);
}

/** Returns the Go package for a group's directory: those of k8s.io/api, and two APIs in other repositories. */
export function goPackageOf(directory: string, version: string): string {
  if (directory === "meta" && version === "v1") return metaV1;
  if (directory === "apiextensions" && version === "v1") return apiextensionsV1;
  return `k8s.io/api/${directory}/${version}`;
}

const schemas = new Map<string, JSONSchema | undefined>();

/**
 * Returns controller-gen's schema of a type before flattening: references are `#/definitions/<package>~0<Type>`, with `~1` for
 * each `/`. The result is shared and frozen. Types with floats have `type: number`: callers must reject them.
 *
 * @returns undefined if the type doesn't exist
 */
export function loadCoreType(goPackage: string, name: string): JSONSchema | undefined {
  const key = `${goPackage}.${name}`;
  if (!schemas.has(key)) {
    const raw = own(corePackage(goPackage)?.schemas, name);
    schemas.set(key, raw && (withReferences(raw, goPackage) as JSONSchema));
  }
  return schemas.get(key);
}

/** Returns the schema that a type with a fixed schema in controller-gen would have otherwise; undefined for all others. */
export function coreTypeShape(goPackage: string, name: string): JSONSchema | undefined {
  const shape = aboutCoreType(goPackage, name)?.shape;
  return shape && (withReferences(shape, goPackage) as JSONSchema);
}

/** Returns the reason why controller-gen rejects an API that refers to this type (such as a Go interface); undefined if it doesn't. */
export function coreTypeProblem(goPackage: string, name: string): string | undefined {
  return aboutCoreType(goPackage, name)?.problem;
}

/** A built-in kind. */
export interface CoreKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent if Kubernetes no longer serves the kind, or only as a subresource. */
  readonly resource?: CoreResource;
}

/** Returns the kind of a type; undefined if the type isn't a kind. */
export function coreKind(goPackage: string, name: string): CoreKind | undefined {
  const kind = aboutCoreType(goPackage, name)?.kind;
  const { group, version } = corePackage(goPackage) ?? {};
  if (!kind || group === undefined || version === undefined) return undefined;
  return { group, version, kind: name, ...("plural" in kind ? { resource: kind as CoreResource } : {}) };
}

/** Returns the names of the kinds that the API server serves in a package, sorted; none if the package doesn't exist. */
export function coreKindsOf(goPackage: string): string[] {
  const names = Object.keys(corePackage(goPackage)?.about ?? {}).sort();
  return names.filter((name) => coreKind(goPackage, name)?.resource !== undefined);
}

/** Returns facts about a type that its schema doesn't contain. */
export function aboutCoreType(goPackage: string, name: string): AboutType | undefined {
  return own(corePackage(goPackage)?.about, name);
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Copies a schema, with complete references. */
function withReferences(node: unknown, goPackage: string): unknown {
  if (Array.isArray(node)) return Object.freeze(node.map((item) => withReferences(item, goPackage)));
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === "$ref" && typeof value === "string" ? longReference(value, goPackage) : withReferences(value, goPackage),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

function longReference(short: string, goPackage: string): string {
  const dot = short.lastIndexOf(".");
  const path = dot < 0 ? goPackage : short.slice(0, dot);
  return `#/definitions/${path.replaceAll("/", "~1")}~0${short.slice(dot + 1)}`;
}
