import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { isProblem, type Problem } from "../../project/problem.ts";
import { readCrds } from "../from-crd/read.ts";
import { namesProblem } from "../from-crd/resource.ts";
import type { GoFile } from "./left-behind.ts";

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
 * @param separate - files of a directory that the user named; if there are any, the project's own files aren't read
 */
export function definitionsOf(
  files: readonly GoFile[],
  output: string | undefined,
  kinds: readonly Kind[],
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
          files.filter(({ path }) => bases.test(path)),
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
      if (problem !== undefined) return problem;
      if (!found.has(crd.metadata.name)) found.set(crd.metadata.name, crd);
    }
  }
  if (separate.length === 0) findOthers(files, kinds, found, notes);
  return { crds: [...found.values()], notes };
}

/** Whether a file is what older versions of controller-gen wrote for a package without kinds. */
const isOfNoKind = (text: string): boolean =>
  /^ {4}kind: (""|'')\s*$/m.test(text) && /^ {4}plural: (""|'')\s*$/m.test(text);

/** Finds the kinds that have no CRD yet in overlays, charts and manifests. */
function findOthers(
  files: readonly GoFile[],
  kinds: readonly Kind[],
  found: Map<string, CustomResourceDefinition>,
  notes: string[],
): void {
  const isMissing = ({ group, kind }: Kind) =>
    ![...found.values()].some(({ spec }) => spec.names.kind === kind && spec.group === group);
  const missing = kinds.filter(isMissing);
  if (missing.length === 0) return;
  const rank = ({ path }: GoFile) => (unlikely.test(path) ? 2 : path.includes("crd") ? 0 : 1);
  const candidates = files.filter(({ path }) => yaml.test(path)).sort((a, b) => rank(a) - rank(b));
  for (const file of candidates) {
    const left = missing.filter(isMissing);
    if (left.length === 0) return;
    const text = file.text();
    if (!text.includes("kind: CustomResourceDefinition")) continue;
    const crds = readCrds(text, file.path);
    // Templates of charts, for example, can't be read.
    if (isProblem(crds)) continue;
    for (const crd of crds) {
      const isWanted = left.some(({ group, kind }) => group === crd.spec.group && kind === crd.spec.names.kind);
      if (!isWanted || namesProblem(crd) !== undefined || found.has(crd.metadata.name)) continue;
      found.set(crd.metadata.name, crd);
      notes.push(`the types of ${crd.spec.names.kind} are from ${file.path}: config/crd/bases doesn't contain it`);
    }
  }
}
