import type { Resource } from "../project/resource.ts";
import { originLine } from "./from-crd/origin.ts";

/**
 * The code of an object with nothing set, for tests. What types from elsewhere demand is known only to their module.
 *
 * @param value the name of the kind's value
 * @param definition the name of the CustomResourceDefinition that the types were made from
 */
export function sampleValue(resource: Resource, value: string, definition?: string): string {
  const lines = [
    "{",
    ...(definition === undefined ? [] : [`    // ${originLine(definition)} Set here what it requires.`]),
    `    apiVersion: ${value}.apiVersion,`,
    `    kind: ${value}.kind,`,
    `    metadata: { name: "sample"${resource.namespaced ? ', namespace: "default"' : ""} },`,
    ...(resource.origin === "own" && definition === undefined ? ["    spec: {},"] : []),
    "  }",
  ];
  const cast = { own: "", core: ` as ${resource.kind}`, external: ` as unknown as ${resource.kind}Object` };
  return `${lines.join("\n")}${cast[definition === undefined ? resource.origin : "core"]}`;
}
