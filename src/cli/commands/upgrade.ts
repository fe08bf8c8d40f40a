import { withCliVersion } from "../../project/change-project.ts";
import type { Plan } from "../../scaffold/operation.ts";
import type { Tree } from "../../scaffold/tree.ts";
import type { MergePlan } from "../../scaffold/upgrade.ts";
import { orCheckOnly } from "../check-only.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { conflictsOf } from "../merge-report.ts";
import { planAndApply } from "../project-work.ts";
import { loadForReplay, type ReplayedProject } from "../replayed-project.ts";
import { cliVersion, packageRoot } from "../version.ts";

/** `scaffold upgrade`. */
export const command: CommandModule = {
  define(program) {
    program
      .description(
        "Render the project with the templates of this version and merge the result with your edits. Content that you deleted stays deleted.",
      )
      .option("--check", "write nothing; exit with 1 if there is something to upgrade")
      .option("--rebase", "after a merge of branches, only rebuild .kubewright/pristine.txtar from PROJECT");
  },
  run,
};

function run(context: CommandContext): Promise<CommandResult> {
  return orCheckOnly(context, context.options.rebase === true ? rebase : upgrade);
}

async function rebase(context: CommandContext): Promise<CommandResult> {
  return planAndApply(
    context,
    () => planToRebase(context),
    ({ operations }) =>
      operations.length === 0
        ? "The pristine copies match PROJECT and the templates."
        : "Rebuilt the pristine copies. Next: run npx scaffold upgrade --check",
  );
}

async function planToRebase(context: CommandContext): Promise<Plan> {
  const { choicesToRebase, planRebase } = await import("../../scaffold/rebase.ts");
  const loaded = await loadForReplay(context);
  const { tree, project } = loaded;
  const { target, header } = await render(loaded, choicesToRebase(tree));
  const plan = planRebase(tree, { target, header });
  if (project.cliVersion === undefined || project.cliVersion === cliVersion()) return plan;
  const note = `upgrade doesn't merge what changed in the templates from kubewright ${project.cliVersion} to ${cliVersion()}: to receive it, undo this and run npx kubewright@${project.cliVersion} upgrade --rebase first`;
  return { ...plan, notes: [...(plan.notes ?? []), note] };
}

async function upgrade(context: CommandContext): Promise<CommandResult> {
  const { terminal, globals } = context;
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
  return plan === undefined ? done : conflictsOf(plan, done, { terminal, dryRun: globals.dryRun });
}

async function makePlan(context: CommandContext): Promise<MergePlan> {
  const { pristineTree, readPristineCopies } = await import("../../scaffold/pristine.ts");
  const { planUpgrade } = await import("../../scaffold/upgrade.ts");
  const loaded = await loadForReplay(context);
  const { tree, project } = loaded;
  const { references, ...rendered } = await render(loaded, pristineTree(tree, readPristineCopies(tree)));
  const packed = references.files.map(async ({ path, content }) => ({ path, content: await content }));
  const artifacts = [
    { path: "PROJECT", content: withCliVersion(project, cliVersion()) },
    ...(await Promise.all(packed)),
  ];
  return planUpgrade(tree, { ...rendered, artifacts });
}

/**
 * Renders a project with the current templates.
 *
 * @param copies the pristine copies, for choices of earlier commands
 */
async function render(loaded: ReplayedProject, copies: Tree) {
  const { project, tree, templates, ...rest } = loaded;
  const { boilerplatePath, fileHeader } = await import("../../scaffold/boilerplate.ts");
  const { packageReferences } = await import("../../scaffold/vendor/sources.ts");
  const { replay } = await import("../../scaffold/replay.ts");
  const { choicesOf } = await import("../../scaffold/replay-choices.ts");
  const references = packageReferences(packageRoot());
  const boilerplate = tree.readText(boilerplatePath) ?? "";
  const choices = choicesOf(copies, project);
  const target = await replay(templates, { ...rest, ...choices, project, boilerplate, references });
  return { target, header: fileHeader(boilerplate, rest.year), references };
}
