import { printYaml } from "@kubewright/cel/yaml";
import { structuredPatch } from "diff";
import type { KubeObject } from "../client/kube-client.ts";

const longestDiff = 32 * 1024;
const maxEditLength = 2000;

/** Returns an object as YAML without `managedFields`. */
export function yamlOf(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return printYaml({ ...object, metadata });
}

/** Returns the unified diff of two states of an object in YAML, without resource versions; empty if they are equal. */
export function yamlDiff(before: KubeObject | undefined, after: KubeObject | undefined): string {
  const text = (object: KubeObject | undefined): string => {
    if (!object) return "";
    const { resourceVersion: _, ...metadata } = object.metadata ?? {};
    return yamlOf({ ...object, metadata });
  };
  const [old, now] = [text(before), text(after)];
  if (old === now) return "";
  const patch = structuredPatch("", "", old, now, undefined, undefined, { context: 3, maxEditLength });
  if (!patch) return "(too many changes for a diff)\n";
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith("\\")),
  ]);
  const diff = `--- ${before ? "before" : "/dev/null"}\n+++ ${after ? "after" : "/dev/null"}\n${lines.join("\n")}\n`;
  return diff.length > longestDiff ? `${diff.slice(0, longestDiff)}\n…\n` : diff;
}
