import { crdDocuments } from "./crd/generator.ts";
import { readHeader } from "./header.ts";
import type { GeneratorName, HeaderOptions } from "./options/index.ts";
import { type GeneratedFile, renderFile } from "./output/file.ts";
import { generateRoles } from "./rbac/index.ts";
import { general, type Run } from "./run.ts";
import { coreTypeOf } from "./schema/core-type-identity.ts";
import { coreTypeProblem, loadCoreType } from "./schema/core-types.ts";

/** Makes the files of every generator that the request names. Problems are reported. */
export function generateFiles(run: Run): GeneratedFile[] {
  const files = [...crdFiles(run), ...rbacFiles(run)];
  refuseWebhooks(run);
  return files;
}

function crdFiles(run: Run): GeneratedFile[] {
  const options = run.request.config.generators.crd;
  if (!options) return [];
  const core = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };
  const documents = crdDocuments({ ...run, options, core, toolVersion: run.request.toolVersion });
  return documents.flatMap(({ name, document }) => render(run, "crd", name, [document], options));
}

function rbacFiles(run: Run): GeneratedFile[] {
  const options = run.request.config.generators.rbac;
  if (!options) return [];
  const packages = run.roots.map((root) => root.markers);
  const documents = generateRoles({ packages, roleName: options.roleName, report: run.report });
  if (documents.length === 0) return [];
  return render(run, "rbac", options.fileName, documents, options);
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
  { request, report, files }: Run,
  generator: GeneratorName,
  name: string,
  documents: readonly unknown[],
  header: HeaderOptions,
): GeneratedFile[] {
  const text = readHeader(header, request.cwd, files);
  if ("problem" in text) {
    report(general("bad-option", `${generator}:headerFile: ${text.problem}`));
    return [];
  }
  const rendered = renderFile(generator, name, documents, text.text);
  if ("file" in rendered) return [rendered.file];
  report(general("unwritable-document", rendered.problem));
  return [];
}
