// Reads the extracted tables of built-in types.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JSONSchema } from "./model/json-schema.ts";

/** The Kubernetes version of the tables. */
export const coreTypesVersion = "v1.37.2";

/** The resource of a kind, according to the API server. */
export interface CoreResource {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly subresources?: readonly string[];
}

/** Facts about a type that its schema doesn't contain. */
export interface AboutType {
  /** Set for kinds; empty if the API server doesn't serve the kind. */
  readonly kind?: CoreResource | Record<string, never>;
  /** For a list type: the kind of its items. */
  readonly list?: string;
  /** The known values of a named string type; other values may exist. */
  readonly values?: readonly string[];
  /** Whether the type has its own JSON format, which its fields don't describe. */
  readonly marshals?: true;
  /** The schema without controller-gen's fixed schema. */
  readonly shape?: JSONSchema;
  /** The doc comment, if the schema has no description. */
  readonly doc?: string;
  /** The reason why controller-gen rejects an API that refers to the type. */
  readonly problem?: string;
}

/** One Go package; `group` and `version` are absent if it isn't an API. References are `Name` or `package.Name`. */
export interface CorePackage {
  readonly group?: string;
  readonly version?: string;
  readonly schemas: Readonly<Record<string, JSONSchema>>;
  readonly about: Readonly<Record<string, AboutType>>;
}

const files = new Map<string, Readonly<Record<string, CorePackage>>>();

/**
 * Returns the tables of a Go package, which are read on demand with its whole group; undefined if there are none.
 *
 * @throws Error if the tables are missing from the installation
 */
export function corePackage(goPackage: string): CorePackage | undefined {
  const name = fileOf(goPackage);
  if (name === undefined) return undefined;
  let packages = files.get(name);
  if (!packages) {
    const path = join(directory(), `${name}.json`);
    packages = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
    files.set(name, packages as Readonly<Record<string, CorePackage>>);
  }
  return packages?.[goPackage];
}

/**
 * Returns the file of a package's group, named after its directory in k8s.io/api. Packages that aren't an API group are in
 * `meta`.
 */
function fileOf(goPackage: string): string | undefined {
  const group = /^k8s\.io\/api\/([a-z0-9]+)\/[a-z0-9]+$/.exec(goPackage)?.[1];
  if (group !== undefined) return group;
  if (goPackage.startsWith("k8s.io/apiextensions-apiserver/")) return "apiextensions";
  return goPackage.startsWith("k8s.io/apimachinery/") ? "meta" : undefined;
}

let root: string | undefined;

/** Returns `core-types/<version>` next to the bundle, or in `data` of a checkout. */
function directory(): string {
  if (root !== undefined) return root;
  let from = import.meta.dirname;
  for (let level = 0; level < 5; level++, from = dirname(from)) {
    for (const parent of [from, join(from, "data")]) {
      const candidate = join(parent, "core-types", coreTypesVersion);
      if (existsSync(join(candidate, "core.json"))) {
        root = candidate;
        return candidate;
      }
    }
  }
  throw new Error(`the tables of Kubernetes ${coreTypesVersion} are missing: reinstall kubewright`);
}
