import { type Document, isMap, isScalar, isSeq, visit, type YAMLMap, type YAMLSeq } from "yaml";
import { shown } from "../text/shown.ts";
import { editDocument } from "../yaml/document.ts";
import { coreGroupOf } from "./core-groups.ts";
import { isLabel } from "./names.ts";
import { inputProblem, isProblem, type Problem, stateProblem } from "./problem.ts";
import { format, LAYOUT, modelOf, type Project, readProject } from "./project-file.ts";
import { groupParts, qualifiedGroup } from "./resource.ts";
import { type Permission, watchedNamespaces } from "./role-namespaces.ts";
import { type CoreKinds, completeModel } from "./target.ts";

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
  const modules = new Map<string, ExternalModule>();
  for (const entry of list.split(",")) {
    const [, api, name, version = "", path = ""] =
      /^([^/=]+\/[^/=]+)=((?:@[^/@=]+\/)?[^/@=]+)(@[^/@=]+)?(\/[^@=]+)?$/.exec(entry) ?? [];
    if (api === undefined || name === undefined) {
      return inputProblem(
        "bad-external-api",
        `--external-apis ${shown(entry)} isn't valid: use <group>/<version>=<npm package>[@<version>][/<path>], such as ${example}`,
      );
    }
    modules.set(api, { path: `${name}${path}`, package: `${name}${version}` });
  }
  return modules;
}

interface Kind {
  /** The group with its domain. */
  readonly group: string;
  readonly kind: string;
}

