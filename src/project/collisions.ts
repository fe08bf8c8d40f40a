import { controllerProblem } from "./controllers.ts";
import { entryHasTypes, entryOf, sameKind, sameResource } from "./entries.ts";
import { apiDirectory, apiRoot, groupDirectory, hasGroupInNames, kindFile, type Layout } from "./paths.ts";
import { type Problem, stateProblem } from "./problem.ts";
import { modelOf, type Project } from "./project-file.ts";
import { hasTypes, type Resource } from "./resource.ts";

/** The parts of a resource that a command is about to create. */
export interface Wanted {
  readonly api: boolean;
  readonly controller: boolean;
  /** The name of the controller, if it was set explicitly. */
  readonly controllerName?: string;
  readonly force: boolean;
}

/**
 * Checks whether a valid resource conflicts with the project.
 *
 * @returns undefined if it can be added
 */
export function collisionProblem(project: Project, added: Resource, wanted: Wanted): Problem | undefined {
  return (
    groupCollision(project, added) ??
    directoryCollision(project, added) ??
    externalCollision(project, added) ??
    existingProblem(project, added, wanted) ??
    (wanted.api ? nameCollision(project, added, project) : undefined) ??
    (wanted.controller ? controllerCollision(project, added, wanted) : undefined)
  );
}

/** The single-group layout has directories for only one group. */
function groupCollision(project: Project, added: Resource): Problem | undefined {
  if (hasGroupInNames(added, project) || added.origin !== "own") return undefined;
  const other = project.resources
    .map(modelOf)
    .filter((entry) => entry.origin === "own" && !hasGroupInNames(entry, project))
    .find((entry) => entry.group.toLowerCase() !== added.group.toLowerCase());
  if (other === undefined) return undefined;
  return stateProblem(
    "second-group",
    `group ${added.group || '""'} can't be added: a single-group project supports one API group, here ${other.group || '""'}`,
    "enable several groups with npx scaffold edit --multigroup",
  );
}

/** Two groups can have the same directory: a group can be named like another one's full name. */
function directoryCollision(project: Project, added: Resource): Problem | undefined {
  if (!hasTypes(added)) return undefined;
  const other = project.resources
    .map(modelOf)
    .filter((entry) => hasTypes(entry) && entry.qualifiedGroup !== added.qualifiedGroup)
    .find((entry) => apiRoot(entry, project) === apiRoot(added, project));
  if (other === undefined) return undefined;
  return stateProblem(
    "group-collision",
    `group ${added.qualifiedGroup} can't be added: its directory is already used by the group ${other.qualifiedGroup}; choose another name`,
  );
}

/**
 * A directory of types belongs to either the project's own kinds or external ones, because its marker `+kubebuilder:skip` applies
 * to all of them. Types of external kinds are in `api/external/`, except those that earlier versions created. The layout can change
 * later, so this rule is the same for both.
 */
function externalCollision(project: Project, added: Resource): Problem | undefined {
  if (!hasTypes(added)) return undefined;
  const others = project.resources.map(modelOf).filter((entry) => hasTypes(entry) && entry.origin !== added.origin);
  const same = others.find((entry) => entry.qualifiedGroup === added.qualifiedGroup && entry.kind === added.kind);
  if (same !== undefined) {
    const what = same.origin === "own" ? "one of this project's own kinds" : "an external kind";
    return stateProblem(
      "origin-differs",
      `${added.kind} of ${added.qualifiedGroup} can't be added: it is ${what}, in ${same.version}, and all versions share one CRD`,
      same.origin === "own" ? "omit --external" : `delete ${same.kind} first with npx scaffold delete api`,
    );
  }
  const isBeside = (entry: Resource) => entry.origin === "external" && entry.foreign !== true;
  const other = others.find(
    (entry) => (isBeside(entry) || isBeside(added)) && groupDirectory(entry.group) === groupDirectory(added.group),
  );
  if (other === undefined) return undefined;
  return stateProblem(
    "group-collision",
    `group ${added.qualifiedGroup} can't be used: an earlier version created the types of the external kind ${isBeside(other) ? other.kind : added.kind} in the directory of own kinds`,
    isBeside(other)
      ? `delete ${other.kind} with npx scaffold delete api, and create it again with --external`
      : "delete the external kinds of this group with npx scaffold delete api, and create them again with --external",
  );
}

