// Reads the public API of the runtime with TypeDoc.
import { join } from "node:path";
import {
  Application,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  type ReferenceReflection,
  type Reflection,
  ReflectionKind,
} from "typedoc";
import { load, type PluginOptions } from "typedoc-plugin-markdown";
import type ts from "typescript";
import { root } from "../../../lib/run.mjs";
import { areaOf, areas } from "./areas.ts";
import { AreaRouter } from "./router.ts";
import { AreaTheme } from "./theme.ts";

const sources = join(root, "packages/runtime/src").replaceAll("\\", "/");

/** The entry points, without those of the Kubernetes API. If several export a name, the first one is documented. */
const entryPoints = {
  "@kubewright/runtime": "index.ts",
  "@kubewright/runtime/api": "api/index.ts",
  "@kubewright/runtime/metrics": "metrics/index.ts",
  "@kubewright/runtime/testing": "testing/index.ts",
  "@kubewright/runtime/envtest": "envtest/index.ts",
  "@kubewright/runtime/simulation": "simulation/index.ts",
} as const;

const layout: Partial<PluginOptions> = { expandParameters: true };

/** The public API, with a module per area. */
export interface RuntimeApi {
  readonly app: Application;
  readonly project: ProjectReflection;
  /** The modules of the areas, in the order of the index. */
  readonly modules: readonly DeclarationReflection[];
  readonly declarationsOf: (reflection: Reflection) => readonly ts.Declaration[];
}

let reading: Promise<RuntimeApi> | undefined;

/** Reads the public API once per process. It takes some seconds. */
export function runtimeApi(): Promise<RuntimeApi> {
  reading ??= readApi();
  return reading;
}

async function readApi(): Promise<RuntimeApi> {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: Object.values(entryPoints).map((file) => `${sources}/${file}`),
    tsconfig: join(root, "packages/runtime/tsconfig.json"),
    plugin: [load],
    // The type check is a separate step.
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    excludeProtected: true,
    // Members of Error and of other packages' classes.
    excludeExternals: true,
    // The same pages on every machine and commit.
    disableSources: true,
    disableGit: true,
    readme: "none",
    sort: ["static-first", "alphabetical-ignoring-documents"],
    // completeness.ts checks the comments.
    validation: { notExported: true, notDocumented: false, invalidLink: true },
    logLevel: "Warn",
    ...layout,
    router: "area",
    theme: "area",
  });
  app.renderer.defineRouter("area", AreaRouter);
  app.renderer.defineTheme("area", AreaTheme);
  let modules: RuntimeApi["modules"] = [];
  let declarationsOf: RuntimeApi["declarationsOf"] = () => [];
  // The reference lists the modules with these types, and Kubernetes documents their fields.
  app.converter.addUnknownSymbolResolver((_reference, _reflection, _part, symbol) => {
    const file = symbol?.fileName?.replaceAll("\\", "/") ?? "";
    return isKubernetesModule(file) ? "../runtime.md#types-of-kubernetes" : undefined;
  });
  // After the links in comments are resolved, because they may name all exports of an entry point.
  const last = Number.NEGATIVE_INFINITY;
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    (context) => {
      modules = moveToAreas(context.project);
      declarationsOf = (reflection) => context.getSymbolFromReflection(reflection)?.declarations ?? [];
    },
    last,
  );
  const project = await app.convert();
  if (project === undefined) throw new Error("the runtime's API can't be read");
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error("the comments of the runtime have errors; see the messages of TypeDoc above");
  }
  return { app, project, modules, declarationsOf };
}

/** Whether a file contains the types of a group and version of Kubernetes. */
function isKubernetesModule(file: string): boolean {
  return file.startsWith(`${sources}/api/`) && /^[^/]+\/[^/]+\.ts$/.test(file.slice(`${sources}/api/`.length));
}

/** Moves the exports from the modules of the entry points to a module per area. Each export is moved once. */
function moveToAreas(project: ProjectReflection): DeclarationReflection[] {
  const modules = areas.map((area) => {
    const { page } = area;
    const module = new DeclarationReflection(page, ReflectionKind.Module, project);
    project.registerReflection(module, undefined, undefined);
    return { page, module: Object.assign(module, { area }) };
  });
  for (const entry of [...(project.children ?? [])]) {
    const specifier = specifierOf(entry);
    for (const child of [...(entry.children ?? [])]) {
      if (child.kindOf(ReflectionKind.Reference)) {
        project.removeReflection(child as ReferenceReflection);
        continue;
      }
      const path = sourceOf(project, child);
      const { page } = areaOf(path);
      const target = modules.find((each) => each.page === page)?.module;
      entry.removeChild(child);
      Object.assign(child, { parent: target, specifier });
      target?.addChild(child);
    }
  }
  for (const { module } of modules) project.addChild(module);
  return modules.map(({ module }) => module);
}

/** Returns the entry point of a module, which TypeDoc names after its file. */
function specifierOf({ name }: DeclarationReflection): string {
  const entries = Object.entries(entryPoints);
  const specifier = entries.find(([, file]) => [`${name}.ts`, `${name}/index.ts`].includes(file))?.[0];
  if (specifier === undefined) throw new Error(`no entry point found for the module ${name}`);
  return specifier;
}

/** Returns the path of a declaration's file under packages/runtime/src. */
function sourceOf(project: ProjectReflection, reflection: DeclarationReflection): string {
  const file = project.getSymbolIdFromReflection(reflection)?.fileName?.replaceAll("\\", "/") ?? "";
  if (!file.startsWith(`${sources}/`))
    throw new Error(`${reflection.name} isn't declared in packages/runtime/src, but in ${file}`);
  return file.slice(sources.length + 1);
}
