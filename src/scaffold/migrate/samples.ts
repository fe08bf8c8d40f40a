import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import type { JSONSchema } from "../../kubernetes/json-schema.ts";
import { samplePath } from "../../project/paths.ts";
import { modelOf, type Project } from "../../project/project-file.ts";
import { readValues } from "../../yaml/values.ts";
import { isMap } from "../text/maps.ts";
import type { Sample } from "./go-project.ts";

/** Returns why a schema doesn't allow a value, also for fields that it doesn't have. */
export type ValueProblems = (value: unknown, schema: JSONSchema) => readonly string[];

/** The samples of the new project by their paths, and lines for the user. */
export interface CopiedSamples {
  readonly contents: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/**
 * Returns the Go project's samples, by their new paths. Samples that the API server would reject aren't copied, because the tests of
 * the new project create all of them; the scaffolded ones stay.
 *
 * @param crds the CRDs of the new project
 */
export function copiedSamples(
  project: Project,
  crds: readonly CustomResourceDefinition[],
  samples: readonly Sample[],
  problemsOf: ValueProblems,
): CopiedSamples {
  const contents = new Map<string, string>();
  const notes: string[] = [];
  for (const model of project.resources.map(modelOf).filter(({ origin }) => origin === "own")) {
    const apiVersion = `${model.qualifiedGroup}/${model.version}`;
    const found = samples.filter((each) => each.apiVersion === apiVersion && each.kind === model.kind);
    const crd = crds.find(({ spec }) => spec.group === model.qualifiedGroup && spec.names.kind === model.kind);
    const schema = crd?.spec.versions.find(({ name }) => name === model.version)?.schema.openAPIV3Schema;
    const problems = found.map((each) => sampleProblem(each, schema, problemsOf));
    const valid = found[problems.indexOf(undefined)];
    const [first] = found;
    if (valid !== undefined) contents.set(samplePath(model), valid.text);
    else if (first !== undefined) {
      notes.push(`not taken over: ${first.path}: the API server rejects it: ${problems[0]}`);
    }
  }
  return { contents, notes };
}

/** Properties that are the same for all kinds. */
const inherited = new Set(["apiVersion", "kind", "metadata"]);

function sampleProblem(
  { text }: Sample,
  schema: JSONSchema | undefined,
  problemsOf: ValueProblems,
): string | undefined {
  if (schema === undefined) return undefined;
  try {
    const [object] = readValues(text);
    if (!isMap(object)) return "it isn't an object";
    const own = Object.entries(object).filter(([name]) => !inherited.has(name));
    const required = schema.required?.filter((name) => !inherited.has(name)) ?? [];
    return problemsOf(Object.fromEntries(own), { ...schema, required })[0];
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
