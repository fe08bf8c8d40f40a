import { shown } from "../text/shown.ts";
import { coreGroup } from "./core-groups.ts";
import { entryNamed, similarEntries } from "./entries.ts";
import { modulePath, packageSpec } from "./patterns.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import { modelOf, type Project, type ProjectResource } from "./project-file.ts";
import { qualifiedGroup, type Resource, resource } from "./resource.ts";

/** The kind that a command's flags specify. */
export interface TargetNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
}

/** The flags for an external kind, whose types are in another package. */
export interface ExternalApi {
  /** The module that exports the types. */
  readonly path?: string;
  readonly domain?: string;
  /** The npm package, optionally with a version. */
  readonly package?: string;
  /**
   * Whether the kind is namespaced.
   *
   * @defaultValue true
   */
  readonly namespaced?: boolean;
}

/** The plural and scope of a built-in kind. */
export interface KnownKind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Finds a kind in a built-in group, by the group's directory. Returns an error message if the kind doesn't exist. */
export type CoreKinds = (directory: string, version: string, kind: string) => KnownKind | string;

/**
 * Finds a kind by name: one in PROJECT, an external kind, or a built-in kind. Returns a problem if there is none, or if the flags
 * contradict PROJECT.
 */
export function targetOf(
  project: Project,
  names: TargetNames,
  external: ExternalApi,
  coreKinds: CoreKinds,
): Resource | Problem {
  const { group, version, kind } = names;
  const entry = entryNamed(project, names, external.domain);
  if (entry !== undefined) return checkRecorded(completeModel(entry, coreKinds), names, external);
  if (external.path !== undefined) {
    const domain = external.domain ?? project.domain;
    return resource({
      ...names,
      domain,
      namespaced: external.namespaced !== false,
      origin: "external",
      module: external.path,
    });
  }
  const core = coreGroup(group);
  if (core !== undefined) {
    const kinds = coreKinds(core.directory, version, kind);
    if (typeof kinds === "string") return inputProblem("no-core-kind", kinds);
    const target = resource({ ...names, ...kinds, domain: core.domain, origin: "core" });
    return names.plural === undefined || names.plural === target.plural ? target : pluralDiffers(target, names.plural);
  }
  const { near } = similarEntries(project, names);
  const create = `npx scaffold create api --group ${group} --version ${version} --kind ${kind}`;
  return stateProblem(
    "no-api",
    `API ${qualifiedGroup(group, project.domain)}/${version}, Kind=${kind} not found in this project: create it first, or set --external-api-path for an external kind`,
    near === undefined ? create : `did you mean ${near}? Otherwise, create it: ${create}`,
  );
}

/** Converts a recorded resource to its model. Adds the scope of built-in kinds, which PROJECT doesn't contain. */
export function completeModel(entry: ProjectResource, coreKinds: CoreKinds): Resource {
  const model = modelOf(entry);
  const directory = model.origin === "core" ? coreGroup(model.group)?.directory : undefined;
  const kinds = directory === undefined ? "" : coreKinds(directory, model.version, model.kind);
  return typeof kinds === "string" ? model : resource({ ...model, ...kinds });
}

/** Checks that the flags match PROJECT. */
function checkRecorded(recorded: Resource, names: TargetNames, external: ExternalApi): Resource | Problem {
  if (names.plural !== undefined && names.plural !== recorded.plural) return pluralDiffers(recorded, names.plural);
  const differs = (flag: string, given: string, what: string) =>
    stateProblem("origin-differs", `${flag} ${shown(given)} can't be used: ${recorded.kind} ${what}`);
  if (external.path !== undefined && external.path !== recorded.module) {
    const what =
      recorded.origin === "own" ? "is a kind of this project" : `has its types in ${recorded.module ?? "this project"}`;
    return differs("--external-api-path", external.path, what);
  }
  if (external.domain !== undefined && external.domain !== recorded.domain) {
    return differs("--external-api-domain", external.domain, `is in the group ${recorded.qualifiedGroup || "core"}`);
  }
  if (
    recorded.origin === "external" &&
    external.namespaced !== undefined &&
    external.namespaced !== recorded.namespaced
  ) {
    const scope = recorded.namespaced ? "is namespaced" : "is cluster-scoped";
    return stateProblem(
      "scope-differs",
      `--namespaced=${external.namespaced} can't be used: ${recorded.kind} ${scope}`,
    );
  }
  return recorded;
}

function pluralDiffers(recorded: Resource, plural: string): Problem {
  return stateProblem(
    "plural-differs",
    `--plural ${plural} can't be used: ${recorded.kind} of ${recorded.qualifiedGroup || "core"}/${recorded.version} has the plural ${recorded.plural}`,
  );
}

/** Checks the `--external-api-*` flags, independent of the project. */
export function externalProblem({ path, domain, package: npm }: ExternalApi): Problem | undefined {
  if (path === undefined) {
    const [flag, value] = npm !== undefined ? ["--external-api-module", npm] : ["--external-api-domain", domain];
    if (value === undefined) return undefined;
    return inputProblem(
      "external-without-path",
      `${flag} requires --external-api-path, the module that exports the types, such as @kubernetes-models/cert-manager/cert-manager.io/v1`,
    );
  }
  if (!modulePath.test(path)) {
    return inputProblem(
      "bad-external-path",
      `--external-api-path ${shown(path)} isn't valid: use a module of an npm package, such as @kubernetes-models/cert-manager/cert-manager.io/v1`,
    );
  }
  if (npm !== undefined && !packageSpec.test(npm)) {
    return inputProblem(
      "bad-external-module",
      `--external-api-module ${shown(npm)} isn't valid: use an npm package, optionally with a version, such as @kubernetes-models/cert-manager@3.0.0`,
    );
  }
  return undefined;
}
