import { pascalCase } from "../text/pascal-case.ts";
import { shown } from "../text/shown.ts";
import { entryOf, sameKind } from "./entries.ts";
import { isLabel } from "./names.ts";
import { groupPrefix, hasGroupInNames, kindFile, type Layout } from "./paths.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import type { Project, ProjectResource } from "./project-file.ts";
import { modelOf } from "./project-file.ts";
import type { Resource } from "./resource.ts";

/** The name of a controller; a kind may have several. The default is the kind in lowercase. */
export type ControllerName = string;

/** Returns the names of a resource's controllers, in the order of their creation. */
export function controllersOf(entry: ProjectResource | undefined): ControllerName[] {
  if (entry?.controllers !== undefined) return entry.controllers.map(({ name }) => name);
  return entry?.controller === true ? [kindFile(entry.kind)] : [];
}

/** Returns the path of a controller, such as `src/controller/game-controller.ts`; in multi-group projects below the group's directory. */
export function controllerFile(
  resource: Pick<Resource, "group" | "apart">,
  name: ControllerName,
  layout: Layout,
): string {
  return `src/controller/${groupPrefix(resource, layout)}${name}-controller.ts`;
}

/** Returns the class name of a controller: `GameReconciler`, or `GameBackupReconciler` for the name `game-backup`. */
export function controllerClass(kind: string, name: ControllerName): string {
  return `${name === kindFile(kind) ? pascalCase(kind) : pascalCase(name)}Reconciler`;
}

/** Returns the controller's name in logs and metrics, which must be unique. */
export function runtimeName(resource: Pick<Resource, "group" | "apart">, name: ControllerName, layout: Layout): string {
  return `${hasGroupInNames(resource, layout) && resource.group !== "" ? `${resource.group.replaceAll(".", "-")}-` : ""}${name}`;
}

/** Checks `--controller-name`. */
export function controllerNameProblem(name: string): Problem | undefined {
  if (isLabel(name) && /^[a-z]/.test(name)) return undefined;
  return inputProblem(
    "bad-controller-name",
    `--controller-name ${shown(name)} isn't valid: use lowercase letters, digits and "-", beginning with a letter, at most 63 characters, such as game-backup`,
  );
}

/**
 * Checks whether a controller can be added to a kind. With `force` it may replace that of another version, but not that of another
 * kind. `named` is whether the name was set explicitly.
 *
 * @returns undefined if it can be added
 */
export function controllerProblem(
  project: Project,
  added: Resource,
  name: ControllerName,
  { named, force }: { readonly named: boolean; readonly force: boolean },
): Problem | undefined {
  const own = entryOf(project, added);
  if (!force && !named && own?.controllers !== undefined) {
    const names = controllersOf(own);
    const example = `${kindFile(added.kind)}-${names.length + 1}`;
    return stateProblem(
      "controller-exists",
      `${added.kind} has named controllers (${names.join(", ")}): name the new one with --controller-name, such as ${example}`,
    );
  }
  for (const entry of project.resources) {
    if (force && sameKind(entry, added)) continue;
    const model = modelOf(entry);
    const sameDirectory = groupPrefix(model, project) === groupPrefix(added, project);
    const taken = controllersOf(entry).find(
      (other) =>
        runtimeName(model, other, project) === runtimeName(added, name, project) ||
        (sameDirectory && controllerClass(entry.kind, other) === controllerClass(added.kind, name)),
    );
    if (taken === undefined) continue;
    const exact = entry === own && !named;
    return stateProblem(
      "controller-exists",
      exact
        ? `the controller of ${added.qualifiedGroup === "" ? "" : `${added.qualifiedGroup}/`}${added.version}, Kind=${added.kind} already exists; use --force to overwrite it, including your changes`
        : `the controller ${name} can't be created: its name, file or class is the same as for the controller ${taken} of ${entry.kind} (${entry.version}); choose another --controller-name`,
    );
  }
  return undefined;
}
