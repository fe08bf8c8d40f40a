import { entryOf, sameKind } from "./entries.ts";
import { isLabel, shown } from "./names.ts";
import { groupPrefix, kindFile, type Layout, saysGroup } from "./paths.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import type { Project, ProjectResource } from "./project-file.ts";
import { modelOf } from "./project-file.ts";
import { pascalCase, type Resource } from "./resource.ts";

/** A kind's controller by its name: a kind may have several. The one that has the kind's own name is made without one. */
export type ControllerName = string;

/** The names of a resource's controllers, in the order in which they were made. */
export function controllersOf(entry: ProjectResource | undefined): ControllerName[] {
  if (entry?.controllers !== undefined) return entry.controllers.map(({ name }) => name);
  return entry?.controller === true ? [kindFile(entry.kind)] : [];
}

/** `src/controller/game-controller.ts`, in several groups below the group's directory. */
export function controllerFile(
  resource: Pick<Resource, "group" | "apart">,
  name: ControllerName,
  layout: Layout,
): string {
  return `src/controller/${groupPrefix(resource, layout)}${name}-controller.ts`;
}

/** `GameReconciler`; of a name of its own `game-backup` it is `GameBackupReconciler`. */
export function controllerClass(kind: string, name: ControllerName): string {
  return `${name === kindFile(kind) ? kind : pascalCase(name)}Reconciler`;
}

/** What logs and metrics call the controller; one name must not stand for two. */
export function runtimeName(resource: Pick<Resource, "group" | "apart">, name: ControllerName, layout: Layout): string {
  return `${saysGroup(resource, layout) && resource.group !== "" ? `${resource.group.replaceAll(".", "-")}-` : ""}${name}`;
}

/** `--controller-name`. */
export function controllerNameProblem(name: string): Problem | undefined {
  if (isLabel(name) && /^[a-z]/.test(name)) return undefined;
  return inputProblem(
    "bad-controller-name",
    `--controller-name ${shown(name)} is no name: lower-case letters, digits and "-", beginning with a letter, at most 63, such as game-backup`,
  );
}

/**
 * Why a controller can't be added to a kind, or undefined. With `force` it may take the place of another version's, but never of
 * another kind's. `named`: the name was given.
 */
export function controllerProblem(
  project: Project,
  added: Resource,
  name: ControllerName,
  { named, force }: { readonly named: boolean; readonly force: boolean },
): Problem | undefined {
  const own = entryOf(project, added);
  if (!force && !named && own?.controllers !== undefined) {
    const names = controllersOf(own).join(", ");
    return stateProblem(
      "controller-exists",
      `${added.kind} has named controllers (${names}): another one needs a --controller-name, such as ${kindFile(added.kind)}-backup`,
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
        ? `the controller of ${added.qualifiedGroup === "" ? "" : `${added.qualifiedGroup}/`}${added.version}, Kind=${added.kind} exists already; --force scaffolds it again over your changes`
        : `the controller ${name} can't be made: ${entry.kind} (${entry.version}) has the controller ${taken}, with the same name, file or class; take another --controller-name`,
    );
  }
  return undefined;
}
