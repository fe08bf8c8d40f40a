import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { GeneratedFile } from "./file.ts";
import { directoryOf, type OutputRules } from "./plan.ts";

/**
 * Finds where the kustomization above the directory of the CRDs lists a file of a group that no kind makes, while a file of
 * that group that is made stands nowhere in it: what would be installed is an old CRD, or none. It is what a plural in a
 * marker leads to that isn't the one that the kind was scaffolded with.
 */
export function misnamedCrds(files: readonly GeneratedFile[], rules: OutputRules, cwd: string): Diagnostic[] {
  const named = directoryOf(rules.crd);
  if (named === undefined) return [];
  const directory = resolve(cwd, named);
  const file = join(dirname(directory), "kustomization.yaml");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return [];
  const listed = listedFiles(readFileSync(file, "utf8"), basename(directory));
  const made = files.filter(({ generator }) => generator === "crd").map(({ name }) => name);
  const unlisted = made.filter((name) => !listed.some((each) => each.name === name));
  return unlisted.flatMap((name) => {
    const instead = listed.find((each) => groupOf(each.name) === groupOf(name) && !made.includes(each.name));
    return instead ? [misnamed(file, basename(directory), name, instead)] : [];
  });
}

interface Listed {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The entries of a list such as `- bases/example.com_games.yaml`; comments are none. */
function listedFiles(text: string, directory: string): Listed[] {
  return text.split("\n").flatMap((content, index) => {
    const [, before = "", path = ""] = /^(\s*-\s+["']?)([^\s"'#]+)/.exec(content) ?? [];
    const [folder, name, ...rest] = path.replace(/^\.\//, "").split("/");
    if (folder !== directory || name === undefined || rest.length > 0) return [];
    return [{ name, line: index + 1, column: before.length + 1 }];
  });
}

/** CRD files are named `<group>_<plural>.yaml`. */
function groupOf(name: string): string {
  return name.split("_")[0] ?? "";
}

function misnamed(file: string, folder: string, name: string, { name: listed, line, column }: Listed): Diagnostic {
  return {
    id: "misnamed-crd",
    severity: "error",
    message: `${folder}/${listed} is what gets installed, but the kind's CRD goes to ${folder}/${name}`,
    file,
    line,
    column,
    hint: `list ${folder}/${name} here, or take the plural from the marker +kubebuilder:resource:path=…`,
  };
}
