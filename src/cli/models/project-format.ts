import type { Plan } from "../../scaffold/files/operation.ts";
import type { Format } from "../../scaffold/format/format.ts";
import type { CommandContext, CommandResult } from "../framework/command.ts";
import { withCliErrors } from "../framework/problems.ts";
import { isInside } from "../framework/programs.ts";
import { packageRoot } from "../framework/version.ts";

/**
 * Makes a plan, and formats the files that it writes with the project's own formatter.
 *
 * @param makePlan gets the formatter, for merges
 */
export async function formattedPlan(
  context: CommandContext,
  makePlan: (format: Format) => Promise<Plan>,
): Promise<Plan> {
  const { asWritten } = await import("../../scaffold/format/format.ts");
  // With npx, kubewright is one of the project's packages, like the formatter. One outside of the checkout runs no code from it.
  if (!isInside(packageRoot(), context.cwd)) return makePlan(asWritten);
  const { formatPlan } = await import("../../scaffold/format/format-plan.ts");
  const { plannedTree } = await import("../../scaffold/files/memory-tree.ts");
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const tree = openTree(context.cwd);
  const formatIn = await formattersOf(context, tree.root);
  const made = await makePlan(formatIn(tree.readText("package.json")));
  // The formatter reads its configuration from the disk.
  if (made.operations.some(({ op, path }) => op === "create" && path === "biome.json")) return made;
  return formatPlan(made, tree, formatIn(plannedTree(tree, made).readText("package.json")));
}

/**
 * Formats the files that a command has written, after it has installed the project's packages.
 *
 * @param operations the operations of the command
 */
export async function formatWritten(
  context: CommandContext,
  operations: CommandResult["operations"] = [],
): Promise<void> {
  const { applyPlan } = await import("../../scaffold/files/apply.ts");
  const { isFormatted } = await import("../../scaffold/format/format.ts");
  const { formatPlan } = await import("../../scaffold/format/format-plan.ts");
  const { withLock } = await import("../../scaffold/files/lock.ts");
  const { openTree } = await import("../../scaffold/files/tree.ts");
  const { signal } = context;
  const tree = openTree(context.cwd);
  const formatIn = await formattersOf(context, tree.root);
  const format = async () => {
    const written = operations.flatMap(({ path }) => {
      const content = isFormatted(path) ? tree.readText(path) : undefined;
      return content === undefined ? [] : [{ op: "update" as const, path, content }];
    });
    const plan = { root: tree.root, operations: written, kept: [], overwritten: [] };
    await applyPlan(await formatPlan(plan, tree, formatIn(tree.readText("package.json"))), { signal });
  };
  await withCliErrors(() => withLock(tree.root, format, { signal }));
}

/** Returns a function that opens the formatter for a package.json. A failure causes one warning. */
async function formattersOf(context: CommandContext, root: string): Promise<(manifest: string | undefined) => Format> {
  const { projectFormat } = await import("../../scaffold/format/project-format.ts");
  const { env, signal, terminal } = context;
  let warned = false;
  const warn = (line: string) => {
    if (!warned && !signal.aborted) terminal.warn(line);
    warned = true;
  };
  return (manifest) => projectFormat({ root, manifest, env, signal }, warn);
}
