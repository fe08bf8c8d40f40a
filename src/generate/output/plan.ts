import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GeneratedFile } from "./file.ts";
import { type OutputRules, pathFor, ruleFor } from "./rule.ts";

export interface PlannedWrite {
  /** Absolute path. */
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "unchanged";
  /** What is there; undefined if nothing is. */
  readonly before?: string;
  /** What is to be there; undefined if nothing is. */
  readonly after?: string;
}

export interface OutputPlan {
  readonly writes: readonly PlannedWrite[];
  /** What goes to stdout. */
  readonly stdout: string;
}

/** Compares what was generated with what is there. Reads files, changes none. */
export function planOutput(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): OutputPlan {
  const writes = new Map<string, PlannedWrite>();
  let stdout = "";
  for (const file of files) {
    const rule = ruleFor(file.generator, rules);
    if (rule.kind === "stdout") stdout += file.text;
    const path = pathFor(rule, file.name, cwd);
    if (path !== undefined) writes.set(path, planWrite(path, file.text));
  }
  return { writes: [...writes.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), stdout };
}

function planWrite(path: string, after: string): PlannedWrite {
  const before = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
  return { path, action: before === undefined ? "create" : before === after ? "unchanged" : "update", before, after };
}

/**
 * Finds the CRD files that no kind makes any more: in the directory that CRDs go to, with the name and the annotation
 * that the generator gives them.
 */
export function planPrune(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): PlannedWrite[] {
  const rule = ruleFor("crd", rules);
  if (rule.kind !== "directory") return [];
  const directory = resolve(cwd, rule.directory);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const made = new Set(files.filter((file) => file.generator === "crd").map((file) => file.name));
  return readdirSync(directory)
    .filter((name) => /^[^_]*_[^_]+\.yaml$/.test(name) && !made.has(name))
    .sort()
    .flatMap((name) => {
      const path = join(directory, name);
      const before = readFileSync(path, "utf8");
      const generated =
        /^kind: CustomResourceDefinition$/m.test(before) &&
        /^ {4}controller-gen\.kubebuilder\.io\/version: /m.test(before);
      return generated ? [{ path, action: "delete" as const, before }] : [];
    });
}