/** A kind that has a CustomResourceDefinition. */
export interface DefinedKind extends Kind {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** A project, and the corrections of its PROJECT file, one line each. */
export interface ProjectFromGo {
  readonly project: Project;
  readonly notes: readonly string[];
  /** The only namespace that its roles let the manager watch. */
  readonly namespace: string | undefined;
}

/** A kind with types in a PROJECT file. */
export interface KindWithTypes extends Kind {
  readonly version: string;
  /** Its Go package; undefined if PROJECT records none. */
  readonly path: string | undefined;
}

/** Returns the kinds with types in a PROJECT file, which need a CRD; none if it can't be read. */
export function kindsWithTypes(text: string): readonly KindWithTypes[] {
  const document = goDocument(text);
  const resources = document.errors.length > 0 ? undefined : document.get("resources");
  if (!isSeq(resources)) return [];
  return resources.items
    .filter((entry) => isMap(entry))
    .filter((entry) => entry.has("api"))
    .map((entry) => ({ ...apiOf(entry), path: entry.has("path") ? String(entry.get("path")) : undefined }));
}

/**
 * Returns the kinds that were removed from the Go code, but not from PROJECT: their packages have types of other kinds. controller-gen
 * doesn't generate their CRDs, even if the files of earlier ones are still there.
 *
 * @param types - the types that the code declares; undefined without code
 */
export function removedKinds(
  kinds: readonly KindWithTypes[],
  types: ReadonlySet<string> | undefined,
): readonly KindWithTypes[] {
  const hasType = ({ kind }: Kind) => types === undefined || types.has(kind);
  const packages = new Set(kinds.filter(hasType).map(({ path }) => path));
  return kinds.filter((each) => !hasType(each) && each.path !== undefined && packages.has(each.path));
}

/** Parses PROJECT, with the values of aliases instead of them. */
function goDocument(text: string): ReturnType<typeof editDocument> {
  const document = editDocument(text);
  if (document.errors.length > 0) return document;
  visit(document, {
    Alias(_, alias) {
      const value = alias.resolve(document);
      return isScalar(value) ? document.createNode(value.value) : undefined;
    },
  });
  return document;
}

/** Returns a problem of PROJECT with a hint for a Go project, which migrate doesn't change. */
function ofGoProject(problem: Problem): Problem {
  return problem.id === "broken-project" ? { ...problem, hint: "correct it in a copy of the Go project" } : problem;
}

/** Facts about a Go project besides its PROJECT file. */
export interface GoFacts {
  /** The npm modules with the types of external kinds, because their Go modules have none for TypeScript. */
  readonly modules: ReadonlyMap<string, ExternalModule>;
  /** The kinds that have a CRD; their groups take precedence over those in PROJECT. */
  readonly defined: readonly DefinedKind[];
  /** The path of its Go module; undefined without a go.mod. */
  readonly goModule: string | undefined;
  /** The directories of its Go packages. */
  readonly packages: ReadonlySet<string>;
  /** The types that its code declares; undefined without code. */
  readonly types: ReadonlySet<string> | undefined;
  /** The permissions in its markers. */
  readonly permissions: readonly Permission[];
  readonly coreKinds: CoreKinds;
  /** The name of its directory, which names projects without a name in PROJECT. */
  readonly directory: string;
}

/**
 * Converts a PROJECT file of kubebuilder's Go layout to the layout of this scaffolder. Preserves comments and keys of other tools.
 */
export function projectFromGo(text: string, facts: GoFacts): ProjectFromGo | Problem {
  const document = goDocument(text);
  const data: unknown = document.errors.length > 0 ? undefined : document.toJS();
  const named: string[] = [];
  if (isPlainMap(data)) {
    if (String(data.version) === "2") return oldVersion;
    // The name of version 3 until kubebuilder 3.
    if (data.version === "3-alpha") document.set("version", "3");
    // Early versions of operator-sdk wrote none.
    if (data.layout === undefined && facts.goModule !== undefined) document.set("layout", ["go.kubebuilder.io/v3"]);
    if (data.repo === undefined && facts.goModule !== undefined) document.set("repo", facts.goModule);
    const name = facts.directory.toLowerCase();
    if (data.projectName === undefined && isLabel(name)) {
      document.set("projectName", name);
      named.push(`PROJECT has no projectName: it is ${name} now, the name of the directory`);
    }
  }
  const read = readProject(document.errors.length > 0 ? text : document.toString(format));
  if (isProblem(read) && read.id !== "foreign-project") return ofGoProject(read);
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
  for (const entry of entries) recognizeBuiltIn(entry);
  for (const entry of entries) recognizeExternal(entry, [String(document.get("repo") ?? ""), facts.goModule], facts);
  const problem = nameModules(entries, facts.modules);
  if (problem !== undefined) return problem;
  const domain = String(document.get("domain") ?? "");
  correctDomains(entries, facts.defined, domain);
  const notes = [...named, ...correctGroups(entries, facts.defined, domain)];
  const own = entries.filter((entry) => entry.get("core") !== true && entry.get("external") !== true);
  for (const entry of own) setGroup(entry, apiOf(entry).group, domain);
  if (document.get("multigroup") !== true) notes.push(...separateGroups(document, facts.defined, domain));
  if (isSeq(resources)) notes.push(...dropKindsWithoutTypes(resources, facts));
  const { namespace, notes: watched } = watchOneNamespace(document, facts);
  notes.push(...watched);
  // With a comment, the printer writes an empty list that can't be read.
  if (isSeq(resources) && resources.items.length === 0) document.delete("resources");
  const project = readProject(document.toString(format));
  return isProblem(project) ? ofGoProject(project) : { project, notes, namespace };
}

/** Makes the manager watch one namespace if it has no role for others: its watches of all namespaces would be refused. */
function watchOneNamespace(
  document: Document,
  { permissions, defined, coreKinds }: GoFacts,
): { readonly namespace: string | undefined; readonly notes: readonly string[] } {
  const read = readProject(document.toString(format));
  const kinds = isProblem(read) ? [] : read.resources.map((entry) => completeModel(entry, coreKinds));
  const watched = kinds.map(({ qualifiedGroup: group, kind, plural, namespaced }) => {
    const crd = defined.find((definedKind) => definedKind.group === group && definedKind.kind === kind);
    return { group, plural: crd?.plural ?? plural, namespaced: crd?.namespaced ?? namespaced };
  });
  const namespaces = watchedNamespaces(permissions, watched);
  const [namespace, ...more] = namespaces;
  if (namespace === undefined) return { namespace, notes: [] };
  if (more.length > 0) {
    const note = `the roles for the kinds of the Go project are only in the namespaces ${namespaces.join(", ")}, but the new manager watches all: set cache.defaultNamespaces in src/main.ts`;
    return { namespace: undefined, notes: document.has("namespaced") ? [] : [note] };
  }
  if (document.has("namespaced")) return { namespace, notes: [] };
  document.set("namespaced", true);
  const note = `the roles for the kinds of the Go project are in the namespace ${namespace}, so the new manager watches one namespace: its own, unless config/manager/manager.yaml sets another WATCH_NAMESPACE`;
  return { namespace, notes: [note] };
}

const oldVersion = stateProblem(
  "old-project",
  "PROJECT has version 2: scaffold migrate reads version 3, the one of kubebuilder 3 and 4",
  'write a PROJECT of version 3 first: run kubebuilder init and kubebuilder create api with the same kinds in an empty directory, and copy its PROJECT (layout go.kubebuilder.io/v4, version: "3")',
);

const isPlainMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Marks kinds of Kubernetes, which older versions of kubebuilder recorded without `core: true`. */
function recognizeBuiltIn(entry: YAMLMap): void {
  const { path, core, api, external } = entry.toJSON();
  const [, name = ""] = /^k8s\.io\/api\/([\w.]+)\/\w+$/.exec(String(path)) ?? [];
  const coreGroup = coreGroupOf(name);
  if (core === true || external === true || api !== undefined || coreGroup === undefined) return;
  const [group, domain] = coreGroup;
  setKey(entry, "core", true);
  setKey(entry, "group", group);
  setKey(entry, "domain", domain);
}

/**
 * Marks kinds whose types are in another Go module, which were recorded like own ones before kubebuilder had external kinds. The new
 * project would define them, with other types than their owner.
 *
 * @param modules - the names of the project's own module
 */
function recognizeExternal(
  entry: YAMLMap,
  modules: readonly (string | undefined)[],
  { defined, packages }: GoFacts,
): void {
  const { path, api, core, controller, controllers, external, webhooks } = entry.toJSON();
  const { group, kind } = apiOf(entry);
  const hasCode = controller === true || controllers !== undefined || webhooks !== undefined;
  if (typeof path !== "string" || api === undefined || core === true || external === true || !hasCode) return;
  if (defined.some((definedKind) => definedKind.group === group && definedKind.kind === kind)) return;
  const parts = path.split("/");
  // A module may have been renamed since.
  const isOwn =
    modules.some((module) => module !== undefined && `${path}/`.startsWith(`${module}/`)) ||
    parts.some((_, index) => index < parts.length - 1 && packages.has(parts.slice(index).join("/")));
  if (isOwn || packages.size === 0) return;
  entry.delete("api");
  setKey(entry, "external", true);
}

/** Writes a group as this scaffolder splits it. */
function setGroup(entry: YAMLMap, whole: string, projectDomain: string): void {
  const parts = groupParts(whole, projectDomain);
  for (const key of ["group", "domain"] as const) setKey(entry, key, parts[key]);
}

/** Sets a key, or removes it if the value is empty. New keys are in alphabetical order, as in kubebuilder's files. */
function setKey(entry: YAMLMap, key: string, value: string | boolean): void {
  if (value === "") entry.delete(key);
  else if (entry.get(key) !== value) {
    entry.set(key, value);
    entry.items.sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));
  }
}

