// Samples refer to the JSON Schema of their kind, so that editors check and complete them.
import { dirname, join, relative } from "node:path/posix";
import { schemaFile } from "../../generate/jsonschema/file-names.ts";
import type { GeneratorConfig } from "../../generate/options/index.ts";
import { modelOf, type Project, readProject } from "../../project/project-file.ts";
import type { Operation, Plan } from "../../scaffold/files/operation.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import { isMap } from "../../scaffold/text/maps.ts";
import { modelineSchema, withModeline, withoutModeline } from "../../scaffold/text/modeline.ts";
import { readValues } from "../../yaml/values.ts";

/** The directory of the samples. */
export const samplesDirectory = "config/samples";

/** Whether a file in a project is a sample. */
export function isSample(path: string): boolean {
  return dirname(path) === samplesDirectory && path.endsWith(".yaml") && !path.endsWith("/kustomization.yaml");
}

/** Returns the directory of the JSON Schemas in a project, relative to it; undefined if it doesn't generate them. */
export function schemaDirectory({ generators, output }: GeneratorConfig): string | undefined {
  if (generators.jsonschema === undefined) return undefined;
  const rule = output.jsonschema;
  const directory = rule?.kind === "dir" ? rule.directory : rule?.kind === "artifacts" ? rule.config : undefined;
  return directory === undefined ? undefined : join(directory, ".");
}

/**
 * Returns a sample with the modeline for its schema. One that the user wrote stays.
 *
 * @param directory - the directory of the schemas, relative to the project
 */
export function sampleWithModeline(path: string, text: string, project: Project, directory: string): string {
  const current = modelineSchema(text);
  const isOwn = current !== undefined && join(dirname(path), current).startsWith(`${directory}/`);
  if (current !== undefined && !isOwn) return text;
  const file = schemaOf(text, project);
  if (file === undefined) return text;
  return withModeline(text, relative(dirname(path), join(directory, file)));
}

/** Returns a sample without the modeline for a schema in a directory. */
export function sampleWithoutModeline(path: string, text: string, directory: string): string {
  const current = modelineSchema(text);
  const isOwn = current !== undefined && join(dirname(path), current).startsWith(`${directory}/`);
  return isOwn ? withoutModeline(text) : text;
}

/** Returns the schema of the objects in a sample, which must all be of one kind of the project. */
function schemaOf(text: string, project: Project): string | undefined {
  let objects: unknown[];
  try {
    objects = readValues(text);
  } catch {
    // Commands that apply samples report what is wrong with them.
    return undefined;
  }
  const files = new Set(
    objects.map((object) => {
      const own = project.resources
        .map(modelOf)
        .find(
          (resource) =>
            resource.origin === "own" &&
            isMap(object) &&
            object.kind === resource.kind &&
            object.apiVersion === `${resource.qualifiedGroup}/${resource.version}`,
        );
      return own && schemaFile({ group: own.qualifiedGroup, version: own.version, kind: own.kind });
    }),
  );
  const [file] = files;
  return files.size === 1 ? file : undefined;
}

/** Adds modelines to the samples that a plan creates. Their pristine copies stay as they are, like those of all edited files. */
export function withModelines<P extends Plan>(plan: P, tree: Tree, directory: string | undefined): P {
  if (directory === undefined) return plan;
  const recorded = plan.operations.find(({ path }) => path === "PROJECT");
  const text = recorded !== undefined && recorded.op !== "delete" ? String(recorded.content) : tree.readText("PROJECT");
  const project = readProject(text ?? "");
  if ("message" in project) return plan;
  const operations = plan.operations.map((operation): Operation => {
    if (operation.op === "delete" || !isSample(operation.path) || typeof operation.content !== "string")
      return operation;
    return { ...operation, content: sampleWithModeline(operation.path, operation.content, project, directory) };
  });
  return { ...plan, operations };
}
