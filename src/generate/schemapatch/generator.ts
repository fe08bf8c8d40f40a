import { join, resolve } from "node:path";
import type { Document } from "yaml";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { groupKinds } from "../crd/group-kinds.ts";
import { shortenedSchema, versionSchema } from "../crd/version-schema.ts";
import type { SchemaPatchOptions } from "../options/index.ts";
import type { TypeNode } from "../packages/nodes.ts";
import type { Run } from "../run/run.ts";
import type { CoreTypes } from "../schema/builder.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { createSchemata } from "../schema/schemata.ts";
import { type CrdInFile, type ManifestFile, readManifest, writeManifest } from "./crd-file.ts";

/** A CRD file with updated schemas. */
export interface PatchedFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Updates the schemas in the CRD files of a directory from the kinds in the packages. Everything else is preserved; versions
 * without a type lose their schema if another version has one. Files without a CRD are unchanged.
 */
export function patchSchemas(run: Run, options: SchemaPatchOptions, core: CoreTypes): PatchedFile[] {
  const kinds = groupKinds(run);
  if (kinds.size === 0) return [];
  const limits = { allowDangerousTypes: false, generateEmbeddedObjectMeta: options.generateEmbeddedObjectMeta };
  const schemata = createSchemata({ ...run, options: limits, core, maxDescLen: options.maxDescLen });
  const made = new Map<TypeNode, JSONSchema>();
  const schemaOf = (type: TypeNode) => {
    const schema = made.get(type) ?? shortenedSchema(versionSchema(schemata, type), options.maxDescLen);
    made.set(type, schema);
    return schema;
  };
  return manifests(run, options).map(({ name, file }) => {
    const schemas = new Map<Document, ReadonlyMap<string, JSONSchema>>();
    for (const crd of file.crds) {
      const types = kinds.get(crd.group === "" ? crd.kind : `${crd.kind}.${crd.group}`)?.types ?? [];
      const wanted = types.filter((type) => crd.versions.includes(type.package.version));
      if (wanted.length === 0) continue;
      schemas.set(crd.document, new Map(wanted.map((type) => [type.package.version, schemaOf(type)])));
    }
    return { name, text: writeManifest(file, schemas) };
  });
}

/** Returns the files with CRDs. Reports files that can't be patched. */
function manifests(
  { request, files, report }: Run,
  options: SchemaPatchOptions,
): { name: string; file: ManifestFile }[] {
  const directory = resolve(request.cwd, options.manifests);
  let names: readonly string[];
  try {
    names = files.yamlFiles(directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    report(
      finding(
        "error",
        "no-manifests",
        `schemapatch:manifests=${options.manifests}: can't read the directory (${code})`,
      ),
    );
    return [];
  }
  return names.flatMap((name) => {
    const path = join(directory, name);
    const file = readManifest(files.read(path));
    if ("problem" in file) {
      const hint = "use YAML without templates, or remove the file from the directory";
      report({ ...finding("warning", "skipped-manifest", `skipped the file: ${file.problem}`, path), hint });
      return [];
    }
    for (const crd of file.crds)
      for (const message of problemsOf(crd)) report(finding("error", "bad-manifest", message, path));
    return file.crds.length === 0 ? [] : [{ name, file }];
  });
}

function problemsOf({ apiVersion, versions }: CrdInFile): string[] {
  if (apiVersion !== "apiextensions.k8s.io/v1")
    return [`CRDs of apiVersion ${JSON.stringify(apiVersion)} are not supported`];
  if (versions.length === 0) return ["the CRD has no list spec.versions"];
  return versions.includes("") ? ["a version in spec.versions has no name"] : [];
}

function finding(severity: Diagnostic["severity"], id: Diagnostic["id"], message: string, file = ""): Diagnostic {
  return { id, severity, message, file, line: 0, column: 0 };
}
