// Small projects for tests, and the steps of the generator with them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import { createCollector } from "../../diagnostics/collector.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { generateCrds } from "../crd/crds.ts";
import { loadRoots } from "../generators/run-generators.ts";
import type { KstatusSettings } from "../lint/kind/kstatus.ts";
import { lint } from "../lint/lint.ts";
import { markerRegistry } from "../markers/index.ts";
import { createPackages } from "../packages/collect.ts";
import type { CoreTypes, SchemaOptions } from "../schema/builder.ts";
import { coreTypeOf } from "../schema/core-type-identity.ts";
import { coreTypeProblem, loadCoreType } from "../schema/core-types.ts";
import { kubernetesTypes } from "../schema/kubernetes-types.ts";
import type { JSONSchema } from "../schema/model/json-schema.ts";
import { createSchemata } from "../schema/schemata.ts";
import { findPackages } from "../source/paths.ts";
import { createSources } from "../source/sources.ts";
import { createReader } from "../source/ts-morph/reader.ts";

/** Writes files to a new directory, which is removed after the test. */
export function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-generate-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** All core types, for tests that compare with other tools. */
const realCoreTypes: CoreTypes = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };

/** A few core types, to make tests of rules independent of the real ones. */
const someCoreTypes: CoreTypes = {
  identify(specifier, name) {
    const goPackage = modules[specifier];
    return goPackage !== undefined && core[`${goPackage}.${name}`] ? { goPackage, name } : undefined;
  },
  problem: () => undefined,
  load: (goPackage, name) => core[`${goPackage}.${name}`],
};

const modules: Readonly<Record<string, string>> = {
  "@kubewright/runtime/api/core/v1": "k8s.io/api/core/v1",
  "@kubewright/runtime/api/meta/v1": "k8s.io/apimachinery/pkg/apis/meta/v1",
};

const core: Readonly<Record<string, JSONSchema>> = {
  "k8s.io/apimachinery/pkg/apis/meta/v1.TypeMeta": {
    type: "object",
    properties: { apiVersion: { type: "string" }, kind: { type: "string" } },
  },
  "k8s.io/api/core/v1.LocalObjectReference": {
    description: "A reference.",
    type: "object",
    properties: { name: { type: "string", default: "" }, note: { type: "string" } },
    required: ["name"],
  },
};

export interface CrdRun {
  readonly crds: readonly CustomResourceDefinition[];
  /** Diagnostics as `path:line:column severity id`. */
  readonly places: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

type CrdRunOptions = Partial<SchemaOptions> & {
  maxDescLen?: number;
  core?: "real";
  lint?: boolean;
  kstatus?: KstatusSettings;
};

/** Generates the CRDs of a project. */
export async function runCrds(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: CrdRunOptions = {},
): Promise<CrdRun> {
  const directory = project(files);
  const { report, all } = createCollector();
  const sources = createSources(createReader(), undefined, kubernetesTypes);
  const packages = createPackages({ sources, registry: markerRegistry, report });
  const roots = loadRoots(findPackages(["./api/..."], directory).directories, packages, sources);
  const { maxDescLen, core, lint: _, kstatus, ...schema } = options;
  const schemata = createSchemata({
    options: { allowDangerousTypes: false, generateEmbeddedObjectMeta: false, ...schema },
    sources,
    packages,
    core: core === "real" ? realCoreTypes : someCoreTypes,
    report,
  });
  const made = generateCrds({ roots, packages, sources, schemata, toolVersion: undefined, maxDescLen, report });
  if (options.lint)
    await lint({ crds: made, packages, sources, report, broken: () => false, ...(kstatus && { kstatus }) });
  const crds = made.map(({ document }) => document);
  const diagnostics = all();
  const places = diagnostics.map(({ file, line, column, severity, id }) => {
    return `${relative(directory, file)}:${line}:${column} ${severity} ${id}`;
  });
  return { crds, places, diagnostics };
}

const imports = `import type { Bytes, Duration, Float64, Int32, Int64, IntOrString, JSONValue, KubernetesList, KubernetesObject,
  MicroTime, ObjectMeta, Quantity, RawExtension, Time } from "@kubewright/runtime/api";
import type { LocalObjectReference } from "@kubewright/runtime/api/core/v1";
`;

/** The number of lines above the text of `specOf`. */
export const linesAbove = imports.split("\n").length + 2;

/**
 * Returns the schema of the field `value` in a kind whose spec is `Spec`. `text` must declare `Spec`, and begins at
 * line `linesAbove`.
 */
export async function specOf(
  text: string,
  options: CrdRunOptions = {},
): Promise<{ spec: JSONSchema; value: JSONSchema; run: CrdRun }> {
  const source = `// +groupName=example.com\n${imports}\n${text}\nexport interface Thing extends KubernetesObject { spec: Spec }\n`;
  const run = await runCrds({ "api/v1/thing.ts": source }, options);
  const schema = run.crds[0]?.spec.versions[0]?.schema.openAPIV3Schema;
  const spec = schema?.properties?.spec ?? {};
  return { spec, value: spec.properties?.value ?? {}, run };
}
