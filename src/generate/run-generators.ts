import { createCollector, type DiagnosticCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { GeneratedOutput } from "./generated-output.ts";
import { generateFiles } from "./generators.ts";
import { lint } from "./lint/lint.ts";
import { markerRegistry } from "./markers/index.ts";
import { createPackages } from "./packages/collect.ts";
import { policyOf } from "./policy.ts";
import type { GenerateRequest } from "./request.ts";
import { findRoots, loadRoots } from "./roots.ts";
import { general } from "./run.ts";
import { kubernetesTypes } from "./schema/kubernetes-types.ts";
import type { Files } from "./source/files.ts";
import type { SourceReader } from "./source/model.ts";
import { createReader } from "./source/reader.ts";
import { createSources } from "./source/sources.ts";

/** The input of a run. */
export interface GeneratorInput {
  readonly files: Files;
  /** By default, the request's own. */
  readonly reader?: SourceReader;
}

/**
 * Runs the requested generators over the packages. The result depends only on the request and on the answers of `files`:
 * the cache and `--watch` rely on that.
 */
export async function runGenerators(request: GenerateRequest, input: GeneratorInput): Promise<GeneratedOutput> {
  const collector = createCollector(policyOf(request));
  try {
    return await makeWith(collector, request, input);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const hint = "flatten them, or declare inner parts as named types";
    collector.report(general("unsupported-type", `types or values are nested too deeply: ${error.message}`, hint));
    return { files: [], diagnostics: withoutEchoes(collector.all()) };
  }
}

async function makeWith(
  { report, all, hasErrors }: DiagnosticCollector,
  request: GenerateRequest,
  { files, reader }: GeneratorInput,
): Promise<GeneratedOutput> {
  const sources = createSources(reader ?? (await createReader(request.reader ?? "auto")), files, kubernetesTypes);
  const directories = findRoots(request, files, report);
  const packages = createPackages({ sources, registry: markerRegistry, report, own: new Set(directories) });
  const roots = loadRoots(directories, packages, sources);
  const made = await generateFiles({ request, roots, packages, sources, files, report });
  // Files outside the packages are read while resolving types.
  for (const file of sources.files) for (const diagnostic of file.diagnostics) report(diagnostic);
  await lint({ crds: made.crds, packages, sources, broken: hasErrors(), report });
  return { files: made.files, diagnostics: withoutEchoes(all()) };
}

/** Ids that are consequences of syntax errors: in such a file, the parser returns broken types. */
const echoes = new Set<Diagnostic["id"]>(["unknown-type", "unsupported-type"]);

function withoutEchoes(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const broken = new Set(diagnostics.flatMap(({ id, file }) => (id === "syntax-error" ? [file] : [])));
  return diagnostics.filter(({ id, file }) => !(echoes.has(id) && broken.has(file)));
}