/**
 * Gives each group directories of its own if several would share the main ones: a directory can contain types of one group only.
 * In Go, any package can be a group.
 */
function separateGroups(document: Document, defined: readonly DefinedKind[], domain: string): string[] {
  const read = readProject(document.toString(format));
  if (isProblem(read)) return [];
  const own = read.resources.map(modelOf).filter(({ origin }) => origin === "own");
  // Other groups that are only in CRDs have directories of their own in any layout.
  const added = defined.filter(({ group }) => domain === "" || groupParts(group, domain).domain !== "");
  const shared = new Set([
    ...own.filter(({ apart }) => apart !== true).map(({ qualifiedGroup: group }) => group),
    ...added.map(({ group }) => group),
  ]);
  if (shared.size < 2) return [];
  document.set("multigroup", true);
  return [
    `set multigroup: true in PROJECT, because the project has the groups ${[...shared].sort().join(", ")}: each gets directories of its own`,
  ];
}

/** Removes kinds that have neither types nor a CRD: their types are in another Go module, or they aren't served. */
function dropKindsWithoutTypes(resources: YAMLSeq, { defined, types }: GoFacts): string[] {
  const notes: string[] = [];
  for (const entry of [...resources.items]) {
    if (!isMap(entry) || entry.get("core") === true || entry.get("external") === true) continue;
    const { group, version, kind } = apiOf(entry);
    if (defined.some((definedKind) => definedKind.group === group && definedKind.kind === kind)) continue;
    const { api, controller, controllers, webhooks } = entry.toJSON();
    const hasCode = controller === true || controllers !== undefined || webhooks !== undefined;
    // Kinds that were removed from the code stay in PROJECT.
    const isGone = api !== undefined && defined.length > 0 && types !== undefined && !types.has(kind);
    if (api !== undefined && !isGone && (hasCode || defined.length === 0)) continue;
    resources.items.splice(resources.items.indexOf(entry), 1);
    const name = `${kind} of ${group}/${version}`;
    notes.push(
      api === undefined
        ? `not taken over: ${name} has ${webhooks === undefined ? "a controller" : "webhooks"} in PROJECT, but no types: add it with npx scaffold create api --external-api-path <module>`
        : isGone
          ? `not taken over: ${name} is in PROJECT, but the Go code has no type of this name`
          : `not taken over: ${name} has types in PROJECT, but no CRD, as a file of settings has none`,
    );
  }
  return notes;
}

