import { stringify } from "yaml";
import type { CrdVersion, CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { withoutControllerElsewhere, withResource } from "../../project/change-project.ts";
import { versionsOf } from "../../project/entries.ts";
import { apiDirectory, kindFile, sampleName, samplePath, typesFile as typesPath } from "../../project/paths.ts";
import { ProblemError } from "../../project/problem-error.ts";
import { format, modelOf, type Project, readProject } from "../../project/project-file.ts";
import { hasTypes, type Resource } from "../../project/resource.ts";
import type { CoreKinds } from "../../project/target.ts";
import type { Plan } from "../files/operation.ts";
import type { Tree } from "../files/tree.ts";
import type { Definition } from "../parts/api-model.ts";
import { scaffoldApi } from "../parts/api-parts.ts";
import { projectHeader } from "../parts/boilerplate.ts";
import { keepStorageVersion } from "../parts/keep-storage-version.ts";
import { roleTest, withoutSamples } from "../parts/role-test.ts";
import { PlanBuilder } from "../plan/plan.ts";
import type { Templates } from "../templates/templates.ts";
import type { MarkerTexts } from "./markers.ts";
import { resourceOf } from "./resource.ts";
import { sampleOf } from "./sample.ts";
import type { SampleProblems } from "./sample-rules.ts";
import type { ForeignTypes } from "./type-writer.ts";
import { typesFile } from "./types-file.ts";

/** The input for scaffolding from a CRD, with names validated against the rules and the project. */
export interface FromCrdInput {
  readonly project: Project;
  readonly crd: CustomResourceDefinition;
  readonly coreKinds: CoreKinds;
  readonly controller: boolean;
  /** Whether the controller has a set of children. */
  readonly children: boolean;
  /** Whether the CRD belongs to another project, so that the kind gets only types. */
  readonly external: boolean;
  readonly force: boolean;
  readonly year: number;
  /** Finds built-in Kubernetes types among the schemas. */
  readonly foreignTypes: ForeignTypes;
  readonly markerTexts: MarkerTexts;
  readonly sampleProblems: SampleProblems;
}

/** Plans types for all versions of a CRD, and a controller for the storage version. */
export function planFromCrd(tree: Tree, templates: Templates, input: FromCrdInput): Plan {
  const { force, external, coreKinds } = input;
  const others = external ? [] : otherVersions(input);
  const crd = others.length === 0 ? input.crd : withoutStorage(input.crd);
  const plan = new PlanBuilder(tree, { force });
  const header = projectHeader(tree, input.year);
  const stored = storedOf(input.crd);
  let { project } = input;
  for (const version of crd.spec.versions) {
    const resource = resourceOf(crd, version, project, external);
    const controller = input.controller && version.name === stored?.name;
    if (controller) project = withoutControllerElsewhere(project, resource, kindFile(resource.kind));
    const place = { ...input, tree, project, header };
    const { notes, sampleNotes, sampleProblem, ...definition } = partsOf(crd, version, resource, place);
    // An external kind needs no markers, so it doesn't matter what they can't express.
    if (!external) for (const note of [...notes, ...sampleNotes]) plan.note(note);
    const controllerName = kindFile(resource.kind);
    const children = input.children ? [controllerName] : [];
    const parts = { project, resource, coreKinds, api: true, controller, children, definition, header };
    for (const target of plan.both()) scaffoldApi(target, target.tree, templates, parts);
    if (!external && sampleProblem !== undefined) leaveOut(plan, samplePath(resource), sampleProblem);
    const changed = readProject(
      withResource(project, resource, {
        api: !external,
        controller,
        kstatus: false,
        ...(controller ? { children: { controller: controllerName, isListed: input.children } } : {}),
      }),
    );
    if ("message" in changed) throw new ProblemError(changed.id, changed.message);
    project = changed;
  }
  if (others.length > 0) keepStored(plan, input);
  plan.artifact("PROJECT", project.text);
  return plan.build();
}

/** Returns the versions of the kind that the project has, and the CRD doesn't. */
function otherVersions({ project, crd }: FromCrdInput): string[] {
  const imported = crd.spec.versions.map(({ name }) => name);
  return crd.spec.versions
    .slice(0, 1)
    .flatMap((version) => versionsOf(project, resourceOf(crd, version, project)))
    .map(({ version }) => version)
    .filter((version) => !imported.includes(version));
}

function storedOf({ spec }: CustomResourceDefinition): CrdVersion | undefined {
  return spec.versions.find(({ storage }) => storage) ?? spec.versions[0];
}

function withoutStorage(crd: CustomResourceDefinition): CustomResourceDefinition {
  const versions = crd.spec.versions.map((version) => ({ ...version, storage: false }));
  return { ...crd, spec: { ...crd.spec, versions } };
}

/** Keeps the storage version of a kind that the project has in other versions, too, and notes which one it is. */
function keepStored(plan: PlanBuilder, { project, crd }: FromCrdInput): void {
  const version = storedOf(crd);
  if (version === undefined) return;
  const resource = resourceOf(crd, version, project);
  const written = crd.spec.versions.map(({ name }) => name);
  let kept: string | undefined;
  for (const target of plan.both()) kept = keepStorageVersion(target, { project, resource }, written);
  plan.note(`${resource.kind} is still stored as ${kept}: "+kubebuilder:storageversion" sets another version`);
}

/** Leaves a sample that the API server rejects out of the test that creates all samples. */
function leaveOut(plan: PlanBuilder, sample: string, problem: string): void {
  // A user can have removed the test.
  if (plan.text(roleTest) === undefined) return;
  plan.editIfPossible(
    roleTest,
    (text) => withoutSamples(text, new Map([[sample, problem]])),
    `${sample} may fail in ${roleTest}: correct it, or leave it out there with { except: ["${sample}"] }`,
  );
}

/**
 * Generates the types and sample of one version of a CRD. Also returns a note for each property that they can't express.
 *
 * @param place the project before the change
 */
export function partsOf(
  crd: CustomResourceDefinition,
  version: CrdVersion,
  resource: Resource,
  place: Pick<FromCrdInput, "project" | "foreignTypes" | "markerTexts" | "sampleProblems"> & {
    readonly tree: Tree;
    readonly header: string;
  },
): Definition & {
  readonly notes: readonly string[];
  readonly sampleNotes: readonly string[];
  readonly sampleProblem: string | undefined;
} {
  const { tree, project, header, foreignTypes, markerTexts, sampleProblems } = place;
  const taken = namesBeside(tree, project, resource);
  const made = typesFile(crd, version, {
    header,
    taken,
    foreignTypes,
    markerTexts,
    external: resource.origin === "external",
  });
  const { qualifiedGroup, kind } = resource;
  const names = { apiVersion: `${qualifiedGroup}/${version.name}`, kind, name: sampleName(resource) };
  const sample = sampleOf(version.schema.openAPIV3Schema, names, sampleProblems);
  return {
    name: crd.metadata.name,
    types: made.text,
    sampleName: sample.name,
    sample:
      Object.keys(sample.values).length === 0
        ? ""
        : stringify(sample.values, { ...format, aliasDuplicateObjects: false }).trimEnd(),
    notes: made.notes.map((note) => `not in the types: ${note}`),
    sampleNotes: sample.notes.map((note) => `${samplePath(resource)}, ${note}`),
    sampleProblem: sample.notes[0],
  };
}

/** Returns the names that other types files in a directory export, because the directory's index exports all of them. */
function namesBeside(tree: Tree, project: Project, resource: Resource): string[] {
  const own = typesPath(resource, project);
  const files = project.resources
    .map(modelOf)
    .filter((other) => hasTypes(other) && apiDirectory(other, project) === apiDirectory(resource, project))
    .map((other) => typesPath(other, project))
    .filter((file) => file !== own);
  return files.flatMap((file) => {
    const matches = (tree.readText(file) ?? "").matchAll(
      /^export (?:declare )?(?:interface|type|class|const|enum) (\w+)/gm,
    );
    return [...matches].map(([, name = ""]) => name);
  });
}