function existingProblem(project: Project, added: Resource, wanted: Wanted): Problem | undefined {
  const entry = entryOf(project, added);
  if (wanted.api && entry?.external === true && entry.localTypes !== true) {
    return stateProblem(
      "origin-differs",
      `types can't be created for ${added.kind}: it is an external kind with its types in ${entry.path}`,
      `npx scaffold delete api --group ${added.group} --version ${added.version} --kind ${added.kind}`,
    );
  }
  if (entry === undefined || wanted.force) return undefined;
  const name = `${added.qualifiedGroup}/${added.version}, Kind=${added.kind}`;
  if (wanted.api && entryHasTypes(entry)) {
    return stateProblem(
      "api-exists",
      `the API ${name} already exists; use --force to overwrite it, including your changes`,
    );
  }
  return undefined;
}

function hasApi(project: Project, other: Resource): boolean {
  return project.resources.some((entry) => entryHasTypes(entry) && sameResource(entry, other));
}

function controllerCollision(project: Project, added: Resource, wanted: Wanted): Problem | undefined {
  const { controllerName, force } = wanted;
  const name = controllerName ?? kindFile(added.kind);
  return (
    (controllerName === undefined && !force ? controllerOfOtherVersion(project, added) : undefined) ??
    controllerProblem(project, added, name, { named: controllerName !== undefined, force })
  );
}

/** All versions of a kind share one controller file. */
function controllerOfOtherVersion(project: Project, added: Resource): Problem | undefined {
  const other = project.resources.find(
    (entry) => entry.controller === true && entry.version !== added.version && sameKind(entry, added),
  );
  if (other === undefined) return undefined;
  return stateProblem(
    "controller-exists",
    `${added.kind} already has a controller, for ${other.version}: use --controller=false, or --force to replace it with one for ${added.version}`,
  );
}

/** Kinds of the same group share a directory and an index. Kinds of the same name share a CRD. */
function nameCollision(project: Project, added: Resource, layout: Layout): Problem | undefined {
  const taken = (what: string, other: Resource) =>
    stateProblem(
      "name-collision",
      `--kind ${added.kind} can't be used: ${what} of kind ${other.kind} (${other.qualifiedGroup}/${other.version}); choose another name`,
    );
  for (const other of project.resources.map(modelOf).filter(hasTypes)) {
    if (other.qualifiedGroup !== added.qualifiedGroup) continue;
    if (other.kind === added.kind) {
      if (other.version !== added.version && other.namespaced !== added.namespaced && hasApi(project, other)) {
        const [scope, flag] = other.namespaced ? ["namespaced", "true"] : ["cluster-scoped", "false"];
        return stateProblem(
          "scope-differs",
          `${added.kind} of ${other.qualifiedGroup}/${other.version} is ${scope}, and all versions share one CRD: use --namespaced=${flag}`,
        );
      }
      if (other.plural === added.plural) continue;
      return stateProblem(
        "plural-differs",
        `--plural ${added.plural} can't be used: ${added.kind} of ${other.qualifiedGroup}/${other.version} has the plural ${other.plural}, and all versions share one CRD`,
      );
    }
    if (other.plural === added.plural) {
      return stateProblem(
        "plural-taken",
        `--kind ${added.kind} can't be used: kind ${other.kind} has the same plural, ${added.plural}; set another with --plural`,
      );
    }
    if (kindFile(other.kind) === kindFile(added.kind)) return taken("its files would have the names of those", other);
    if (apiDirectory(other, layout) !== apiDirectory(added, layout)) continue;
    for (const suffix of ["Spec", "Status", "List"]) {
      if (added.typeName === `${other.typeName}${suffix}` || other.typeName === `${added.typeName}${suffix}`) {
        return taken("its types would have the names of those", other);
      }
    }
    if (other.typeName === added.typeName)
      return taken(`its type would have the name ${added.typeName}, as that`, other);
  }
  return undefined;
}
