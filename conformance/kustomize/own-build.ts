import { type Json, nameOf, withoutWords } from "../../scripts/test-support/manifests.ts";
import { openTree } from "../../src/scaffold/files/tree.ts";
import { buildKustomization, openSources } from "../../src/scaffold/kustomize/build/build.ts";

/** Builds config/default with our own kustomize implementation, from which the chart is generated. */
export function ownBuild(root: string): Record<string, Json> {
  const tree = openTree(root);
  const resources = buildKustomization(
    openSources((path) => tree.readText(path)),
    "config/default",
  );
  return Object.fromEntries(resources.map(({ object }) => [nameOf(object as Json), withoutWords(object as Json)]));
}
