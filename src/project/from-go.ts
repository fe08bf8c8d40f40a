import { isMap, isSeq, type YAMLMap } from "yaml";
import { editDocument } from "../yaml/document.ts";
import { shown } from "./names.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import { format, LAYOUT, type Project, readProject } from "./project-file.ts";
import { groupParts, qualifiedGroup } from "./resource.ts";

/** Where the types of kinds from elsewhere are in npm. */
export interface ExternalModule {
  /** What is imported, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`. */
  readonly path: string;
  /** The package to depend on, with a version or without. */
  readonly package: string;
}

const example = "cert-manager.io/v1=@kubernetes-models/cert-manager@6.0.0/cert-manager.io/v1";

/** Reads `<group>/<version>=<package>[@<version>][/<path>],…`; the keys of what it gives are groups with versions. */
export function externalModules(list: string): ReadonlyMap<string, ExternalModule> | Problem {
  const found = new Map<string, ExternalModule>();
  for (const entry of list.split(",")) {
    const [, api, name, version = "", path = ""] =
      /^([^/=]+\/[^/=]+)=((?:@[^/@=]+\/)?[^/@=]+)(@[^/@=]+)?(\/[^@=]+)?$/.exec(entry) ?? [];
    if (api === undefined || name === undefined) {
      return inputProblem(
        "bad-external-api",
        `--external-apis ${shown(entry)} is not <group>/<version>=<npm package>[@<version>][/<path>], such as ${example}`,
      );
    }
    found.set(api, { path: `${name}${path}`, package: `${name}${version}` });
  }
  return found;
}

/** A kind that has a CustomResourceDefinition. */
export interface DefinedKind {
  /** The whole name. */
  readonly group: string;
  readonly kind: string;
}

/** A project, and what of its file had to be corrected, a line each. */
export interface ProjectFromGo {
  readonly project: Project;
  readonly notes: readonly string[];
}

/**
 * The project that a PROJECT file of kubebuilder's Go layout describes, in the layout of this scaffolder. All else stays: comments, and
 * what other tools have recorded.
 *
 * @param modules where the types of kinds from elsewhere are: a Go module has none for TypeScript
 * @param defined the kinds that have a definition: a group that PROJECT has and no definition is theirs
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
      `the project's layout is ${layout.join(", ")}: kubebuilder's projects in Go are what can be moved, such as go.kubebuilder.io/v4`,
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

function isProblem(found: object): found is Problem {
  return "message" in found;
}

function apiOf(entry: YAMLMap): { group: string; version: string; kind: string } {
  const { group = "", domain = "", version = "", kind = "" } = entry.toJSON();
  return { group: qualifiedGroup(String(group), String(domain)), version: String(version), kind: String(kind) };
}

/** Says of kinds from elsewhere where their types are. */
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
    `PROJECT has kinds from elsewhere (${list}), and their Go module has no types for TypeScript: say which npm package has them`,
    `--external-apis ${[...missing].map((api) => `${api}=<npm package>[@<version>][/<path>]`).join(",")}, such as ${example}`,
  );
}

/** Nothing of kubebuilder's reads the group that PROJECT has, once the code is there: it may be another than the code's. */
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
    return [`${kind} is of the group ${found.group}, as its definition says: PROJECT had ${group}`];
  });
  return [...new Set(notes)];
}
