import { coreGroup } from "./core-groups.ts";
import { entryNamed } from "./entries.ts";
import { shown } from "./names.ts";
import { modulePath, packageSpec } from "./patterns.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import { modelOf, type Project, type ProjectResource } from "./project-file.ts";
import { qualifiedGroup, type Resource, resource } from "./resource.ts";

/** A kind that is to get something beside its types, as the command line names it. */
export interface TargetNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string;
}

/** What the command line says about a kind whose types come from another package. */
export interface ExternalApi {
  /** The module that exports the types. */
  readonly path?: string;
  readonly domain?: string;
  /** The npm package, with a version or without. */
  readonly package?: string;
  /** Whether its objects live in namespaces; most do. */
  readonly namespaced?: boolean;
}

/** A kind of Kubernetes' own, as far as the caller knows its API. */
export interface KnownKind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Looks a kind up in one of Kubernetes' own groups, by the group's directory; a string says what there is instead. */
export type CoreKinds = (directory: string, version: string, kind: string) => KnownKind | string;

/**
 * The kind that names mean: one that the project records, one of another package, or one of Kubernetes' own.
 * A problem when there is none of that name, or when the flags contradict what is recorded.
 */
export function targetOf(
  project: Project,
  names: TargetNames,
  external: ExternalApi,
  coreKinds: CoreKinds,
): Resource | Problem {
  const { group, version, kind } = names;
  const entry = entryNamed(project, names);
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
    const known = coreKinds(core.directory, version, kind);
    if (typeof known === "string") return inputProblem("no-core-kind", known);
    const found = resource({ ...names, ...known, domain: core.domain, origin: "core" });
    return names.plural === undefined || names.plural === found.plural ? found : pluralDiffers(found, names.plural);
  }
  return stateProblem(
    "no-api",
    `there is no API ${qualifiedGroup(group, project.domain)}/${version}, Kind=${kind} in this project: make it first with scaffold create api, or name the types of a kind from elsewhere with --external-api-path`,
    `npx scaffold create api --group ${group} --version ${version} --kind ${kind}`,
  );
}

/** The model of a recorded resource; whether objects of one of Kubernetes' own live in namespaces, PROJECT doesn't say. */
export function completeModel(entry: ProjectResource, coreKinds: CoreKinds): Resource {
  const model = modelOf(entry);
  const directory = model.origin === "core" ? coreGroup(model.group)?.directory : undefined;
  const known = directory === undefined ? "" : coreKinds(directory, model.version, model.kind);
  return typeof known === "string" ? model : resource({ ...model, ...known });
}

/** What is recorded goes; a flag that says otherwise is a mistake. */
function checkRecorded(found: Resource, names: TargetNames, external: ExternalApi): Resource | Problem {
  if (names.plural !== undefined && names.plural !== found.plural) return pluralDiffers(found, names.plural);
  const differs = (flag: string, given: string, what: string) =>
    stateProblem("origin-differs", `${flag} ${shown(given)} can't be used: ${found.kind} ${what}`);
  if (external.path !== undefined && external.path !== found.module) {
    const what = found.origin === "own" ? "is a kind of this project" : `has its types in ${found.module}`;
    return differs("--external-api-path", external.path, what);
  }
  if (external.domain !== undefined && external.domain !== found.domain) {
    return differs("--external-api-domain", external.domain, `is in the group ${found.qualifiedGroup || "core"}`);
  }
  if (found.origin === "external" && external.namespaced !== undefined && external.namespaced !== found.namespaced) {
    const scope = found.namespaced ? "lives in namespaces" : "is cluster-scoped";
    return stateProblem("scope-differs", `--namespaced=${external.namespaced} can't be used: ${found.kind} ${scope}`);
  }
  return found;
}

function pluralDiffers(found: Resource, plural: string): Problem {
  return stateProblem(
    "plural-differs",
    `--plural ${plural} can't be used: ${found.kind} of ${found.qualifiedGroup || "core"}/${found.version} has the plural ${found.plural}`,
  );
}

/** Why `--external-api-*` flags can't be used, whatever the project holds. */
export function externalProblem({ path, domain, package: npm }: ExternalApi): Problem | undefined {
  if (path === undefined) {
    const [flag, value] = npm !== undefined ? ["--external-api-module", npm] : ["--external-api-domain", domain];
    if (value === undefined) return undefined;
    return inputProblem(
      "external-without-path",
      `${flag} needs --external-api-path, the module that exports the types, such as @kubernetes-models/cert-manager/cert-manager.io/v1`,
    );
  }
  if (!modulePath.test(path)) {
    return inputProblem(
      "bad-external-path",
      `--external-api-path ${shown(path)} is no module of an npm package, such as @kubernetes-models/cert-manager/cert-manager.io/v1`,
    );
  }
  if (npm !== undefined && !packageSpec.test(npm)) {
    return inputProblem(
      "bad-external-module",
      `--external-api-module ${shown(npm)} is no npm package with or without a version, such as @kubernetes-models/cert-manager@3.0.0`,
    );
  }
  return undefined;
}
