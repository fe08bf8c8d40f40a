import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { samplePath } from "../../project/paths.ts";
import { format, modelOf, type Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { editDocument } from "../../yaml/document.ts";
import { readValues } from "../../yaml/values.ts";
import type { Tree } from "../files/tree.ts";
import { problemsIn, type SampleProblem, type SampleProblems } from "../from-crd/sample-rules.ts";
import { isMap, mapOf } from "../text/maps.ts";
import { lineOf, stepsOf } from "./sample-lines.ts";

/** An object in a YAML file of the Go project. */
export interface Sample {
  readonly path: string;
  /** The line of the file before the object, from 0. */
  readonly offset: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly text: string;
}

/** The samples of the new project, and lines for the user. */
export interface MigratedSamples {
  /** The texts by their new paths. */
  readonly contents: ReadonlyMap<string, string>;
  /** The paths in the Go project of those that are copied. */
  readonly copied: readonly string[];
  /** The paths of those that the API server rejects, with the reasons. */
  readonly rejected: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** The samples of a Go project. */
export interface GoSamples {
  /** Those in `config/samples` that were changed after scaffolding. */
  readonly samples: readonly Sample[];
  /** Returns the objects of a kind in other files. */
  readonly inOtherFiles: (apiVersion: string, kind: string) => readonly Sample[];
}

/** A text of a sample that the API server accepts. */
interface Accepted {
  readonly sample: Sample;
  readonly text: string;
  /** The fields that were removed, because the CRD doesn't have them. */
  readonly removed: readonly SampleProblem[];
}

/**
 * Chooses the sample of each kind: the Go project's own one, without fields that the CRD doesn't have; otherwise the scaffolded one,
 * or if the API server rejects it, an object in another file of the Go project. Rejected ones stay, with a note.
 *
 * @param crds - the CRDs of the new project
 * @param draft - the new project with the scaffolded samples
 * @param watched - the only namespace that the manager watches: samples in others wouldn't be reconciled
 */
export function migratedSamples(
  project: Project,
  crds: readonly CustomResourceDefinition[],
  { samples, inOtherFiles }: GoSamples,
  problems: SampleProblems,
  draft: Tree,
  watched: string | undefined,
): MigratedSamples {
  const contents = new Map<string, string>();
  const copied: string[] = [];
  const rejected = new Map<string, string>();
  const notes: string[] = [];
  for (const model of project.resources.map(modelOf).filter(({ origin }) => origin === "own")) {
    const schema = schemaOf(model, crds);
    const path = samplePath(model);
    const scaffolded = draft.readText(path);
    if (schema === undefined || scaffolded === undefined) continue;
    const apiVersion = `${model.qualifiedGroup}/${model.version}`;
    const own = samples.filter((each) => each.apiVersion === apiVersion && each.kind === model.kind);
    const accepted = acceptedOf(own, schema, problems);
    const [first] = own;
    const why = accepted === undefined && first !== undefined ? firstProblem(first.text, schema, problems) : undefined;
    if (first !== undefined && why !== undefined) {
      notes.push(`not taken over: ${placeOf(first, why)}: the API server rejects it: ${textOf(why)}`);
    }
    const problem = accepted === undefined ? firstProblem(scaffolded, schema, problems) : undefined;
    const chosen = accepted ?? (problem && acceptedOf(inOtherFiles(apiVersion, model.kind), schema, problems));
    if (chosen !== undefined) {
      const { sample, removed } = chosen;
      const { text, namespace } = withoutNamespace(chosen.text, model.namespaced ? watched : undefined);
      contents.set(path, text);
      if (accepted !== undefined) copied.push(sample.path);
      else notes.push(`${path} is from ${sample.path}: no other sample of ${model.kind} is valid`);
      if (namespace !== undefined) {
        const place = placeOf(sample, { path: ".metadata.namespace", message: "" });
        notes.push(`${place}: the namespace ${namespace} isn't copied, because the operator watches only ${watched}`);
      }
      for (const sampleProblem of removed) {
        notes.push(
          `${placeOf(sample, sampleProblem)}: not copied, because the API server rejects it: ${textOf(sampleProblem)}`,
        );
      }
    } else if (problem !== undefined) {
      rejected.set(path, textOf(problem));
      notes.push(
        `${path}:${lineOf(scaffolded, stepsOf(problem.path))}: the API server rejects this sample: ${textOf(problem)}: correct it, and remove it from test/role.test.ts, which leaves it out`,
      );
    }
  }
  return { contents, copied, rejected, notes };
}

function schemaOf(model: Resource, crds: readonly CustomResourceDefinition[]): JSONSchema | undefined {
  const crd = crds.find(({ spec }) => spec.group === model.qualifiedGroup && spec.names.kind === model.kind);
  return crd?.spec.versions.find(({ name }) => name === model.version)?.schema.openAPIV3Schema;
}

const textOf = ({ path, message }: SampleProblem): string => `${path} ${message}`.trim();
const placeOf = ({ path, offset, text }: Sample, problem: SampleProblem): string =>
  `${path}:${offset + lineOf(text, stepsOf(problem.path))}`;

/** Returns the first sample that the API server accepts, if necessary without fields that the CRD doesn't have. */
function acceptedOf(samples: readonly Sample[], schema: JSONSchema, problems: SampleProblems): Accepted | undefined {
  for (const sample of samples) {
    if (firstProblem(sample.text, schema, problems) === undefined) return { sample, text: sample.text, removed: [] };
  }
  for (const sample of samples) {
    const { text, removed } = withoutUnknown(sample.text, schema, problems);
    if (text !== undefined && firstProblem(text, schema, problems) === undefined) return { sample, text, removed };
  }
  return undefined;
}

/** Removes a namespace that isn't the watched one. Objects without a namespace are created in the operator's. */
function withoutNamespace(text: string, watched: string | undefined): { text: string; namespace?: string } {
  const [object] = watched === undefined ? [] : readAll(text);
  const { namespace } = mapOf(object?.metadata);
  if (typeof namespace !== "string" || namespace === watched) return { text };
  const document = editDocument(text);
  document.deleteIn(["metadata", "namespace"]);
  return { text: document.toString(format), namespace };
}

/** Removes fields that the CRD doesn't have, and null values that it doesn't allow. */
function withoutUnknown(text: string, schema: JSONSchema, problems: SampleProblems) {
  const removed: SampleProblem[] = [];
  const [object] = readAll(text);
  if (object === undefined) return { text: undefined, removed };
  const document = editDocument(text);
  for (const problem of problems.ofSchema(object, schema)) {
    const [, name] = /^unknown field (".*")$/.exec(problem.message) ?? [];
    const steps = [...stepsOf(problem.path), ...(name === undefined ? [] : [String(JSON.parse(name))])];
    if (name === undefined && !problem.message.startsWith("null is not allowed")) continue;
    const path = name === undefined ? problem.path : `${problem.path}.${JSON.parse(name)}`;
    if (document.deleteIn(steps))
      removed.push({ path, message: name === undefined ? problem.message : "unknown field" });
  }
  return { text: removed.length === 0 ? undefined : document.toString(format), removed };
}

function firstProblem(text: string, schema: JSONSchema, problems: SampleProblems): SampleProblem | undefined {
  try {
    const [object] = readAll(text);
    if (object === undefined) return { path: "", message: "it isn't an object" };
    return problemsIn(object, schema, problems)[0];
  } catch (error) {
    return { path: "", message: error instanceof Error ? error.message : String(error) };
  }
}

function readAll(text: string): Record<string, unknown>[] {
  return readValues(text).filter(isMap);
}
