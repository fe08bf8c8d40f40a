import type { Resource } from "../project/resource.ts";

/**
 * The code of an object with nothing set, for tests. What types from elsewhere demand is known only to their module.
 *
 * @param value the name of the kind's value
 */
export function sampleValue(resource: Resource, value: string): string {
  const lines = [
    "{",
    `    apiVersion: ${value}.apiVersion,`,
    `    kind: ${value}.kind,`,
    `    metadata: { name: "sample"${resource.namespaced ? ', namespace: "default"' : ""} },`,
    ...(resource.origin === "own" ? ["    spec: {},"] : []),
    "  }",
  ];
  const cast = { own: "", core: ` as ${resource.kind}`, external: ` as unknown as ${resource.kind}Object` };
  return `${lines.join("\n")}${cast[resource.origin]}`;
}
