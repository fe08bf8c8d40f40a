import { withCliVersion } from "../../project/change-project.ts";
import type { MergePlan } from "../../scaffold/commands/upgrade.ts";
import type { Tree } from "../../scaffold/files/tree.ts";
import type { Format } from "../../scaffold/format/format.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { cliVersion, packageRoot } from "../framework/version.ts";
import { orCheckOnly } from "../models/check-only.ts";
import { conflictsOf } from "../models/merge-report.ts";
import { planAndApply } from "../models/project-work.ts";
import { loadForReplay, type ReplayedProject } from "../models/replayed-project.ts";

/** `scaffold upgrade`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Render the project with the templates of this version and merge the result with your edits. Content that you deleted stays deleted.",
      )
      .option("--check", "write nothing; exit with 1 if there is something to upgrade")
      .option(
        "--rebase",
        "only rebuild the copies of the scaffolded files in .kubewright, for example after a merge of branches",
      );
  },
  removedFlags: {
    "--use-gh-models": "leave it out: files with conflicts are listed, and contain both versions",
  },
  run,
};

function run(context: CommandContext): Promise<CommandResult> {
  return orCheckOnly(context, context.options.rebase === true ? rebase : upgrade);
}

function rebase(context: CommandContext): Promise<CommandResult> {
  return planAndApply(
    context,
    async () => {
      const loaded = await loadForReplay(context);
      const { project, tree } = loaded;
      const { choicesToRebase, planRebase } = await import("../../scaffold/commands/rebase.ts");
      const plan = planRebase(tree, await render(loaded, choicesToRebase(tree)));
      const notes =
        project.cliVersion === undefined || project.cliVersion === cliVersion()
          ? []
          : [
              `the project was scaffolded by kubewright ${project.cliVersion}, but ${cliVersion()} is running: what its templates changed counts as your edits`,
            ];
      return { ...plan, notes: [...(plan.notes ?? []), ...notes] };
    },
    ({ operations }) =>
      operations.length === 0
        ? "The copies in .kubewright are up to date."
        : "Rebuilt the copies in .kubewright. Next: commit them",
  );
}

async function upgrade(context: CommandContext): Promise<CommandResult> {
  let plan: MergePlan | undefined;
  const done = await planAndApply(
    context,
    async (format) => {
      plan = await makePlan(context, format);
      return plan;
    },
    (made) =>
      made.operations.length === 0
        ? "The project is up to date."
        : "Upgraded the project. Next: review git diff, then run npm install and make manifests (or npm run manifests)",
  );
  return plan === undefined ? done : conflictsOf(plan, done, context);
}

async function makePlan(context: CommandContext, format: Format): Promise<MergePlan> {
  const loaded = await loadForReplay(context);
  const { project, tree } = loaded;
  const { pristineTree } = await import("../../scaffold/pristine/pristine.ts");
  const { planUpgrade } = await import("../../scaffold/commands/upgrade.ts");
  const { replayAdded } = await import("../../scaffold/commands/replay.ts");
  const { references, input, ...rendered } = await render(loaded, pristineTree(tree));
  const added = await replayAdded(loaded.templates, input, rendered.target, tree);
  const packed = references.files.map(async ({ path, content }) => ({ path, content: await content }));
  const artifacts = [
    { path: "PROJECT", content: withCliVersion(project, cliVersion()) },
    ...(await Promise.all(packed)),
  ];
  return planUpgrade(tree, { ...rendered, added, artifacts, format });
}

/**
 * Renders a project with the templates of this version.
 *
 * @param copies contains earlier choices that PROJECT doesn't record
 */
async function render({ project, tree, templates, ...rest }: ReplayedProject, copies: Tree) {
  const { boilerplatePath, fileHeader } = await import("../../scaffold/parts/boilerplate.ts");
  const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
  const { replay } = await import("../../scaffold/commands/replay.ts");
  const { choicesOf } = await import("../../scaffold/commands/replay-choices.ts");
  const references = packageReferences(packageRoot());
  const boilerplate = tree.readText(boilerplatePath) ?? "";
  const choices = choicesOf(copies, project);
  const input = { ...rest, ...choices, project, boilerplate, references };
  const target = await replay(templates, input);
  return { target, header: fileHeader(boilerplate, rest.year), references, input };
}
