import type { CommandContext, CommandResult } from "./command.ts";

/** Does a command's work. With `--check` nothing is written, and the exit code is 1 where something would have been. */
export async function orCheckOnly(
  context: CommandContext,
  work: (context: CommandContext) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (context.options.check !== true || context.globals.dryRun) return work(context);
  const result = await work({ ...context, globals: { ...context.globals, dryRun: true } });
  const stale = result.operations?.length !== 0 || result.diagnostics !== undefined;
  return { ...result, exitCode: stale ? 1 : 0 };
}
