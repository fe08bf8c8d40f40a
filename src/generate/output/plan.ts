import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { GeneratorConfig, OutputRule } from "../options/index.ts";
import type { GeneratedFile } from "./file.ts";
import { generatedFiles, recognized } from "./generated-files.ts";
import { targetProblem } from "./target.ts";

export interface PlannedWrite {
  /** Absolute path. */
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "unchanged";
  /** The current content; undefined if the file doesn't exist. */
  readonly before?: string;
  /** The new content; undefined if the file is to be removed. */
  readonly after?: string;
}

export interface OutputPlan {
  readonly writes: readonly PlannedWrite[];
  /** The text for stdout. */
  readonly stdout: string;
  /** Reasons why files can't be written to their destination, one sentence each. */
  readonly problems: readonly string[];
}

/** The output rule of each generator that runs. */
export type OutputRules = GeneratorConfig["output"];

/** Compares generated files with those on disk. Writes nothing. */
export function planWrites(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): OutputPlan {
  const writes = new Map<string, PlannedWrite>();
  const problems = new Set<string>();
  let stdout = "";
  for (const file of files) {
    if (file.hasErrors) continue;
    const rule = rules[file.generator];
    if (rule?.kind === "stdout") stdout += file.text;
    const directory = directoryOf(rule);
    if (directory === undefined) continue;
    const path = resolve(cwd, directory, file.name);
    const problem = targetProblem(path, cwd);
    if (problem === undefined) writes.set(path, planWrite(path, file));
    else problems.add(`${file.name} can't be written: ${problem}`);
  }
  return { writes: [...writes.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), stdout, problems: [...problems] };
}

/** Returns the directory for manifests; undefined if the rule writes no files. */
export function directoryOf(rule: OutputRule | undefined): string | undefined {
  if (rule?.kind === "dir") return rule.directory;
  return rule?.kind === "artifacts" ? rule.config : undefined;
}

function planWrite(path: string, { text, isOnce }: GeneratedFile): PlannedWrite {
  const before = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, "utf8") : undefined;
  const after = isOnce && before !== undefined ? before : text;
  return { path, action: before === undefined ? "create" : before === after ? "unchanged" : "update", before, after };
}

/**
 * Returns the CRD files that no kind generates any longer: those in the CRDs' directory that have a generated name and the
 * generator's annotation.
 */
export function planPrune(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): PlannedWrite[] {
  const named = directoryOf(rules.crd);
  if (named === undefined) return [];
  const directory = resolve(cwd, named);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return [];
  const made = new Set(files.filter((file) => file.generator === "crd").map((file) => file.name));
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
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

/** Returns the files of other generators that no kind generates any longer. */
export function planPruneOthers(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): PlannedWrite[] {
  return recognized.flatMap((generator) => {
    const directory = directoryOf(rules[generator]);
    if (directory === undefined) return [];
    const made = files.filter((file) => file.generator === generator).map(({ name }) => resolve(cwd, directory, name));
    return generatedFiles(generator, resolve(cwd, directory))
      .filter(({ path }) => !made.includes(path))
      .map(({ path, text }) => ({ path, action: "delete" as const, before: text }));
  });
}
