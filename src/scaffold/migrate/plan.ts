import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { withoutResource, withResource } from "../../project/change-project.ts";
import { typesFile } from "../../project/paths.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { modelOf, type Project, readProject } from "../../project/project-file.ts";
import { type ReplayInput, replayOn } from "../commands/replay.ts";
import { MemoryTree } from "../files/memory-tree.ts";
import { operationsTo, type Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import type { MarkerTexts } from "../from-crd/markers.ts";
import { partsOf } from "../from-crd/plan.ts";
import { resourceOf } from "../from-crd/resource.ts";
import type { SampleProblems } from "../from-crd/sample-rules.ts";
import type { ForeignTypes } from "../from-crd/type-writer.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { mainFile } from "../parts/main-file.ts";
import type { Templates } from "../templates/templates.ts";
import { markStorageVersion, unmarkStorageVersion } from "../text/storage-version.ts";
import { withoutConfigurations } from "../webhook/manifests.ts";
import { electionNotes } from "./election.ts";
import {
  controllerOf,
  type GoMarker,
  type GoMarkers,
  unreadNotes,
  webhookPath,
  withMarkersAtEnd,
  withRoles,
  withWebhooks,
} from "./go-markers.ts";
import { type Handwritten, handwrittenManifests } from "./handwritten.ts";
import { kustomizeNames } from "./kustomize-names.ts";
import { leftBehind } from "./left-behind.ts";
import { permissionsInRoles, withoutOtherPrograms } from "./other-programs.ts";
import { type MigrationReport, reportOf } from "./report.ts";
import { type GoSamples, migratedSamples } from "./samples.ts";
import { type Settings, withSettings } from "./settings.ts";

/** The input for migrating a Go project. */
export interface MigrateInput extends Omit<ReplayInput, "define">, Settings {
  readonly samples: GoSamples;
  readonly sources: readonly GoMarkers[];
  /** Finds built-in Kubernetes types among the schemas. */
  readonly foreignTypes: ForeignTypes;
  readonly markerTexts: MarkerTexts;
  /** Compares samples with the schemas of their kinds. */
  readonly sampleProblems: SampleProblems;
}

/** The changes of a migration, and what it converts. */
export interface MigrationPlan extends Plan {
  readonly report: MigrationReport;
}

/**
 * Plans a project that corresponds to a Go project: the resources in PROJECT, types from its CRDs, and its markers for roles
 * and webhooks.
 *
 * @throws ProblemError if files already exist
 */
export async function planMigration(tree: Tree, templates: Templates, input: MigrateInput): Promise<MigrationPlan> {
  const { crds, samples, sources, year, foreignTypes, markerTexts, sampleProblems } = input;
  const notes = kindNotes(input.project, crds);
  const project = crds.reduce(withDefinition, withoutGoneVersions(input.project, crds, notes));
  const draft = new MemoryTree(tree);
  await replayOn(draft, templates, {
    ...input,
    project,
    define: (before, current, resource) => {
      const crd = crds.find((crd) => isOf(crd, resource.qualifiedGroup, resource.kind));
      const version = crd?.spec.versions.find(({ name }) => name === resource.version);
      if (crd === undefined || version === undefined) return undefined;
      const header = projectHeader(before, year);
      const place = { tree: before, project: current, header, foreignTypes, markerTexts, sampleProblems };
      const { notes: lost, sampleNotes: _, sampleProblem: __, ...definition } = partsOf(crd, version, resource, place);
      notes.push(...lost);
      return definition;
    },
  });
  notes.push(...keepStorage(draft, project, crds));
  const migrated = migratedSamples(project, crds, samples, sampleProblems, draft, input.namespace);
  write(draft, migrated.contents);
  notes.push(...migrated.notes);
  const handwritten = handwrittenManifests(draft, input.files, sources, input.generations);
  notes.push(...moveMarkers(draft, project, sources, handwritten));
  const role = handwritten.contents.get("config/rbac/role.yaml");
  const permissions = role === undefined ? input.permissions : permissionsInRoles(role);
  const main = withoutOtherPrograms(draft.readText(mainFile) ?? "", project, permissions, input.coreKinds);
  write(draft, new Map([[mainFile, main.text]]));
  notes.push(...main.notes);
  const { namespace: deployedTo } = kustomizeNames(input.files, "config/default") ?? {};
  notes.push(...electionNotes(input.files, project.projectName, deployedTo));
  const { contents, notes: more } = withSettings(draft, input, handwritten, migrated.rejected);
  write(draft, contents);
  notes.push(...more, ...leftBehind(input.files, draft, [...handwritten.copied, ...migrated.copied]));
  const plan = draft.plan();
  const report = reportOf(project, draft, input.files);
  return { ...plan, notes: [...(plan.notes ?? []), ...notes], report };
}

/**
 * Marks the storage versions of the CRDs. A hub that PROJECT records may be another version, and objects in a cluster keep theirs.
 *
 * @returns a note per kind whose hub isn't its storage version
 */
function keepStorage(draft: MemoryTree, project: Project, crds: readonly CustomResourceDefinition[]): string[] {
  const notes: string[] = [];
  const contents = new Map<string, string>();
  for (const entry of project.resources) {
    const { origin, kind, typeName, version, qualifiedGroup, ...rest } = modelOf(entry);
    const crd = origin === "own" ? crds.find((each) => isOf(each, qualifiedGroup, kind)) : undefined;
    const stored = crd?.spec.versions.find(({ storage }) => storage)?.name;
    if (stored === undefined || crd?.spec.versions.length === 1) continue;
    const path = typesFile({ ...rest, kind, version }, project);
    const text = draft.readText(path) ?? "";
    const changed = version === stored ? markStorageVersion(text, typeName) : unmarkStorageVersion(text, typeName);
    if (changed !== undefined && changed !== text) contents.set(path, changed);
    if (entry.webhooks?.conversion === true && version !== stored) {
      notes.push(
        `the hub of ${kind} is ${version}, because PROJECT records the conversion there, and the storage version is ${stored}, as in the CRD: if the hub of the Go code is ${stored}, delete the conversion with npx scaffold delete webhook, and create it for ${stored}`,
      );
    }
  }
  write(draft, contents);
  return notes;
}

/** Removes versions that are no longer in the CRDs. Their controllers and webhooks move to the storage version. */
function withoutGoneVersions(project: Project, crds: readonly CustomResourceDefinition[], notes: string[]): Project {
  return project.resources.reduce((before, entry) => {
    const model = modelOf(entry);
    const crd = model.origin === "own" ? crds.find((crd) => isOf(crd, model.qualifiedGroup, model.kind)) : undefined;
    const stored = crd?.spec.versions.find(({ storage }) => storage);
    if (crd === undefined || stored === undefined || crd.spec.versions.some(({ name }) => name === model.version)) {
      return before;
    }
    notes.push(
      `${model.kind} has no version ${model.version} in its definition: what PROJECT had of it is of ${stored.name} now`,
    );
    const after = read(withoutResource(before, model));
    const { controller, controllers, webhooks } = entry;
    const names = controllers?.map(({ name }) => name);
    return read(withResource(after, resourceOf(crd, stored, after), { controller, controllers: names, webhooks }));
  }, project);
}

/** Records all versions of a CRD in the project. */
function withDefinition(project: Project, crd: CustomResourceDefinition): Project {
  return crd.spec.versions.reduce(
    (before, version) => read(withResource(before, resourceOf(crd, version, before), { api: true })),
    project,
  );
}

function read(text: string): Project {
  const project = readProject(text);
  if ("message" in project) throw new ProblemError(project.id, project.message);
  return project;
}

/** Describes kinds that are only in PROJECT or only in the CRDs. */
function kindNotes(project: Project, crds: readonly CustomResourceDefinition[]): string[] {
  const own = project.resources.map(modelOf).filter(({ origin }) => origin === "own");
  const without = own.filter(({ qualifiedGroup, kind }) => !crds.some((crd) => isOf(crd, qualifiedGroup, kind)));
  const added = crds.filter((crd) => !own.some(({ qualifiedGroup, kind }) => isOf(crd, qualifiedGroup, kind)));
  return [
    ...[...new Set(without.map(({ kind }) => kind))].map(
      (kind) =>
        `${kind} has no definition in config/crd/bases: run make manifests in the Go project and migrate again, or edit its scaffolded types by hand`,
    ),
    ...added.map((crd) => `${crd.metadata.name} has no kind in PROJECT: it gets types, but no controller`),
  ];
}

function isOf({ spec }: CustomResourceDefinition, group: string, kind: string): boolean {
  return spec.group === group && spec.names.kind === kind;
}

/** Writes the user's own files, for which no pristine copies are kept. */
function write(draft: MemoryTree, contents: ReadonlyMap<string, string>): void {
  draft.apply({ root: draft.root, operations: operationsTo(draft, contents), kept: [], overwritten: [] });
}

/** Replaces the scaffolded markers for roles and webhooks with those of the Go project. Returns notes for the user. */
function moveMarkers(
  draft: MemoryTree,
  project: Project,
  sources: readonly GoMarkers[],
  { contents: written }: Handwritten,
): string[] {
  const notes: string[] = [];
  // Of a project without Go code, only PROJECT is known.
  if (sources.length === 0) return notes;
  const contents = new Map<string, string>();
  const text = (path: string) => contents.get(path) ?? draft.readText(path) ?? "";
  const controllers = draft
    .paths()
    .filter((path) => path.startsWith("src/controller/") && path.endsWith("-controller.ts"));
  const markers = new Map<string, string[]>(controllers.map((path) => [path, []]));
  const atEnd: string[] = [];
  for (const source of sources) {
    const { path, roles, configurations } = source;
    notes.push(...unreadNotes(source));
    const controller = controllerOf(path, controllers);
    const own = roles.map((marker) => marker.text);
    if (controller !== undefined) markers.get(controller)?.push(...own);
    else if (own.length > 0) {
      atEnd.push(...own);
      notes.push(
        `the role markers of ${path} are at the end of ${mainFile} now: no controller has the name of that file`,
      );
    }
    atEnd.push(...configurations.map((marker) => marker.text));
  }
  // Without markers and a role in the Go project, the scaffolded markers stay: without permissions, no controller starts.
  const hasRoles = written.has("config/rbac/role.yaml") || sources.some(({ roles }) => roles.length > 0);
  for (const [path, own] of hasRoles ? markers : []) contents.set(path, withRoles(text(path), own));
  const webhooks = new Map<string, GoMarker[]>();
  for (const marker of sources.flatMap((source) => source.webhooks)) {
    const served = webhookPath(marker.text);
    webhooks.set(served, [...(webhooks.get(served) ?? []), marker]);
  }
  if (webhooks.size === 0 && !written.has("config/webhook/manifests.yaml")) {
    for (const [path, changed] of withoutConfigurations(draft)) contents.set(path, changed);
    notes.push(...unconfiguredNotes(project));
  }
  for (const path of draft.paths().filter((each) => /^(src|api)\/.*\.ts$/.test(each))) {
    contents.set(path, withWebhooks(text(path), webhooks));
  }
  for (const [served, own] of webhooks) {
    atEnd.push(...own.map((marker) => marker.text));
    notes.push(`${own[0]?.at}: ${unservedWebhook(project, served, own)}`);
  }
  contents.set(mainFile, withMarkersAtEnd(text(mainFile), atEnd));
  write(draft, contents);
  return notes;
}

/** Describes the webhooks that no configuration of the new project names, as in the Go project. */
function unconfiguredNotes(project: Project): string[] {
  const kinds = project.resources
    .filter(({ webhooks }) => webhooks?.defaulting === true || webhooks?.validation === true)
    .map(({ kind }) => kind);
  if (kinds.length === 0) return [];
  return [
    `controller-gen reads no webhook markers in the Go code, so no configuration makes the API server call the webhooks of ${[...new Set(kinds)].join(", ")}: if the Go operator's webhooks are configured in another way, add that configuration to config/webhook`,
  ];
}

/** Describes a webhook that the new project configures but doesn't serve. */
function unservedWebhook(project: Project, path: string, [marker]: readonly GoMarker[]): string {
  const option = (name: string) => new RegExp(`[:,]${name}="?\\{?([^,;}"]*)`).exec(marker?.text ?? "")?.[1] ?? "";
  const of = project.resources
    .map(modelOf)
    .find(
      (model) =>
        model.qualifiedGroup === option("groups") &&
        model.version === option("versions") &&
        model.plural === option("resources"),
    );
  const missing = `the webhook at ${path} isn't served yet, and its marker is at the end of ${mainFile}`;
  if (of === undefined) {
    return `${missing}: PROJECT has no kind for it; serve the path in the new project, or remove the marker`;
  }
  const type = option("mutating") === "true" ? "--defaulting" : "--programmatic-validation";
  return `${missing}: PROJECT doesn't record it for ${of.kind}; run npx scaffold create webhook --group ${of.group} --version ${of.version} --kind ${of.kind} ${type}, and move the marker there`;
}
