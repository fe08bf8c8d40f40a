import { samplePath, typesFile } from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import { hasTypes, type Resource } from "../../project/resource.ts";
import { valueLiteral } from "../../text/typescript.ts";
import { readValues } from "../../yaml/values.ts";
import type { Tree } from "../files/tree.ts";
import { isMap } from "../text/maps.ts";
import { originLine, originOf } from "./origin.ts";

/** The parts of a kind's types that a sample depends on. */
export interface SampleTypes {
  /** The name of the CRD from which the types were generated. */
  readonly definition?: string | undefined;
  /** Whether the kind has a spec, as most kinds: not, for example, a kind with data as in a ConfigMap. */
  readonly spec: boolean;
  /** The code of the spec of the kind's sample, if that has fields. */
  readonly example?: string | undefined;
}

/**
 * Returns the code for an object, for tests: with the spec of the kind's sample. Required fields of external types aren't known.
 *
 * @param value the name of the kind's value
 */
export function sampleValue(resource: Resource, value: string, { definition, spec, example }: SampleTypes): string {
  const scaffolded = resource.origin === "own" && definition === undefined;
  const lines = [
    "{",
    ...(definition === undefined ? [] : [`    // ${originLine(definition)} Set the required fields.`]),
    `    apiVersion: ${value}.apiVersion,`,
    `    kind: ${value}.kind,`,
    `    metadata: { name: "sample"${resource.namespaced ? ', namespace: "default"' : ""} },`,
    ...(scaffolded && example === undefined ? ["    // Set the required fields."] : []),
    ...(scaffolded && spec ? [`    spec: ${example ?? "{}"},`] : []),
    "  }",
  ];
  // The compiler must report fields of the author's types that become required: only other types need a cast.
  return `${lines.join("\n")}${scaffolded ? "" : cast(resource)}`;
}

/** Returns the cast of an object without its required fields. */
function cast(resource: Resource): string {
  if (resource.origin === "own") return ` as ${resource.typeName}`;
  return resource.origin === "core" || hasTypes(resource)
    ? ` as ${resource.typeName}`
    : ` as ${resource.typeName}Object`;
}

/** Returns the CRD from which a kind's types were generated, as recorded in their file. */
export function definitionOf(tree: Tree, resource: Resource, project: Project): string | undefined {
  return hasTypes(resource) ? originOf(tree.readText(typesFile(resource, project)) ?? "") : undefined;
}

/** Returns the parts of a kind's types that a sample depends on. */
export function sampleTypes(tree: Tree, resource: Resource, project: Project): SampleTypes {
  const spec = !hasTypes(resource) || hasSpec(tree, typesFile(resource, project), resource.typeName);
  return { definition: definitionOf(tree, resource, project), spec, example: exampleSpec(tree, resource) };
}

/**
 * Returns the code of the spec of a kind's sample in config/samples, on a line that is indented by four characters.
 *
 * @returns `undefined` if there is none, or it has no fields
 */
export function exampleSpec(tree: Tree, resource: Resource): string | undefined {
  const text = tree.readText(samplePath(resource));
  return text === undefined ? undefined : specOf(text, resource);
}

/** Returns the same for the text of a sample. */
export function specOf(text: string, resource: Resource): string | undefined {
  let objects: unknown[];
  try {
    objects = readValues(text);
  } catch {
    // Commands that apply samples report what is wrong with them.
    return undefined;
  }
  const apiVersion = `${resource.qualifiedGroup}/${resource.version}`;
  const own = objects.find(
    (object) => isMap(object) && object.kind === resource.kind && object.apiVersion === apiVersion,
  );
  const spec = isMap(own) ? own.spec : undefined;
  return isMap(spec) && Object.keys(spec).length > 0 ? valueLiteral(spec, "    ") : undefined;
}

/** Returns whether a kind has a spec, according to the file with its types. */
export function hasSpec(tree: Tree, file: string, kind: string): boolean {
  const text = tree.readText(file) ?? "";
  const head = text.search(new RegExp(`^export interface ${kind}\\b`, "m"));
  const start = text.indexOf("{", head);
  if (head === -1 || text[start + 1] !== "\n") return true;
  const end = text.indexOf("\n}", start);
  return /^[ \t]+spec\??:/m.test(text.slice(start, end === -1 ? undefined : end));
}
