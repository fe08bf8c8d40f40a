import { posix } from "node:path";
import { isMap } from "../text/maps.ts";
import type { GoFile } from "./left-behind.ts";
import { readableValues } from "./readable-values.ts";

/** The names that kustomize gives the objects of an operator. */
export interface KustomizeNames {
  readonly namespace?: string;
  readonly namePrefix?: string;
}

const kustomizationNames = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
/** The most directories that refer to each other. */
const deepest = 8;

/**
 * Returns the namespace and the prefix of the manager, as kustomize computes them: a kustomization changes the objects of its resources
 * after its components have changed them. Prefixes are added in front of each other, and the last namespace counts.
 *
 * @param files - those of the Go project
 * @param directory - such as `config/default`
 * @returns undefined if the directory has no kustomization
 */
export function kustomizeNames(
  files: readonly GoFile[],
  directory: string,
  depth = deepest,
): KustomizeNames | undefined {
  const paths = kustomizationNames.map((name) => posix.join(directory, name));
  const file = files.find(({ path }) => paths.includes(path));
  if (file === undefined) return undefined;
  const [values] = readableValues(file.text());
  if (!isMap(values) || depth === 0) return {};
  const namesIn = (place: string) => kustomizeNames(files, place, depth - 1) ?? {};
  const places = (key: string) => directories(values[key], directory, files);
  const parts = [...places("resources"), ...places("bases")];
  const manager = parts.find((part) => hasDeployment(part, files));
  const isWhole = parts.every((part) => part === manager || posix.basename(part) === "crd");
  const { namespace, namePrefix } = manager === undefined ? {} : namesIn(manager);
  // Prefixes of some directories don't belong to the others.
  const inner = { namespace, namePrefix: isWhole ? namePrefix : undefined };
  return [...places("components").map(namesIn), ownNames(values)].reduce(
    (before: KustomizeNames, own) => together(before, own),
    together({}, inner),
  );
}

function together(inner: KustomizeNames, outer: { readonly [Key in keyof KustomizeNames]: string | undefined }) {
  const namespace = outer.namespace ?? inner.namespace;
  const namePrefix = `${outer.namePrefix ?? ""}${inner.namePrefix ?? ""}`;
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(namePrefix === "" ? {} : { namePrefix }),
  };
}

/** Returns the directories of the project in a list of resources or components, which may contain files and URLs, too. */
function directories(list: unknown, from: string, files: readonly GoFile[]): string[] {
  return (Array.isArray(list) ? list : [])
    .filter((entry) => typeof entry === "string")
    .map((entry) => posix.join(from, entry).replace(/\/$/, ""))
    .filter((place) => files.some(({ path }) => path.startsWith(`${place}/`)));
}

function hasDeployment(directory: string, files: readonly GoFile[]): boolean {
  return files.some(
    ({ path, text }) =>
      path.startsWith(`${directory}/`) && /\.ya?ml$/.test(path) && /^kind: *["']?Deployment\b/m.test(text()),
  );
}

function ownNames(values: Readonly<Record<string, unknown>>): KustomizeNames {
  const of = (key: keyof KustomizeNames): KustomizeNames => {
    const value = values[key];
    return typeof value === "string" && /^[a-z0-9][a-z0-9.-]{0,62}$/.test(value) ? { [key]: value } : {};
  };
  return { ...of("namespace"), ...of("namePrefix") };
}
