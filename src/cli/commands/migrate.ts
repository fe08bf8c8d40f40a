import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join, posix, relative, resolve } from "node:path";
import { withCliVersion } from "../../project/change-project.ts";
import { externalModules, kindsWithTypes, projectFromGo, removedKinds } from "../../project/from-go.ts";
import { isSubdomain } from "../../project/names.ts";
import { inputProblem, type Problem } from "../../project/problem.ts";
import { type Project, readProject } from "../../project/project-file.ts";
import { packageIdentity } from "../../project/repo.ts";
import { externalProblem } from "../../project/target.ts";
import type { GoProject } from "../../scaffold/migrate/go-project.ts";
import type { GoFile } from "../../scaffold/migrate/left-behind.ts";
import type { MigrationPlan } from "../../scaffold/migrate/plan.ts";
import type { MigrationReport } from "../../scaffold/migrate/report.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { usageError, workError } from "../framework/errors.ts";
import { switchValue, textFlag } from "../framework/flags.ts";
import type { Changes } from "../framework/json.ts";
import { accepted, refuse, withCliErrors } from "../framework/problems.ts";
import { askText } from "../framework/prompts.ts";
import { cliVersion, packageRoot } from "../framework/version.ts";
import { coreKindTable } from "../models/core-kinds.ts";
import { fetchDependencies, packageManager } from "../models/fetch-dependencies.ts";
import { formatWritten } from "../models/project-format.ts";
import { openScaffold, planAndApply } from "../models/project-work.ts";

/** The changes of a migration, and what is left to do. */
export interface MigrationData extends Changes {
  readonly report: Partial<MigrationReport> & {
    readonly notes: readonly string[];
    /** Commands that check the new project. */
    readonly check: readonly string[];
  };
}

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
      .option(
        "--crds <directory>",
        "directory of the CustomResourceDefinitions, if the Go project doesn't contain them or several versions of them",
      )
      .option(
        "--leader-election-id <name>",
        "name of the Lease with which the Go operator elects its leader, if it can't be read from the code",
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
  const { withApproval } = await import("../../scaffold/migrate/approval.ts");
  const { definitionsOf } = await import("../../scaffold/migrate/definitions.ts");
  const { permissionsIn } = await import("../models/permissions.ts");
  const go = await withCliErrors(async () => readGoProject(source, shown(directory ?? "")));
  const elsewhere = definitionFiles(textFlag(options, "crds"), cwd);
  const kinds = kindsWithTypes(go.project);
  const removed = removedKinds(kinds, go.types);
  const definitions = accepted(definitionsOf(go.files, go.generations.crd?.output, { kinds, removed }, elsewhere));
  const { crds, notes: approvals } = withApproval(definitions.crds, go.files);
  const notes = [...definitions.notes, ...approvals];
  const defined = crds.map(({ spec: { group, names, scope } }) => ({
    ...{ group, kind: names.kind, plural: names.plural },
    namespaced: scope === "Namespaced",
  }));
  const permissions = permissionsIn(go.sources.flatMap(({ roles }) => roles.map((marker) => marker.text)));
  const coreKinds = await coreKindTable();
  const moved = accepted(
    projectFromGo(go.project, {
      modules,
      defined,
      goModule: go.module,
      packages: new Set(go.sources.map(({ path }) => posix.dirname(path))),
      types: go.types,
      permissions,
      coreKinds,
      directory: basename(source),
    }),
  );
  for (const note of [...notes, ...moved.notes]) terminal.onSuccess("note", note);
  const project = accepted(readProject(withCliVersion(moved.project, cliVersion())));
  const lease = await leaseName(context, go, project);
  const fetches = options.fetchDeps !== false;
  const manager = packageManager(env.npm_config_user_agent);
  const { reportText } = await import("../../scaffold/migrate/report.ts");
  let made: MigrationPlan | undefined;
  const check = checks(relative(cwd, source), fetches ? [] : [`${manager.name} install`]);
  const result = await planAndApply(
    context,
    async () => {
      const { planMigration } = await import("../../scaffold/migrate/plan.ts");
      const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
      const { markerTexts } = await import("../../generate/markers/write.ts");
      const { sampleProblems } = await import("../models/sample-problems.ts");
      const { parseOptions } = await import("../../generate/options/index.ts");
      const { coreTypeOfSchema } = await import("../../generate/schema/core-type-of-schema.ts");
      const references = packageReferences(packageRoot());
      const { tree, templates, year } = await openScaffold(context);
      made = await planMigration(tree, templates, {
        project,
        crds,
        samples: go.samples,
        sources: go.sources,
        files: go.files,
        generations: go.generations,
        lease,
        permissions,
        namespace: moved.namespace,
        boilerplate: go.boilerplate,
        npm: identityOf(project),
        references,
        packageManager: manager,
        coreKinds,
        year,
        foreignTypes: coreTypeOfSchema,
        markerTexts,
        sampleProblems: sampleProblems(),
        hasOption: (option) => parseOptions([option]).config !== undefined,
      });
      return made;
    },
    () => [...(made === undefined ? [] : reportText(made.report)), nextSteps(project, check)].join("\n"),
    "--dry-run --json, in an empty directory,",
  );
  if (!globals.dryRun && fetches) {
    await fetchDependencies(context);
    await formatWritten(context, result.operations);
  }
  const report = { ...made?.report, notes: [...notes, ...moved.notes, ...(made?.notes ?? [])], check };
  return { ...result, data: { report } satisfies Pick<MigrationData, "report"> };
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
      "a project can't be migrated in place: run npx kubewright@latest migrate in another directory, so that you can compare both projects",
      example,
    );
  }
  return source;
}

