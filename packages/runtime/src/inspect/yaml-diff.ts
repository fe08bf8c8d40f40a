import { printYaml } from "@kubewright/cel/yaml";
import { structuredPatch } from "diff";
import type { KubernetesObject } from "../api/index.ts";
import { maskSecret } from "./mask.ts";

/** Maximum length of a text in characters. */
const longest = 32 * 1024;
/** Limits the time for objects that have little in common. */
const maxEditLength = 2000;

/** Returns an object as YAML without `managedFields` and without the values of a Secret. */
export function yamlOf(object: KubernetesObject | undefined, before?: KubernetesObject): string {
  if (object === undefined) return "";
  const shown = maskSecret(object, before);
  const { managedFields: _, ...metadata } = shown.metadata ?? {};
  return printYaml({ ...shown, ...(shown.metadata ? { metadata } : {}) });
}

/** Returns a text that isn't longer than the limit. */
export function limited(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}\n… (${text.length - longest} more characters)\n`;
}

/** Returns the unified diff of two states of an object in YAML; empty if they are equal. `undefined` is an absent object. */
export function yamlDiff(before: KubernetesObject | undefined, after: KubernetesObject | undefined): string {
  const [old, now] = [yamlOf(withoutVersion(before)), yamlOf(withoutVersion(after), before)];
  if (old === now) return "";
  const patch = structuredPatch("", "", old, now, undefined, undefined, { context: 3, maxEditLength });
  if (!patch) return "(too many changes for a diff)\n";
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith("\\")),
  ]);
  return limited(`--- ${before ? "before" : "/dev/null"}\n+++ ${after ? "after" : "/dev/null"}\n${lines.join("\n")}\n`);
}

/** Removes the resource version, which changes with every write. */
function withoutVersion(object: KubernetesObject | undefined): KubernetesObject | undefined {
  if (!object?.metadata) return object;
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
