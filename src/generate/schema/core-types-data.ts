// Where the extracted tables are and how they are read; what they mean is core-types.ts's.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JSONSchema } from "./json-schema.ts";

/** The Kubernetes release of the tables. */
export const coreTypesVersion = "v1.36.3";

/** What the API server says about the resource of a kind. */
export interface CoreResource {
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  readonly subresources?: readonly string[];
}

/** What a schema doesn't say about its type. */
export interface AboutType {
  /** Set for kinds; empty where the API server serves none of that name. */
  readonly kind?: CoreResource | Record<string, never>;
  /** For a list: the kind of its items. */
  readonly list?: string;
  /** The known values of a named string type. There may be others. */
  readonly values?: readonly string[];
  /** The type writes its own JSON, so that its fields don't say what it looks like. */
  readonly marshals?: true;
  /** The schema without controller-gen's fixed one. */
  readonly shape?: JSONSchema;
  /** The doc comment, where the schema has no description. */
  readonly doc?: string;
  /** Why controller-gen refuses an API that refers to the type. */
  readonly problem?: string;
}

/** One Go package; `group` and `version` are absent where it is no API. References are short: `Name`, `package.Name`. */
export interface CorePackage {
  readonly group?: string;
  readonly version?: string;
  readonly schemas: Readonly<Record<string, JSONSchema>>;
  readonly about: Readonly<Record<string, AboutType>>;
}

const files = new Map<string, Readonly<Record<string, CorePackage>>>();

/**
 * The tables of a Go package, read with its whole group when first asked for; undefined if there are none.
 *
 * @throws Error when the tables are not where this code was installed to.
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

/** The Kubernetes API's own groups stand in a file each, by their directories in k8s.io/api; what is no API group in `meta`. */
function fileOf(goPackage: string): string | undefined {
  const group = /^k8s\.io\/api\/([a-z0-9]+)\/[a-z0-9]+$/.exec(goPackage)?.[1];
  if (group !== undefined) return group;
  if (goPackage.startsWith("k8s.io/apiextensions-apiserver/")) return "apiextensions";
  return goPackage.startsWith("k8s.io/apimachinery/") ? "meta" : undefined;
}

let found: string | undefined;

/** `core-types/<version>` beside the bundle, wherever in it this module ends up, or in `data` of a checkout. */
function directory(): string {
  if (found !== undefined) return found;
  let from = import.meta.dirname;
  for (let level = 0; level < 5; level++, from = dirname(from)) {
    for (const parent of [from, join(from, "data")]) {
      const candidate = join(parent, "core-types", coreTypesVersion);
      if (existsSync(join(candidate, "core.json"))) {
        found = candidate;
        return candidate;
      }
    }
  }
  throw new Error(`the tables of Kubernetes ${coreTypesVersion} are missing: reinstall kubewright`);
}
