import { withCliVersion } from "../../project/change-project.ts";
import type { MergePlan } from "../../scaffold/upgrade.ts";
import { orCheckOnly } from "../check-only.ts";
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
        "Render the project with the templates of this version and merge the result with your edits. Content that you deleted stays deleted.",
      )
      .option("--check", "write nothing; exit with 1 if there is something to upgrade");
  },
  run,
};

function run(context: CommandContext): Promise<CommandResult> {
  return orCheckOnly(context, upgrade);
}

async function upgrade(context: CommandContext): Promise<CommandResult> {
  let plan: MergePlan | undefined;
  const done = await planAndApply(
    context,
    async () => {
      plan = await makePlan(context);
      return plan;
    },
    (made) =>
      made.operations.length === 0
        ? "The project is up to date."
        : "Upgraded the project. Next: review git diff, then run npm install and make manifests (or npm run manifests)",
  );
  return plan === undefined ? done : conflictsOf(plan, done, context);
}

async function makePlan(context: CommandContext): Promise<MergePlan> {
  const { project, tree, templates, ...rest } = await loadForReplay(context);
  const { boilerplatePath, fileHeader } = await import("../../scaffold/boilerplate.ts");
  const { pristineTree } = await import("../../scaffold/pristine.ts");
  const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
  const { replay } = await import("../../scaffold/replay.ts");
  const { choicesOf } = await import("../../scaffold/replay-choices.ts");
  const { planUpgrade } = await import("../../scaffold/upgrade.ts");
  const references = packageReferences(packageRoot());
  const boilerplate = tree.readText(boilerplatePath) ?? "";
  const choices = choicesOf(pristineTree(tree), project);
  const target = await replay(templates, { ...rest, ...choices, project, boilerplate, references });
  const packed = references.files.map(async ({ path, content }) => ({ path, content: await content }));
  const artifacts = [
    { path: "PROJECT", content: withCliVersion(project, cliVersion()) },
    ...(await Promise.all(packed)),
  ];
  return planUpgrade(tree, { target, header: fileHeader(boilerplate, rest.year), artifacts });
}
