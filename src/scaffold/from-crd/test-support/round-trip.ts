// biome-ignore-all lint/suspicious/noExplicitAny: documents of unknown shape are walked here.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import { asControllerGen } from "../../../diagnostics/definitions/as-controller-gen.ts";
import { generate } from "../../../generate/generate.ts";
import { markerTexts } from "../../../generate/markers/write.ts";
import { coreTypeOfSchema } from "../../../generate/schema/core-type-of-schema.ts";
import { requestOf } from "../../../generate/test-support/request.ts";
import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import { withoutRepeats } from "../contradiction.ts";
import { typesFile } from "../types-file.ts";

export interface RoundTrip {
  /** The files, by version. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** The generator's diagnostics about the types, as `id message`. */
  readonly diagnostics: readonly string[];
  /** Differences of the generated definition, as `path: before → after`. */
  readonly differences: readonly string[];
}

/** Creates types from a definition, and a definition from the types. */
export async function roundTrip(crd: CustomResourceDefinition): Promise<RoundTrip> {
  const cwd = mkdtempSync(join(tmpdir(), "kubewright-from-crd-"));
  try {
    const files = new Map<string, string>();
    const notes: string[] = [];
    for (const version of crd.spec.versions) {
      const made = typesFile(crd, version, { header: "", taken: [], foreignTypes: coreTypeOfSchema, markerTexts });
      files.set(version.name, made.text);
      notes.push(...made.notes);
      const directory = join(cwd, "api", version.name);
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, "kind-types.ts"), made.text);
      const group = `// +groupName=${crd.spec.group}\n\nexport const GroupVersion = undefined;\n`;
      writeFileSync(join(directory, "groupversion-info.ts"), group);
    }
    const request = requestOf(cwd, ["crd", "paths=./api/...", "output:dir=out"], { levels: asControllerGen });
    const { diagnostics, plan } = await generate(request);
    const lines = diagnostics.map(({ severity, id, message, line }) => `${severity} ${id} ${line} ${message}`);
    const after = load(plan.writes[0]?.after ?? "", { schema: CORE_SCHEMA });
    return { files, notes, diagnostics: lines, differences: differences(comparable(crd), comparable(after), "") };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Returns a definition without the parts that types don't determine: the tool's name, status and default values. */
function comparable(crd: unknown): unknown {
  const copy = structuredClone(crd) as any;
  if (copy?.spec === undefined) return copy;
  delete copy.apiVersion;
  delete copy.kind;
  delete copy.status;
  delete copy.spec.preserveUnknownFields;
  delete copy.spec.conversion;
  delete copy.metadata.annotations?.["controller-gen.kubebuilder.io/version"];
  if (Object.keys(copy.metadata.annotations ?? {}).length === 0) delete copy.metadata.annotations;
  delete copy.metadata.creationTimestamp;
  const { names } = copy.spec;
  names.listKind ??= `${names.kind}List`;
  names.singular ??= names.kind.toLowerCase();
  copy.spec.versions.sort((a: any, b: any) => (a.name < b.name ? -1 : 1));
  for (const version of copy.spec.versions) {
    if (Object.keys(version.subresources ?? {}).length === 0) delete version.subresources;
    if (version.deprecated === false) delete version.deprecated;
    for (const column of version.additionalPrinterColumns ?? []) if (column.priority === 0) delete column.priority;
    const { properties = {} } = version.schema.openAPIV3Schema;
    for (const name of ["apiVersion", "kind", "metadata"]) delete properties[name];
    plain(version.schema.openAPIV3Schema);
  }
  return copy;
}

/** Sorts lists without a defined order, and removes keys with their default values. */
function plain(schema: any): void {
  if (schema.required !== undefined) schema.required = [...schema.required].sort();
  if (schema.required?.length === 0) delete schema.required;
  for (const [key, value] of Object.entries(schema)) if (value === false && key !== "default") delete schema[key];
  const once = withoutRepeats(schema);
  if (once !== schema) {
    Object.assign(schema, once);
    delete schema.allOf;
  }
  if (schema.description === "") delete schema.description;
  if (schema.properties !== undefined && Object.keys(schema.properties).length === 0) delete schema.properties;
  for (const each of Object.values(schema.properties ?? {})) plain(each);
  if (schema.items !== undefined) plain(schema.items);
  if (typeof schema.additionalProperties === "object") plain(schema.additionalProperties);
}

function differences(before: any, after: any, path: string): string[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], `${path}.${key}`));
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((each, index) => differences(each, after[index], `${path}[${index}]`));
  }
  const [was, is] = [before, after].map((each) => (JSON.stringify(each) ?? "nothing").slice(0, 120));
  if (typeof before === "string" && typeof after === "string" && path.endsWith(".description")) {
    const words = (text: string) => text.replace(/\s+/g, " ").trim();
    if (words(before) === words(after)) return [];
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [`${path}: ${was} → ${is}`];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
