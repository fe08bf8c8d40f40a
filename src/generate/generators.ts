import type { MadeCrd } from "./crd/crds.ts";
import { crdDocuments } from "./crd/generator.ts";
import { readHeader } from "./header.ts";
import type { GeneratorName, GeneratorOptions, HeaderOptions } from "./options/index.ts";
import { type GeneratedFile, renderFile } from "./output/file.ts";
import { generateRoles } from "./rbac/index.ts";
import { general, type Run } from "./run.ts";
import { coreTypeOf } from "./schema/core-type-identity.ts";
import { coreTypeProblem, loadCoreType } from "./schema/core-types.ts";
import { patchSchemas } from "./schemapatch/generator.ts";
import { webhookConfigurations } from "./webhook/index.ts";

/** Documents that go to one file, or its text if the generator knows better how to write it. */
interface Documents {
  readonly name: string;
  readonly documents: readonly unknown[];
  readonly text?: string;
  /** The CRD that the document is. */
  readonly crd?: MadeCrd;
}

type Generator<Name extends GeneratorName> = (run: Run, options: NonNullable<GeneratorOptions[Name]>) => Documents[];

/** What each generator makes: one entry a generator. Those that only Go needs make nothing. */
const generators: { readonly [Name in GeneratorName]?: Generator<Name> } = {
  crd(run, options) {
    const core = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };
    const crds = crdDocuments({ ...run, options, core, toolVersion: run.request.toolVersion });
    return crds.map(({ name, ...crd }) => ({ name, documents: [crd.document], crd }));
  },
  rbac({ roots, report }, { roleName, fileName }) {
    const packages = roots.map((root) => root.markers);
    return [{ name: fileName, documents: generateRoles({ packages, roleName, report }) }];
  },
  webhook({ roots, report }) {
    const packages = roots.map((root) => root.markers);
    return [{ name: "manifests.yaml", documents: webhookConfigurations({ packages, report }) }];
  },
  schemapatch(run, options) {
    const core = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };
    const patched = patchSchemas({ ...run, options, core, cwd: run.request.cwd });
    return patched.map(({ name, text }) => ({ name, text, documents: [] }));
  },
};

/** What the generators made. */
export interface Generated {
  readonly files: readonly GeneratedFile[];
  /** The CRDs among them, before they became text. */
  readonly crds: readonly MadeCrd[];
}

/** Makes the files of every generator that the request names, in the order in which it names them. Problems are reported. */
export function generateFiles(run: Run): Generated {
  const asked = run.request.config.generators;
  const all = (Object.keys(asked) as GeneratorName[]).map((name) => filesOf(name, run));
  return { files: all.flatMap(({ files }) => files), crds: all.flatMap(({ crds }) => crds) };
}

function filesOf<Name extends GeneratorName>(name: Name, run: Run): Generated {
  const generator: Generator<Name> | undefined = generators[name];
  const options = run.request.config.generators[name];
  if (!generator || !options) return { files: [], crds: [] };
  const header = readHeader(options as Partial<HeaderOptions>, run.request.cwd, run.files);
  if ("problem" in header) run.report(general("bad-option", `${name}:headerFile: ${header.problem}`));
  const text = "problem" in header ? "" : header.text;
  const made = generator(run, options);
  const files = made
    .filter(({ documents, text: written }) => documents.length > 0 || written !== undefined)
    .flatMap(({ name: file, documents, text: written }) => {
      if (written !== undefined) return [Object.freeze({ generator: name, name: file, text: written })];
      const rendered = renderFile(name, file, documents, text);
      if ("file" in rendered) return [rendered.file];
      run.report(general("unwritable-document", rendered.problem));
      return [];
    });
  return { files, crds: made.flatMap(({ crd }) => crd ?? []) };
}
