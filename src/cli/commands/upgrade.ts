import { withCliVersion } from "../../project/change-project.ts";
import { packageIdentity } from "../../project/repo.ts";
import type { UpgradePlan } from "../../scaffold/upgrade.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { coreKindTable } from "../core-kinds.ts";
import { workError } from "../errors.ts";
import { conflictsOf } from "../merge-report.ts";
import { loadProject, planAndApply, templatesDirectory } from "../project-work.ts";
import { cliVersion, packageRoot } from "../version.ts";

/** `scaffold upgrade`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Scaffolds the project anew with this version's templates and merges that with your changes. What you deleted stays deleted.",
      )
      .option("--check", "write nothing; exit 1 when there is something to upgrade");
  },
  run,
};

async function run(context: CommandContext): Promise<CommandResult> {
  const { options, cwd, globals } = context;
  const check = options.check === true;
  let plan: UpgradePlan | undefined;
  const done = await planAndApply(
    check ? { ...context, globals: { ...globals, dryRun: true } } : context,
    async () => {
      plan = await makePlan(cwd);
      return plan;
    },
    (made) =>
      made.operations.length === 0 ? "The project is up to date." : "The project is up to date now. Look at git diff.",
  );
  if (check && !globals.dryRun) return { ...done, exitCode: done.operations?.length === 0 ? 0 : 1 };
  return plan === undefined ? done : conflictsOf(plan, done, { terminal: context.terminal, dryRun: globals.dryRun });
}

async function makePlan(cwd: string): Promise<UpgradePlan> {
  const project = await loadProject(cwd);
  const npm = packageIdentity(project.repo);
  if (npm === undefined)
    throw workError("broken-project", `PROJECT can't be used: its repo ${project.repo} is no package`);
  const { boilerplatePath } = await import("../../scaffold/boilerplate.ts");
  const { openTree } = await import("../../scaffold/tree.ts");
  const { openTemplates } = await import("../../scaffold/templates.ts");
  const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
  const { replay } = await import("../../scaffold/replay.ts");
  const { planUpgrade } = await import("../../scaffold/upgrade.ts");
  const tree = openTree(cwd);
  const references = packageReferences(packageRoot());
  const boilerplate = tree.readText(boilerplatePath) ?? "";
  const year = new Date().getFullYear();
  const coreKinds = await coreKindTable();
  const templates = await openTemplates(templatesDirectory());
  const target = await replay(templates, { project, npm, boilerplate, year, references, coreKinds });
  const artifacts = [{ path: "PROJECT", content: withCliVersion(project, cliVersion()) }, ...references.files];
  return planUpgrade(tree, { target, artifacts });
}
