// The types of the Kubernetes API as controller-gen sees them, read group by group when first needed.
import { type AboutType, type CoreResource, corePackage } from "./core-types-data.ts";
import type { JSONSchema } from "./json-schema.ts";

export { coreTypesVersion } from "./core-types-data.ts";

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1";
const apiextensionsV1 = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";
const door = /^@kubewright\/runtime\/api\/([a-z0-9]+)\/(v[0-9][a-z0-9]*)$/;

/**
 * The Go package behind a module of the runtime's API, `@kubewright/runtime/api/core/v1` → `k8s.io/api/core/v1`; undefined
 * for any other module. Whether the package exists is seen when a type of it is loaded.
 */
export function corePackageOf(moduleSpecifier: string): string | undefined {
  const [, group, version] = door.exec(moduleSpecifier) ?? [];
  return group === undefined || version === undefined ? undefined : goPackageOf(group, version);
}

/** The Go package of a group's directory: all of k8s.io/api and the two APIs that are kept elsewhere. */
export function goPackageOf(directory: string, version: string): string {
  if (directory === "meta" && version === "v1") return metaV1;
  if (directory === "apiextensions" && version === "v1") return apiextensionsV1;
  return `k8s.io/api/${directory}/${version}`;
}

const schemas = new Map<string, JSONSchema | undefined>();

/**
 * The schema that controller-gen holds for a type before it flattens it: references are `#/definitions/<package>~0<Type>`, with
 * `~1` for each `/`. The answer is shared and frozen. Types with floats have `type: number`: refusing them is the caller's.
 *
 * @returns undefined when there is no such type.
 */
export function loadCoreType(goPackage: string, name: string): JSONSchema | undefined {
  const key = `${goPackage}.${name}`;
  if (!schemas.has(key)) {
    const raw = own(corePackage(goPackage)?.schemas, name);
    schemas.set(key, raw && (withReferences(raw, goPackage) as JSONSchema));
  }
  return schemas.get(key);
}

/** The schema of a type that controller-gen has a fixed one for, as it were without; undefined for all others. */
export function coreTypeShape(goPackage: string, name: string): JSONSchema | undefined {
  const shape = aboutCoreType(goPackage, name)?.shape;
  return shape && (withReferences(shape, goPackage) as JSONSchema);
}

/** Why controller-gen refuses an API that refers to this type (a field with any Go interface, say); undefined if it doesn't. */
export function coreTypeProblem(goPackage: string, name: string): string | undefined {
  return aboutCoreType(goPackage, name)?.problem;
}

/** A kind of the Kubernetes API. */
export interface CoreKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Absent where Kubernetes doesn't serve the kind any more, or only as a subresource. */
  readonly resource?: CoreResource;
}

/** The kind that a type is; undefined for all that is none. */
export function coreKind(goPackage: string, name: string): CoreKind | undefined {
  const kind = aboutCoreType(goPackage, name)?.kind;
  const { group, version } = corePackage(goPackage) ?? {};
  if (!kind || group === undefined || version === undefined) return undefined;
  return { group, version, kind: name, ...("plural" in kind ? { resource: kind as CoreResource } : {}) };
}

/** The names of the kinds that the API server serves in a package, sorted; none where there is no such package. */
export function coreKindsOf(goPackage: string): string[] {
  const names = Object.keys(corePackage(goPackage)?.about ?? {}).sort();
  return names.filter((name) => coreKind(goPackage, name)?.resource !== undefined);
}

/** What is known of a type beside its schema. */
export function aboutCoreType(goPackage: string, name: string): AboutType | undefined {
  return own(corePackage(goPackage)?.about, name);
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Copies a schema, with its short references written out. */
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
