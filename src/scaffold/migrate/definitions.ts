import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { isProblem, type Problem } from "../../project/problem.ts";
import { readCrds } from "../from-crd/read.ts";
import { namesProblem } from "../from-crd/resource.ts";
import { isMap, mapOf } from "../text/maps.ts";
import type { GoFile } from "./left-behind.ts";
import { readableValues } from "./readable-values.ts";

/** The CRDs of a Go project. */
export interface Definitions {
  readonly crds: readonly CustomResourceDefinition[];
  /** One line for each file that is left out, or that isn't in the usual directory. */
  readonly notes: readonly string[];
}

/** A kind in PROJECT. */
interface Kind {
  /** With its domain. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const bases = /(^|\/)crd\/bases\/[^/]+\.ya?ml$/;
const yaml = /\.ya?ml$/;
/** Directories whose CRDs are those of other projects, or older ones. */
const unlikely = /(^|\/)(e2e|tests?|hack|examples?|docs|third_party|bundle|vendor)\//;

/**
 * Finds the CRDs of a Go project: those in `config/crd/bases` or the directory that its Makefile names, and those of its kinds
 * anywhere else. If several files define a kind, the first of these places wins.
 *
 * @param files - all files of the project
 * @param output - the directory in its Makefile
 * @param kinds - the kinds in PROJECT
 * @param removed - those that the Go code no longer has
 * @param separate - files of a directory that the user named; if there are any, the project's own files aren't read
 */
export function definitionsOf(
  files: readonly GoFile[],
  output: string | undefined,
  { kinds, removed }: { readonly kinds: readonly Kind[]; readonly removed: readonly Kind[] },
  separate: readonly GoFile[],
): Definitions | Problem {
  const found = new Map<string, CustomResourceDefinition>();
  const notes: string[] = [];
  const isInOutput = ({ path }: GoFile) => output !== undefined && path.startsWith(`${output}/`) && yaml.test(path);
  const ranked =
    separate.length > 0
      ? [separate]
      : [
          files.filter(isInOutput),
          files.filter(({ path }) => path.startsWith("config/crd/bases/") && bases.test(path)),
          files.filter(({ path }) => bases.test(path) && !unlikely.test(path)),
        ];
  for (const file of new Set(ranked.flat())) {
    if (/(^|\/)kustomization\.ya?ml$/.test(file.path)) continue;
    const text = file.text();
    if (isOfNoKind(text)) {
      notes.push(
        `${file.path} is left out: it is a CustomResourceDefinition without a kind, as controller-gen once wrote`,
      );
      continue;
    }
    const crds = readCrds(text, file.path);
    if (isProblem(crds)) return crds;
    if (crds.length === 0) notes.push(`${file.path} is left out: it contains no CustomResourceDefinition`);
    for (const crd of crds) {
      const problem = namesProblem(crd);
      if (problem !== undefined && separate.length > 0) return problem;
      if (problem !== undefined)
        notes.push(`${file.path} is left out, because the API server rejects it: ${problem.message}`);
      else if (!found.has(crd.metadata.name)) found.set(crd.metadata.name, crd);
    }
  }
  leaveOutOlderNames(found, notes);
  if (separate.length === 0) {
    leaveOutRemoved(removed, found, notes);
    findOthers(
      files,
      kinds.filter((kind) => !removed.includes(kind)),
      found,
      notes,
    );
  }
  return { crds: [...found.values()], notes };
}

/** Keeps one CRD per kind: those with earlier plurals often stay in the directory, but a kind can have only one. */
function leaveOutOlderNames(found: Map<string, CustomResourceDefinition>, notes: string[]): void {
  const newest = new Map<string, CustomResourceDefinition>();
  for (const crd of [...found.values()].sort((a, b) => byGenerator(a, b) || byVersions(a, b))) {
    const key = `${crd.spec.group}/${crd.spec.names.kind}`;
    const kept = newest.get(key);
    if (kept === undefined) newest.set(key, crd);
    else {
      found.delete(crd.metadata.name);
      notes.push(
        `${crd.metadata.name} is left out: ${kept.metadata.name} is a newer definition of ${crd.spec.names.kind}`,
      );
    }
  }
}

/** Removes the CRDs of kinds that the Go code no longer has, because controller-gen doesn't generate them. */
function leaveOutRemoved(
  removed: readonly Kind[],
  found: Map<string, CustomResourceDefinition>,
  notes: string[],
): void {
  for (const { metadata, spec } of [...found.values()]) {
    if (!removed.some(({ group, kind }) => group === spec.group && kind === spec.names.kind)) continue;
    found.delete(metadata.name);
    notes.push(
      `${metadata.name} is left out: the package of ${spec.names.kind} in PROJECT has no type of this name, so controller-gen doesn't generate it`,
    );
  }
}

/** Whether a file is what older versions of controller-gen wrote for a package without kinds. */
function isOfNoKind(text: string): boolean {
  if (!/^ {4}kind: (""|'')\s*$/m.test(text)) return false;
  const objects = readableValues(text).filter((value) => isMap(value) && value.kind === "CustomResourceDefinition");
  return objects.length > 0 && objects.every((value) => mapOf(mapOf(mapOf(value).spec).names).kind === "");
}

/**
 * Finds the kinds that have no CRD yet in overlays, charts and manifests. Of several copies, the one with the most versions in
 * PROJECT wins, because others may be older; of these, one in a likely directory with the most versions, from the newest generator.
 */
function findOthers(
  files: readonly GoFile[],
  kinds: readonly Kind[],
  found: Map<string, CustomResourceDefinition>,
  notes: string[],
): void {
  const missing = new Map<string, Kind[]>();
  for (const each of kinds) {
    const isDefined = [...found.values()].some(
      ({ spec }) => spec.names.kind === each.kind && spec.group === each.group,
    );
    const key = `${each.group}/${each.kind}`;
    if (!isDefined) missing.set(key, [...(missing.get(key) ?? []), each]);
  }
  if (missing.size === 0) return;
  const copies = files.flatMap((file) => {
    if (!yaml.test(file.path)) return [];
    const text = file.text();
    const crds = text.includes("kind: CustomResourceDefinition") ? readCrds(text, file.path) : [];
    // Templates of charts, for example, can't be read.
    const read = isProblem(crds) ? [] : crds.filter((crd) => namesProblem(crd) === undefined);
    return read.map((crd) => ({ crd, path: file.path }));
  });
  for (const [key, entries] of missing) {
    const versionsIn = (crd: CustomResourceDefinition) =>
      entries.filter(({ version }) => crd.spec.versions.some(({ name }) => name === version)).length;
    const [best] = copies
      .filter(({ crd }) => `${crd.spec.group}/${crd.spec.names.kind}` === key && !found.has(crd.metadata.name))
      .sort((a, b) => versionsIn(b.crd) - versionsIn(a.crd) || rank(a.path) - rank(b.path) || byAge(a.crd, b.crd));
    if (best === undefined) continue;
    const { crd, path } = best;
    found.set(crd.metadata.name, crd);
    notes.push(`the types of ${crd.spec.names.kind} are from ${path}: config/crd/bases doesn't contain it`);
  }
}

const rank = (path: string): number => (unlikely.test(path) ? 2 : path.includes("crd") ? 0 : 1);

/** Compares two CRDs of the same kind: the one with more versions, or from a newer generator, is first. */
function byAge(a: CustomResourceDefinition, b: CustomResourceDefinition): number {
  return byVersions(a, b) || byGenerator(a, b);
}

const byVersions = (a: CustomResourceDefinition, b: CustomResourceDefinition): number =>
  b.spec.versions.length - a.spec.versions.length;

function byGenerator(a: CustomResourceDefinition, b: CustomResourceDefinition): number {
  const generator = ({ metadata }: CustomResourceDefinition) =>
    String(metadata.annotations?.["controller-gen.kubebuilder.io/version"] ?? "");
  return generator(b).localeCompare(generator(a), "en", { numeric: true });
}
