import { realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { withCliVersion } from "../../project/change-project.ts";
import { externalModules, projectFromGo } from "../../project/from-go.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import { externalProblem } from "../../project/target.ts";
import type { GoProject } from "../../scaffold/migrate/go-project.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError } from "../framework/errors.ts";
import { switchValue, textFlag } from "../framework/flags.ts";
import { accepted, refuse, withCliErrors } from "../framework/problems.ts";
import { cliVersion, packageRoot } from "../framework/version.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { fetchDependencies, packageManager } from "../models/fetch-dependencies.ts";
import { openScaffold, planAndApply } from "../models/project-work.ts";

/** `scaffold migrate`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Convert a kubebuilder (Go) project into a new project in the current directory. Creates the same kinds, types, roles and webhooks, with skeletons for the code. The Go project is not changed.",
      )
      .addArgument(program.createArgument("[directory]", "directory of the Go project"))
      .option(
        "--external-apis <list>",
        "comma-separated list of types of external kinds: <group>/<version>=<npm package>[@<version>][/<path>]",
      )
      .option("--fetch-deps [bool]", "install npm packages (default: true)", switchValue("--fetch-deps"));
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { args, options, cwd, env, globals, terminal } = context;
  const [directory] = args;
  const source = sourceDirectory(directory, cwd);
  const list = textFlag(options, "externalApis");
  const modules = list === undefined ? new Map() : accepted(externalModules(list));
  refuse([...modules.values()].map(externalProblem));
  const { readGoProject } = await import("../../scaffold/migrate/go-project.ts");
  const go = await withCliErrors(async () => readGoProject(source, shown(directory ?? "")));
  const crds = await definitionsOf(go);
  const defined = crds.map(({ spec }) => ({ group: spec.group, kind: spec.names.kind }));
  const moved = accepted(projectFromGo(go.project, modules, defined));
  for (const note of moved.notes) terminal.onSuccess("note", note);
  const project = accepted(readProject(withCliVersion(moved.project, cliVersion())));
  const fetches = options.fetchDeps !== false;
  const manager = packageManager(env.npm_config_user_agent);
  const result = await planAndApply(
    context,
    async () => {
      const { planMigration } = await import("../../scaffold/migrate/plan.ts");
      const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
      const { markerTexts } = await import("../../generate/markers/write.ts");
      const { coreTypeOfSchema } = await import("../../generate/schema/core-type-of-schema.ts");
      const references = packageReferences(packageRoot());
      const { tree, templates, year } = await openScaffold(context);
      return planMigration(tree, templates, {
        project,
        crds,
        samples: go.samples,
        sources: go.sources,
        files: go.files,
        boilerplate: go.boilerplate,
        npm: identityOf(project),
        references,
        packageManager: manager,
        coreKinds: await coreKindTable(),
        year,
        foreignTypes: coreTypeOfSchema,
        markerTexts,
      });
    },
    () => nextSteps(project, relative(cwd, source), fetches ? "" : `${manager.name} install, then `),
  );
  if (!globals.dryRun && fetches) await fetchDependencies(context);
  return result;
}

function sourceDirectory(directory: string | undefined, cwd: string): string {
  const example = "for example, in a new directory beside it: npx kubewright migrate ../game";
  if (directory === undefined || directory === "") {
    throw usageError("scaffold migrate requires the directory of a kubebuilder project", example);
  }
  const source = resolve(cwd, directory);
  if (statSync(source, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw usageError(
      `${shown(directory)} isn't a directory: scaffold migrate requires the directory of a kubebuilder project`,
      example,
    );
  }
  if (realpathSync(source) === realpathSync(cwd)) {
    throw usageError(
      "a project can't be migrated in place: run scaffold migrate in another directory, so that you can compare both projects",
      example,
    );
  }
  return source;
}

/** Reads one definition per name. If several files define it, the one that `make manifests` writes wins. */
async function definitionsOf({ definitions }: GoProject): Promise<CustomResourceDefinition[]> {
  const { readCrd } = await import("../../scaffold/from-crd/read.ts");
  const { namesProblem } = await import("../../scaffold/from-crd/resource.ts");
  const found = new Map<string, CustomResourceDefinition>();
  for (const { path, text } of definitions) {
    const crd = accepted(readCrd(text, path));
    refuse([namesProblem(crd)]);
    const { name } = crd.metadata;
    if (!found.has(name) || path.startsWith("config/crd/bases/")) found.set(name, crd);
  }
  return [...found.values()];
}

function identityOf(project: Project): NonNullable<ReturnType<typeof packageIdentity>> {
  const npm = packageIdentity(project.repo);
  if (npm === undefined)
    throw usageError(`PROJECT can't be used: repo ${shown(project.repo)} isn't a valid package name`);
  return npm;
}

function nextSteps({ projectName }: Project, source: string, install: string): string {
  return `Converted ${projectName}, except its code. Next: ${install}make manifests (or npm run manifests), then git diff --no-index ${source}/config config`;
}