/** Returns the YAML files in the directory of `--crds`. */
function definitionFiles(directory: string | undefined, cwd: string): GoFile[] {
  if (directory === undefined) return [];
  const root = resolve(cwd, directory);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw usageError(`--crds ${shown(directory)} isn't a directory`, "specify one with the CustomResourceDefinitions");
  }
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => /\.ya?ml$/.test(path));
  if (files.length === 0) throw usageError(`--crds ${shown(directory)} contains no YAML files`);
  return files
    .sort()
    .map((path) => ({ path: join(directory, path), text: () => readFileSync(join(root, path), "utf8") }));
}

function leaseProblem(name: string): Problem | undefined {
  if (isSubdomain(name)) return undefined;
  return inputProblem(
    "bad-lease",
    `--leader-election-id ${shown(name)} isn't the name of a Lease: use lowercase letters, digits, - and .`,
  );
}

/**
 * Returns the name of the Lease of the Go operator, so that the two operators never reconcile at the same time; undefined if it
 * uses none.
 */
async function leaseName(
  context: CommandContext,
  go: GoProject,
  { projectName }: Project,
): Promise<string | undefined> {
  const { options, signal, terminal } = context;
  const flag = textFlag(options, "leaderElectionId");
  if (flag !== undefined) {
    refuse([leaseProblem(flag)]);
    return flag;
  }
  const { leaseOf } = await import("../../scaffold/migrate/lease.ts");
  const { otherElection } = await import("../../scaffold/migrate/election.ts");
  const found = leaseOf(go.files, projectName);
  if (found === undefined) {
    const other = otherElection(go.files);
    const elects = other === undefined ? "" : `, and elects its leader with another lock (${other})`;
    if (go.files.some(({ path }) => path.endsWith(".go")))
      terminal.onSuccess(
        "note",
        `the Go code sets no LeaderElectionID${elects}: if the Go operator can run at the same time as the new one, stop it first`,
      );
    return undefined;
  }
  if ("name" in found) return found.name;
  const why = `the name of the Lease can't be read from the Go code (${found.unreadable.join("; ")})`;
  if (terminal.interactive) {
    return askText(terminal, signal, {
      message: `${why}. Name of the Lease, as in kubectl get leases`,
      default: "",
      check: leaseProblem,
    });
  }
  throw workError(
    "unknown-lease",
    `${why}, so the Go operator and the new one could reconcile at the same time`,
    "set it with --leader-election-id NAME: kubectl get leases in the namespace of the Go operator lists it",
  );
}

function identityOf(project: Project): NonNullable<ReturnType<typeof packageIdentity>> {
  const npm = packageIdentity(project.repo);
  if (npm === undefined)
    throw usageError(`PROJECT can't be used: repo ${shown(project.repo)} isn't a valid package name`);
  return npm;
}

/** Returns the commands that compare the new project with the Go project. */
function checks(source: string, first: readonly string[]): string[] {
  return [
    ...first,
    "make manifests",
    `git diff --no-index ${source}/config config`,
    `npx scaffold generate --check --against ${source}`,
    "make test",
  ];
}

function nextSteps({ projectName }: Project, check: readonly string[]): string {
  return `Converted ${projectName}, except its code. Next (without make, npm run manifests and npm test do the same):\n${check.map((line) => `  ${line}`).join("\n")}`;
}
