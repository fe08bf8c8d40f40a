import { withCliVersion } from "../../project/change-project.ts";
import type { UpgradePlan } from "../../scaffold/upgrade.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { conflictsOf } from "../merge-report.ts";
import { planAndApply } from "../project-work.ts";
import { loadForReplay } from "../replayed-project.ts";
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
  const { options, globals } = context;
  const check = options.check === true;
  let plan: UpgradePlan | undefined;
  const done = await planAndApply(
    check ? { ...context, globals: { ...globals, dryRun: true } } : context,
    async () => {
      plan = await makePlan(context);
      return plan;
    },
    (made) =>
      made.operations.length === 0
        ? "The project is up to date."
        : "The project is up to date now. Next: look at git diff, then npm install and make manifests (or npm run manifests)",
  );
  const dryRun = check || globals.dryRun;
  const result = plan === undefined ? done : conflictsOf(plan, done, { terminal: context.terminal, dryRun });
  if (!check || globals.dryRun) return result;
  const stale = done.operations?.length !== 0 || result.diagnostics !== undefined;
  return { ...result, exitCode: stale ? 1 : 0 };
}

async function makePlan(context: CommandContext): Promise<UpgradePlan> {
  const { project, tree, templates, ...rest } = await loadForReplay(context);
  const { boilerplatePath } = await import("../../scaffold/boilerplate.ts");
  const { mainFile } = await import("../../scaffold/main-file.ts");
  const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
  const { replay } = await import("../../scaffold/replay.ts");
  const { planUpgrade } = await import("../../scaffold/upgrade.ts");
  const references = packageReferences(packageRoot());
  const boilerplate = tree.readText(boilerplatePath) ?? "";
  const mainBefore = tree.readText(mainFile);
  const target = await replay(templates, { ...rest, project, boilerplate, references, mainBefore });
  const packed = references.files.map(async ({ path, content }) => ({ path, content: await content }));
  const artifacts = [
    { path: "PROJECT", content: withCliVersion(project, cliVersion()) },
    ...(await Promise.all(packed)),
  ];
  return planUpgrade(tree, { target, artifacts });
}
