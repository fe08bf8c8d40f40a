import { entryOf } from "../../project/entries.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { projectFiles } from "../files/project-files.ts";
import type { PlanTarget } from "../plan/plan-target.ts";
import type { UndoTarget } from "../plan/undo-target.ts";
import { readPristine } from "../pristine/pristine.ts";
import { printedLike } from "../text/json-style.ts";
import { parsePackageJson } from "./package-json.ts";

/** Adds an npm package to the project's dependencies. An existing one keeps its version. */
export function dependOn(plan: PlanTarget, wanted: string): void {
  const { name, version = "latest" } = packageOf(wanted);
  plan.edit("package.json", (text) => {
    const manifest = parsePackageJson(text);
    const has = (list: unknown) => typeof list === "object" && list !== null && Object.hasOwn(list, name);
    if (has(manifest.dependencies) || has(manifest.devDependencies)) return text;
    return withDependencies(text, { ...dependenciesOf(text), [name]: version });
  });
  plan.note(`${name} is now a dependency: run npm install`);
}

/**
 * Removes what {@link dependOn} added for a kind, unless another kind of the project or one of the user's files needs it. A
 * version chosen by the user stays.
 */
export function settleDependency(
  undo: UndoTarget,
  gone: { readonly project: Project; readonly resource: Resource; readonly projectText: string },
): void {
  const wanted = entryOf(gone.project, gone.resource)?.module;
  const left = readProject(gone.projectText);
  if (wanted === undefined || "message" in left) return;
  const { name } = packageOf(wanted);
  if (left.resources.some(({ module }) => module !== undefined && packageOf(module).name === name)) return;
  const remove = () =>
    undo.edit("package.json", (text) => {
      const { [name]: gone, ...rest } = dependenciesOf(text);
      return gone === undefined ? text : withDependencies(text, rest);
    });
  if (undo.isPristine) {
    remove();
    return;
  }
  const { tree } = undo;
  const added = dependenciesOf(readPristine(tree, "package.json") ?? "{}")[name];
  if (added === undefined || added !== dependenciesOf(tree.readText("package.json") ?? "{}")[name]) return;
  const imported = [`"${name}"`, `"${name}/`, `'${name}'`, `'${name}/`];
  const user = projectFiles(tree.root).find((path) => {
    if (!/\.[cm]?[jt]sx?$/.test(path) || undo.removes(path)) return false;
    const text = tree.readText(path) ?? "";
    return imported.some((specifier) => text.includes(specifier));
  });
  if (user !== undefined) {
    undo.note(`${name} stays a dependency: ${user} imports it`);
    return;
  }
  remove();
  undo.note(`${name} is no longer a dependency: run npm install to remove it`);
}

/** Splits `@acme/types@^1.0.0`, whose version is optional. */
export function packageOf(wanted: string): { readonly name: string; readonly version?: string } {
  const [, name = wanted, version] = /^(@?[^@]+)(?:@(.+))?$/.exec(wanted) ?? [];
  return version === undefined ? { name } : { name, version };
}

function dependenciesOf(text: string): Record<string, string> {
  return { ...(parsePackageJson(text).dependencies as Record<string, string> | undefined) };
}

function withDependencies(text: string, dependencies: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(dependencies).sort(([a], [b]) => a.localeCompare(b, "en"));
  return printedLike(text, { ...parsePackageJson(text), dependencies: Object.fromEntries(sorted) });
}
