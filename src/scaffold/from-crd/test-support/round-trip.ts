import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_SCHEMA, load } from "js-yaml";
import type { Level } from "../../../diagnostics/collector.ts";
import { generate } from "../../../generate/generate.ts";
import { markerTexts } from "../../../generate/markers/write.ts";
import { coreTypeOfSchema } from "../../../generate/schema/core-type-of-schema.ts";
import { requestOf } from "../../../generate/test-support/request.ts";
import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import { typesFile } from "../types-file.ts";
import { comparable, differences, isListed } from "./compare.ts";

export interface RoundTrip {
  /** The files, by version. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** The generated definition. */
  readonly after: unknown;
  /** The generator's diagnostics about the types, as `id message`. */
  readonly diagnostics: readonly string[];
  /** Differences of the generated definition, as `path: before → after`. */
  readonly differences: readonly string[];
  /** The differences that no note lists. */
  readonly unlisted: readonly string[];
}

/**
 * Creates types from a definition, and a definition from the types.
 *
 * @param levels the severities of diagnostics; by default those of users
 */
export async function roundTrip(
  crd: CustomResourceDefinition,
  levels?: Readonly<Record<string, Level>>,
): Promise<RoundTrip> {
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
    const request = requestOf(cwd, ["crd", "paths=./api/...", "output:dir=out"], levels && { levels });
    const { diagnostics, plan } = await generate(request);
    const lines = diagnostics.map(({ severity, id, message, line }) => `${severity} ${id} ${line} ${message}`);
    const after = load(plan.writes[0]?.after ?? "", { schema: CORE_SCHEMA });
    const problems = differences(comparable(crd), comparable(after));
    return {
      files,
      notes,
      after,
      diagnostics: lines,
      differences: problems.map(({ text }) => text),
      unlisted: problems.filter((problem) => !isListed(problem, notes)).map(({ text }) => text),
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