function apiOf(entry: YAMLMap): { group: string; version: string; kind: string } {
  const { group = "", domain = "", version = "", kind = "" } = entry.toJSON();
  return { group: qualifiedGroup(String(group), String(domain)), version: String(version), kind: String(kind) };
}

/** Records the npm modules of external kinds. */
function nameModules(entries: readonly YAMLMap[], modules: ReadonlyMap<string, ExternalModule>): Problem | undefined {
  const missing = new Set<string>();
  for (const entry of entries.filter((entry) => entry.get("external") === true)) {
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

/**
 * Corrects the domains in PROJECT by the CRDs: early versions of kubebuilder recorded kinds with their group only, and authors
 * repeat the domain in the group.
 */
function correctDomains(entries: readonly YAMLMap[], defined: readonly DefinedKind[], projectDomain: string): void {
  const isDefined = (group: string, kind: string) =>
    defined.some((definedKind) => definedKind.group === group && definedKind.kind === kind);
  for (const entry of entries) {
    const { group, kind } = apiOf(entry);
    const isForeign = entry.get("core") === true || entry.get("external") === true;
    if (isForeign || isDefined(group, kind)) continue;
    const alone = String(entry.get("group") ?? "");
    const whole = entry.has("domain") ? alone : qualifiedGroup(group, projectDomain);
    if (isDefined(whole, kind)) setGroup(entry, whole, projectDomain);
  }
}

/** Corrects the groups in PROJECT: kubebuilder doesn't read them after scaffolding, so they may differ from those in the code. */
function correctGroups(entries: readonly YAMLMap[], defined: readonly DefinedKind[], projectDomain: string): string[] {
  const own = entries.filter((entry) => entry.has("api")).map((entry) => ({ entry, ...apiOf(entry) }));
  const others = defined.filter(
    (definedKind) => !own.some(({ group, kind }) => group === definedKind.group && kind === definedKind.kind),
  );
  const notes = own.flatMap(({ entry, group, kind }) => {
    if (defined.some((definedKind) => definedKind.group === group && definedKind.kind === kind)) return [];
    const [recorded, another] = others.filter((other) => other.kind === kind);
    if (recorded === undefined || another !== undefined) return [];
    setGroup(entry, recorded.group, projectDomain);
    return [`changed the group of ${kind} from ${group} (in PROJECT) to ${recorded.group} (in its CRD)`];
  });
  return [...new Set(notes)];
}
