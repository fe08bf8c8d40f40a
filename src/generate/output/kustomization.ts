import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { GeneratedFile } from "./file.ts";
import { directoryOf, type OutputRules, type PlannedWrite } from "./plan.ts";

/**
 * Reports entries of the kustomization above the CRDs' directory that list an obsolete CRD file instead of the generated
 * file of the same group. kustomize would install an old CRD, or none. The usual cause is a plural in a marker that differs
 * from the one that the kind was scaffolded with.
 */
export function misnamedCrds(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): Diagnostic[] {
  const kustomization = kustomizationAbove(rules, cwd);
  if (kustomization === undefined) return [];
  const { file, directory, listed } = kustomization;
  const made = files.filter(({ generator }) => generator === "crd").map(({ name }) => name);
  const unlisted = made.filter((name) => !listed.some((each) => each.name === name));
  return unlisted.flatMap((name) => {
    const instead = listed.find((each) => groupOf(each.name) === groupOf(name) && !made.includes(each.name));
    return instead ? [misnamed(file, basename(directory), name, instead)] : [];
  });
}

/** Reports CRDs that the kustomization lists but that neither exist nor are generated, because kustomize would fail. */
export function missingCrds(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): Diagnostic[] {
  const kustomization = kustomizationAbove(rules, cwd);
  if (kustomization === undefined) return [];
  const { file, directory } = kustomization;
  return withoutFile(kustomization, files, []).map(({ name, line, column }) => ({
    id: "missing-crd",
    severity: "warning",
    message: `${basename(directory)}/${name} is listed here, but it doesn't exist and no kind generates it, so kustomize fails`,
    file,
    line,
    column,
    hint: "remove the entry with --prune, or restore the file",
  }));
}

/** Removes CRDs that are pruned or missing from the list of the kustomization. */
export function planUnlist(
  files: readonly GeneratedFile[],
  rules: OutputRules,
  cwd: string,
  pruned: readonly PlannedWrite[],
): PlannedWrite[] {
  const kustomization = kustomizationAbove(rules, cwd);
  if (kustomization === undefined) return [];
  const gone = new Set(withoutFile(kustomization, files, pruned).map(({ line }) => line - 1));
  if (gone.size === 0) return [];
  const before = kustomization.text;
  const after = before
    .split("\n")
    .filter((_, index) => !gone.has(index))
    .join("\n");
  return [{ path: kustomization.file, action: "update", before, after }];
}

/** Returns the entries of a kustomization whose files neither exist after pruning nor are generated. */
function withoutFile(
  { directory, listed }: Kustomization,
  files: readonly GeneratedFile[],
  pruned: readonly PlannedWrite[],
): Listed[] {
  const made = new Set(files.filter(({ generator }) => generator === "crd").map(({ name }) => name));
  const gone = new Set(pruned.map(({ path }) => path));
  return listed.filter(({ name }) => {
    const path = join(directory, name);
    return !made.has(name) && (gone.has(path) || !existsSync(path));
  });
}

interface Kustomization {
  /** Absolute paths of the file, and of the directory with the CRDs. */
  readonly file: string;
  readonly directory: string;
  readonly text: string;
  readonly listed: readonly Listed[];
}

/** Returns the kustomization above the directory of the CRDs, if there is one. */
function kustomizationAbove(rules: OutputRules, cwd: string): Kustomization | undefined {
  const named = directoryOf(rules.crd);
  if (named === undefined) return undefined;
  const directory = resolve(cwd, named);
  const file = join(dirname(directory), "kustomization.yaml");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = readFileSync(file, "utf8");
  return { file, directory, text, listed: listedFiles(text, basename(directory)) };
}

interface Listed {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** Returns the entries of a list such as `- bases/example.com_games.yaml`, without comments. */
function listedFiles(text: string, directory: string): Listed[] {
  return text.split("\n").flatMap((content, index) => {
    const [, before = "", path = ""] = /^(\s*-\s+["']?)([^\s"'#]+)/.exec(content) ?? [];
    const [folder, name, ...rest] = path.replace(/^\.\//, "").split("/");
    if (folder !== directory || name === undefined || rest.length > 0) return [];
    return [{ name, line: index + 1, column: before.length + 1 }];
  });
}

/** Returns the group of a CRD file, which is named `<group>_<plural>.yaml`. */
function groupOf(name: string): string {
  return name.split("_")[0] ?? "";
}

function misnamed(file: string, folder: string, name: string, { name: listed, line, column }: Listed): Diagnostic {
  return {
    id: "misnamed-crd",
    severity: "error",
    message: `${folder}/${listed} is installed, but the kind's CRD is written to ${folder}/${name}`,
    file,
    line,
    column,
    hint: `list ${folder}/${name} here, or remove the plural from the marker +kubebuilder:resource:path=…`,
  };
}
