import { toJavaScript } from "../../regex/javascript-pattern.ts";
import type { GeneratedCrd } from "../crd/crds.ts";
import { locateInSchema } from "../lint/locate.ts";
import { kindVersions } from "../lint/model/site.ts";
import { walkSchemas } from "../lint/model/walk.ts";
import type { JsonSchemaOptions } from "../options/index.ts";
import type { Run } from "../run/run.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { allFile, schemaFile } from "./file-names.ts";
import { jsonText } from "./json-text.ts";
import { allKinds, kindDocument, kindSchema } from "./schemas.ts";
import { patternsOf } from "./translate.ts";

/** A generated schema, with the CRDs that it depends on. */
export interface SchemaFile {
  readonly name: string;
  readonly text: string;
  readonly crds: readonly GeneratedCrd[];
}

/** Generates a JSON Schema for each served version of each kind, and one for all of them. */
export function jsonSchemas(run: Run, crds: readonly GeneratedCrd[], options: JsonSchemaOptions): SchemaFile[] {
  const patterns = new Map<string, string | undefined>();
  const pattern = (text: string) => {
    if (!patterns.has(text)) patterns.set(text, toJavaScript(text));
    return patterns.get(text);
  };
  const kinds = crds.flatMap((crd) =>
    crd.document.spec.versions
      .filter(({ served }) => served)
      .map((version) => ({ crd, kind: kindSchema(crd.document, version, { ...options, pattern }) })),
  );
  reportPatterns(run, crds, patterns);
  const files = kinds.map(({ crd, kind }) => ({
    name: schemaFile(kind),
    text: jsonText(kindDocument(kind)),
    crds: [crd],
  }));
  if (files.length === 0) return [];
  return [...files, { name: allFile, text: jsonText(allKinds(kinds.map(({ kind }) => kind))), crds }];
}

/** Warns about patterns that JavaScript can't express. */
function reportPatterns(
  run: Run,
  crds: readonly GeneratedCrd[],
  patterns: ReadonlyMap<string, string | undefined>,
): void {
  if (![...patterns.values()].includes(undefined)) return;
  const seen = new WeakSet<JSONSchema>();
  for (const kind of crds.flatMap(kindVersions)) {
    walkSchemas(kind, seen, (site) => {
      for (const text of patternsOf(site.schema)) {
        if (!patterns.has(text) || patterns.get(text) !== undefined) continue;
        const finding = {
          id: "pattern-not-portable",
          message: "the pattern has no equivalent in JavaScript, so the JSON Schema omits it",
          hint: "write it without (?m), and without (?i) for classes of many letters",
          keywords: ["pattern"],
          matching: text,
        } as const;
        const diagnostic = locateInSchema(finding, site, run);
        if (diagnostic) run.report(diagnostic);
      }
    });
  }
}
