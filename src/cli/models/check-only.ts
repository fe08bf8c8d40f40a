import type { CommandContext, CommandResult } from "../framework/command.ts";

/** Runs a command. With `--check` it writes nothing, and the exit code is 1 if it would have changed something. */
export async function orCheckOnly(
  context: CommandContext,
  work: (context: CommandContext) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (context.options.check !== true || context.globals.dryRun) return work(context);
  const result = await work({ ...context, globals: { ...context.globals, dryRun: true } });
  const stale = result.operations?.length !== 0 || result.diagnostics !== undefined;
  return { ...result, exitCode: stale ? 1 : 0 };
}
