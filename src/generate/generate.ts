import { createCollector } from "../diagnostics/collector.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { crdDocuments } from "./crd/generator.ts";
import { readHeader } from "./header.ts";
import { markerRegistry, unknownMarkerLevels } from "./markers/index.ts";
import type { GeneratorName, HeaderOptions } from "./options/index.ts";
import { type GeneratedFile, renderFile } from "./output/file.ts";
import { type OutputPlan, planOutput, planPrune } from "./output/plan.ts";
import { createPackages, type Packages } from "./packages/collect.ts";
import type { ApiPackage } from "./packages/nodes.ts";
import { generateRoles } from "./rbac/index.ts";
import type { GenerateRequest } from "./request.ts";
import { coreTypeOf } from "./schema/core-type-identity.ts";
import { coreTypeProblem, loadCoreType } from "./schema/core-types.ts";
import { findPackages } from "./source/paths.ts";
import { createReader } from "./source/reader.ts";
import { createSources, type Sources } from "./source/sources.ts";

/** What a run comes to. Nothing has been written yet. */
export interface GenerateOutcome {
  readonly diagnostics: readonly Diagnostic[];
  /** Empty if a diagnostic is an error: all or nothing. */
  readonly plan: OutputPlan;
}

interface Run {
  readonly request: GenerateRequest;
  readonly roots: readonly ApiPackage[];
  readonly packages: Packages;
  readonly sources: Sources;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** Runs the generators that the request names over its packages and plans what to write. */
export async function generate(request: GenerateRequest): Promise<GenerateOutcome> {
  const { generators, output } = request.config;
  const levels = unknownMarkerLevels(request.unknownMarkers);
  const reporter = createCollector({ levels, strict: request.strict });
  const sources = createSources(await createReader(request.reader ?? "auto"));
  const packages = createPackages({ sources, registry: markerRegistry, report: reporter.report });
  const roots = loadRoots(request, packages, reporter.report);
  const run: Run = { request, roots, packages, sources, report: reporter.report };
  const files = [...crdFiles(run), ...rbacFiles(run)];
  refuseWebhooks(run);
  const nothing: OutputPlan = { writes: [], stdout: "", problems: [] };
  const plan = reporter.hasErrors() ? nothing : planOutput(files, output, request.cwd);
  for (const problem of plan.problems) reporter.report(general("bad-output", problem));
  const diagnostics = reporter.all();
  if (reporter.hasErrors()) return { diagnostics, plan: nothing };
  const pruned = request.prune && generators.crd ? planPrune(files, output, request.cwd) : [];
  return { diagnostics, plan: { ...plan, writes: [...plan.writes, ...pruned] } };
}

function loadRoots(request: GenerateRequest, packages: Packages, report: Run["report"]): ApiPackage[] {
  const { paths } = request.config;
  const found = findPackages(paths.length === 0 ? ["."] : paths, request.cwd);
  for (const pattern of found.missing) {
    report(general("no-such-path", `paths=${pattern}: there is no such directory, or no TypeScript in it`));
  }
  const roots = found.directories.map((directory) => packages.load(directory));
  for (const root of roots) packages.readAll(root);
  return roots;
}

function crdFiles({ request, ...run }: Run): GeneratedFile[] {
  const options = request.config.generators.crd;
  if (!options) return [];
  const core = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };
  const documents = crdDocuments({ ...run, options, core, toolVersion: request.toolVersion });
  return documents.flatMap(({ name, document }) => render("crd", name, [document], options, request.cwd, run.report));
}

function rbacFiles({ request, roots, report }: Run): GeneratedFile[] {
  const options = request.config.generators.rbac;
  if (!options) return [];
  const packages = roots.map((root) => root.markers);
  const documents = generateRoles({ packages, roleName: options.roleName, report });
  if (documents.length === 0) return [];
  return render("rbac", options.fileName, documents, options, request.cwd, report);
}

/** The documents that webhook markers ask for can't be made yet. Saying nothing would be taken for success. */
function refuseWebhooks({ request, roots, report }: Run): void {
  if (!request.config.generators.webhook) return;
  for (const marker of roots.flatMap((root) => root.markers.get("kubebuilder:webhook"))) {
    const { file, line, column } = marker.line;
    const message = `+${marker.name} can't be applied yet: the generator "webhook" doesn't exist in this version`;
    report({ id: "not-supported-yet", severity: "error", message, file, line, column });
  }
}

function render(
  generator: GeneratorName,
  name: string,
  documents: readonly unknown[],
  header: HeaderOptions,
  cwd: string,
  report: Run["report"],
): GeneratedFile[] {
  const text = readHeader(header, cwd);
  if ("problem" in text) {
    report(general("bad-option", `${generator}:headerFile: ${text.problem}`));
    return [];
  }
  const rendered = renderFile(generator, name, documents, text.text);
  if ("file" in rendered) return [rendered.file];
  report(general("unwritable-document", rendered.problem));
  return [];
}

function general(id: string, message: string): Diagnostic {
  return { id, severity: "error", message, file: "", line: 0, column: 0 };
}
