import { resolve } from "node:path";
import { crdDocuments, crdModelOf, crdsOf, type GeneratedCrd } from "../crd/crds.ts";
import type { GeneratorName, GeneratorOptions, HeaderOptions } from "../options/index.ts";
import { type GeneratedFile, renderFile } from "../output/file.ts";
import { generateRoles } from "../rbac/roles.ts";
import { general, type Run } from "../run/run.ts";
import type { CoreTypes } from "../schema/builder.ts";
import { coreTypeOf } from "../schema/core-type-identity.ts";
import { coreTypeProblem, loadCoreType } from "../schema/core-types.ts";
import type { Files } from "../source/files.ts";
import { webhookConfigurations } from "../webhook/configurations.ts";

/** Reads the header of generated files; returns a problem if the file can't be read. */
function readHeader(
  options: Partial<HeaderOptions>,
  cwd: string,
  files: Files,
): { readonly text: string } | { readonly problem: string } {
  if (options.headerFile === undefined || options.headerFile === "") return { text: "" };
  try {
    const text = files.read(resolve(cwd, options.headerFile));
    return { text: text.replaceAll(" YEAR", ` ${options.year ?? ""}`) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unreadable";
    return { problem: `cannot read the header file ${options.headerFile} (${code})` };
  }
}

/** The documents of one file; without documents, the file doesn't exist. */
interface Documents {
  readonly name: string;
  readonly documents: readonly unknown[];
  /** The CRD that became this document. */
  readonly crd?: GeneratedCrd;
}

/** A file whose text the generator formats itself. */
interface Written {
  readonly name: string;
  readonly text: string;
  /** The CRDs that it depends on. */
  readonly crds?: readonly GeneratedCrd[];
  /** Whether it is written only if it doesn't exist. */
  readonly isOnce?: true;
}

type Generator<Name extends GeneratorName> = (
  run: Run,
  options: NonNullable<GeneratorOptions[Name]>,
) => Promise<(Documents | Written)[]> | (Documents | Written)[];

const markersOf = (roots: Run["roots"]) => roots.map((root) => root.markers);
const core: CoreTypes = { identify: coreTypeOf, load: loadCoreType, problem: coreTypeProblem };

/** The implementation of each generator. Those that only Go needs have none. */
const generators: { readonly [Name in GeneratorName]?: Generator<Name> } = {
  crd(run, options) {
    return crdDocuments(run, options, core).map(({ name, ...crd }) => ({ name, documents: [crd.document], crd }));
  },
  async rbac(run, options) {
    const { roots, report } = run;
    const { roleName, fileName } = options;
    if (options.verify) {
      // Loaded on demand, because it needs a type checker.
      const { verifyAccess } = await import("../rbac/verify/verify.ts");
      verifyAccess(run, options);
    }
    return [{ name: fileName, documents: generateRoles(markersOf(roots), roleName, report) }];
  },
  webhook({ roots, report }) {
    return [{ name: "manifests.yaml", documents: webhookConfigurations(markersOf(roots), report) }];
  },
  async schemapatch(run, options) {
    // Loaded on demand, because it needs a YAML parser.
    const { patchSchemas } = await import("../schemapatch/generator.ts");
    return patchSchemas(run, options, core);
  },
  async jsonschema(run, options) {
    // Loaded on demand, like all generators that few projects use.
    const { jsonSchemas } = await import("../jsonschema/generator.ts");
    return jsonSchemas(run, crdsOf(run, core), options);
  },
  async apidocs(run, options) {
    const { apiReference } = await import("../apidocs/generator.ts");
    return apiReference(run, crdModelOf(run, core), options);
  },
  async policy(run) {
    const { policyFiles } = await import("../policy/generator.ts");
    return policyFiles(run, crdModelOf(run, core));
  },
  async monitoring(run, options) {
    const { monitoringFiles } = await import("../monitoring/generator.ts");
    return monitoringFiles(run, options);
  },
};

/** The output of the generators. */
export interface Generated {
  readonly files: readonly GeneratedFile[];
  /** The generated CRDs as data. */
  readonly crds: readonly GeneratedCrd[];
  /** The CRDs that a file contains or describes. */
  readonly crdsOf: ReadonlyMap<GeneratedFile, readonly GeneratedCrd[]>;
}

/** Generates the files of all requested generators, in the order of the request. Problems are reported. */
export async function generateFiles(run: Run): Promise<Generated> {
  const asked = run.request.config.generators;
  const all: Generated[] = [];
  for (const name of Object.keys(asked) as GeneratorName[]) all.push(await filesOf(name, run));
  return {
    files: all.flatMap(({ files }) => files),
    crds: all.flatMap(({ crds }) => crds),
    crdsOf: new Map(all.flatMap((generated) => [...generated.crdsOf])),
  };
}

async function filesOf<Name extends GeneratorName>(name: Name, run: Run): Promise<Generated> {
  const generator: Generator<Name> | undefined = generators[name];
  const options = run.request.config.generators[name];
  if (!generator || !options) return { files: [], crds: [], crdsOf: new Map() };
  const header = readHeader(options as Partial<HeaderOptions>, run.request.cwd, run.files);
  if ("problem" in header) run.report(general("bad-option", `${name}:headerFile: ${header.problem}`));
  const top = "problem" in header ? "" : header.text;
  const made = await generator(run, options);
  const dependencies = new Map<GeneratedFile, readonly GeneratedCrd[]>();
  const files = made.flatMap((each): GeneratedFile[] => {
    if ("text" in each) {
      const { name: path, text, isOnce } = each;
      const file = Object.freeze({ generator: name, name: path, text, ...(isOnce ? { isOnce } : {}) });
      dependencies.set(file, each.crds ?? []);
      return [file];
    }
    if (each.documents.length === 0) return [];
    const rendered = renderFile(name, each.name, each.documents, top);
    if ("file" in rendered) {
      if (each.crd) dependencies.set(rendered.file, [each.crd]);
      return [rendered.file];
    }
    run.report(general("unwritable-document", rendered.problem));
    return [];
  });
  const crds = made.flatMap((each) => ("crd" in each && each.crd ? [each.crd] : []));
  return { files, crds, crdsOf: dependencies };
}
