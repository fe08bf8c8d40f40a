import { createCollector, type DiagnosticCollector } from "../../diagnostics/collector.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { GeneratedCrd } from "../crd/crds.ts";
import { lint } from "../lint/lint.ts";
import { markerRegistry } from "../markers/index.ts";
import type { GeneratedFile } from "../output/file.ts";
import { createPackages, type Packages } from "../packages/collect.ts";
import type { ApiPackage } from "../packages/nodes.ts";
import { type GenerateRequest, policyOf } from "../run/request.ts";
import { general } from "../run/run.ts";
import { kubernetesTypes } from "../schema/kubernetes-types.ts";
import type { Files } from "../source/files.ts";
import type { SourceReader } from "../source/reader.ts";
import { createSources, type Sources } from "../source/sources.ts";
import { createReader } from "../source/ts-morph/reader.ts";
import { dependentsOf, withoutConsequences } from "./consequences.ts";
import { generateFiles } from "./generators.ts";

/** The generated files, before they are compared with those on disk. Plain data. */
export interface GeneratedOutput {
  readonly files: readonly GeneratedFile[];
  /** With the levels of the request applied. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The input of a run. */
export interface GeneratorInput {
  readonly files: Files;
  /** A reader that keeps files between runs. By default, the run has its own. */
  readonly reader?: SourceReader;
}

/**
 * Runs the requested generators over the packages. The result depends only on the request and on the answers of `files`:
 * the cache and `--watch` rely on that.
 */
export async function runGenerators(request: GenerateRequest, input: GeneratorInput): Promise<GeneratedOutput> {
  const collector = createCollector(policyOf(request));
  const reader = input.reader ?? createReader();
  const sources = createSources(reader, input.files, kubernetesTypes);
  const diagnostics = () => withoutConsequences(collector.all(), sources.dependencies);
  try {
    const files = await runWith(collector, request, { files: input.files, sources });
    return { files, diagnostics: diagnostics() };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const hint = "flatten them, or declare inner parts as named types";
    collector.report(general("unsupported-type", `types or values are nested too deeply: ${error.message}`, hint));
    return { files: [], diagnostics: diagnostics() };
  }
}

async function runWith(
  { report, all }: DiagnosticCollector,
  request: GenerateRequest,
  { files, sources }: { readonly files: Files; readonly sources: Sources },
): Promise<readonly GeneratedFile[]> {
  const directories = findRoots(request, files, report);
  const packages = createPackages({ sources, registry: markerRegistry, report, own: new Set(directories) });
  const roots = loadRoots(directories, packages, sources);
  const generated = await generateFiles({ request, roots, packages, sources, files, report });
  // Files outside the packages are read while resolving types.
  for (const file of sources.files) for (const diagnostic of file.diagnostics) report(diagnostic);
  const before = filesWithErrors(all(), sources);
  const kstatus = { kinds: new Set(request.kstatus), levels: request.levels ?? {} };
  await lint({ crds: generated.crds, packages, sources, broken: (crd) => uses(crd, before), kstatus, report });
  const after = filesWithErrors(all(), sources);
  return generated.files.map((file) => {
    const isBroken = generated.crdsOf.get(file)?.some((crd) => uses(crd, after)) === true;
    return isBroken ? Object.freeze({ ...file, hasErrors: true as const }) : file;
  });
}

/** Returns the files with errors, and those that use them. */
function filesWithErrors(diagnostics: readonly Diagnostic[], sources: Sources): ReadonlySet<string> {
  const files = diagnostics.flatMap(({ severity, file }) => (severity === "error" && file !== "" ? [file] : []));
  return dependentsOf(files, sources.dependencies);
}

function uses({ types }: GeneratedCrd, files: ReadonlySet<string>): boolean {
  return types.some(({ at }) => files.has(at.file));
}

/** Returns the directories of the packages in `paths=`; by default the working directory. */
function findRoots(
  request: GenerateRequest,
  files: Files,
  report: (diagnostic: Diagnostic) => void,
): readonly string[] {
  const { paths } = request.config;
  const packages = files.findPackages(paths.length === 0 ? ["."] : paths, request.cwd);
  for (const pattern of packages.missing) {
    // As in Go, a directory is one package, and its subdirectories are others.
    const below = `${pattern.replace(/\/$/, "")}/...`;
    const hasPackages = !pattern.endsWith("...") && files.findPackages([below], request.cwd).directories.length > 0;
    const hint = hasPackages ? `use paths=${below} to include subdirectories` : undefined;
    report(general("no-such-path", `paths=${pattern}: no such directory, or no TypeScript files in it`, hint));
  }
  for (const { directory, reason } of packages.unreadable) {
    const message = `skipped the directory, because it can't be listed: ${reason}`;
    const hint = "rename it, check its permissions, or use paths= without it";
    report({ id: "unlisted-directory", severity: "warning", message, file: directory, line: 0, column: 0, hint });
  }
  return packages.directories;
}

/** Reads packages with all of their markers. */
export function loadRoots(directories: readonly string[], packages: Packages, sources: Sources): ApiPackage[] {
  sources.prepare(directories);
  const roots = directories.map((directory) => packages.load(directory));
  for (const root of roots) packages.readAll(root);
  return roots;
}
