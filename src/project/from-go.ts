import { isMap, isSeq, type YAMLMap } from "yaml";
import { shown } from "../text/shown.ts";
import { editDocument } from "../yaml/document.ts";
import { inputProblem, isProblem, type Problem, stateProblem } from "./problem.ts";
import { format, LAYOUT, type Project, readProject } from "./project-file.ts";
import { groupParts, qualifiedGroup } from "./resource.ts";

/** The npm module with the types of external kinds. */
export interface ExternalModule {
  /** The module specifier, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`. */
  readonly path: string;
  /** The package to depend on, optionally with a version. */
  readonly package: string;
}

const example = "cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1";

/** Parses `<group>/<version>=<package>[@<version>][/<path>],…`. The keys of the result are `<group>/<version>`. */
export function externalModules(list: string): ReadonlyMap<string, ExternalModule> | Problem {
  const found = new Map<string, ExternalModule>();
  for (const entry of list.split(",")) {
    const [, api, name, version = "", path = ""] =
      /^([^/=]+\/[^/=]+)=((?:@[^/@=]+\/)?[^/@=]+)(@[^/@=]+)?(\/[^@=]+)?$/.exec(entry) ?? [];
    if (api === undefined || name === undefined) {
      return inputProblem(
        "bad-external-api",
        `--external-apis ${shown(entry)} isn't valid: use <group>/<version>=<npm package>[@<version>][/<path>], such as ${example}`,
      );
    }
    found.set(api, { path: `${name}${path}`, package: `${name}${version}` });
  }
  return found;
}

/** A kind that has a CustomResourceDefinition. */
export interface DefinedKind {
  /** The group with its domain. */
  readonly group: string;
  readonly kind: string;
}

/** A project, and the corrections of its PROJECT file, one line each. */
export interface ProjectFromGo {
  readonly project: Project;
  readonly notes: readonly string[];
}

/**
 * Converts a PROJECT file of kubebuilder's Go layout to the layout of this scaffolder. Preserves comments and keys of other tools.
 *
 * @param modules the npm modules with the types of external kinds, because their Go modules have none for TypeScript
 * @param defined the kinds that have a CRD; their groups take precedence over those in PROJECT
 */
export function projectFromGo(
  text: string,
  modules: ReadonlyMap<string, ExternalModule>,
  defined: readonly DefinedKind[],
): ProjectFromGo | Problem {
  const read = readProject(text);
  if (isProblem(read) && read.id !== "foreign-project") return read;
  const document = editDocument(text);
  const layout = [document.toJS().layout].flat().map(String);
  if (!layout.some((key) => key.startsWith("go.kubebuilder.io/"))) {
    return stateProblem(
      "no-go-project",
      `the project's layout ${layout.join(", ")} isn't supported: only kubebuilder's Go layouts can be converted, such as go.kubebuilder.io/v4`,
    );
  }
  document.set("layout", [LAYOUT]);
  const resources = document.get("resources");
  const entries = isSeq(resources) ? resources.items.filter((entry) => isMap(entry)) : [];
  const problem = nameModules(entries, modules);
  if (problem !== undefined) return problem;
  const notes = correctGroups(entries, defined, String(document.get("domain") ?? ""));
  const project = readProject(document.toString(format));
  return isProblem(project) ? project : { project, notes };
}

function apiOf(entry: YAMLMap): { group: string; version: string; kind: string } {
  const { group = "", domain = "", version = "", kind = "" } = entry.toJSON();
  return { group: qualifiedGroup(String(group), String(domain)), version: String(version), kind: String(kind) };
}

/** Records the npm modules of external kinds. */
function nameModules(entries: readonly YAMLMap[], modules: ReadonlyMap<string, ExternalModule>): Problem | undefined {
  const missing = new Set<string>();
  for (const entry of entries.filter((each) => each.get("external") === true)) {
    const { group, version } = apiOf(entry);
    const module = modules.get(`${group}/${version}`);
    if (module === undefined) missing.add(`${group}/${version}`);
    entry.set("module", module?.package);
    entry.set("path", module?.path);
  }
  if (missing.size === 0) return undefined;
  const list = [...missing].join(", ");
  return stateProblem(
    "no-external-types",
    `PROJECT has external kinds (${list}) without TypeScript types: set the npm packages that contain them`,
    `--external-apis ${[...missing].map((api) => `${api}=<npm package>[@<version>][/<path>]`).join(",")}, such as ${example}`,
  );
}

/** Corrects the groups in PROJECT: kubebuilder doesn't read them after scaffolding, so they may differ from those in the code. */
function correctGroups(entries: readonly YAMLMap[], defined: readonly DefinedKind[], projectDomain: string): string[] {
  const own = entries.filter((entry) => entry.has("api")).map((entry) => ({ entry, ...apiOf(entry) }));
  const others = defined.filter((each) => !own.some(({ group, kind }) => group === each.group && kind === each.kind));
  const notes = own.flatMap(({ entry, group, kind }) => {
    if (defined.some((each) => each.group === group && each.kind === kind)) return [];
    const [found, another] = others.filter((each) => each.kind === kind);
    if (found === undefined || another !== undefined) return [];
    const parts = groupParts(found.group, projectDomain);
    entry.set("group", parts.group);
    if (parts.domain === "") entry.delete("domain");
    else entry.set("domain", parts.domain);
    return [`changed the group of ${kind} from ${group} (in PROJECT) to ${found.group} (in its CRD)`];
  });
  return [...new Set(notes)];
}
