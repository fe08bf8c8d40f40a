import { typesFile } from "../project/paths.ts";
import type { Project } from "../project/project-file.ts";
import type { Resource } from "../project/resource.ts";
import { originLine, originOf } from "./from-crd/origin.ts";
import type { Tree } from "./tree.ts";

/**
 * The code of an object with nothing set, for tests. What types from elsewhere demand is known only to their module.
 *
 * @param value the name of the kind's value
 * @param definition the name of the CustomResourceDefinition that the types were made from
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
  const cast = { own: "", core: ` as ${resource.kind}`, external: ` as ${resource.kind}Object` };
  return `${lines.join("\n")}${cast[definition === undefined ? resource.origin : "core"]}`;
}

/** Without the cast the first required field would keep the project from being built and run: for a test's sake. */
function emptySpec(kind: string): string[] {
  return ["    // Set the required fields.", `    spec: {} as ${kind}["spec"],`];
}

/** The definition that a kind's types were made from, by what their file says. */
export function definitionOf(tree: Tree, resource: Resource, project: Project): string | undefined {
  return resource.origin === "own" ? originOf(tree.readText(typesFile(resource, project)) ?? "") : undefined;
}
