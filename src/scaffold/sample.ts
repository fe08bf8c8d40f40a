import { typesFile } from "../project/paths.ts";
import type { Project } from "../project/project-file.ts";
import { hasTypes, type Resource } from "../project/resource.ts";
import { originLine, originOf } from "./from-crd/origin.ts";
import type { Tree } from "./tree.ts";

/**
 * Returns the code for an object without fields, for tests. Required fields of external types aren't known.
 *
 * @param value the name of the kind's value
 * @param definition the name of the CRD from which the types were generated
 */
export function sampleValue(resource: Resource, value: string, definition?: string): string {
  const lines = [
    "{",
    ...(definition === undefined ? [] : [`    // ${originLine(definition)} Set the required fields.`]),
    `    apiVersion: ${value}.apiVersion,`,
    `    kind: ${value}.kind,`,
    `    metadata: { name: "sample"${resource.namespaced ? ', namespace: "default"' : ""} },`,
    ...(resource.origin === "own" && definition === undefined ? emptySpec(value) : []),
    "  }",
  ];
  return `${lines.join("\n")}${cast(resource, definition)}`;
}

/** Returns the cast of an object without its required fields; empty if there are none. */
function cast(resource: Resource, definition: string | undefined): string {
  if (resource.origin === "own" && definition === undefined) return "";
  return resource.origin === "core" || hasTypes(resource) ? ` as ${resource.kind}` : ` as ${resource.kind}Object`;
}

/**
 * Returns an empty spec with a cast: otherwise the first required field would prevent the project from compiling because of
 * a test.
 */
function emptySpec(kind: string): string[] {
  return ["    // Set the required fields.", `    spec: {} as ${kind}["spec"],`];
}

/** Returns the CRD from which a kind's types were generated, as recorded in their file. */
export function definitionOf(tree: Tree, resource: Resource, project: Project): string | undefined {
  return hasTypes(resource) ? originOf(tree.readText(typesFile(resource, project)) ?? "") : undefined;
}
