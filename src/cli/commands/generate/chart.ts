import type { CommandContext, CommandResult } from "../../command.ts";
import type { GenerateCall } from "./call.ts";
import { type ExecuteContext, execute } from "./execute.ts";

/** Executes a call, and with `--helm` then updates the chart, which is rendered from the generated files. */
export async function executeWithChart(call: GenerateCall, context: ExecuteContext): Promise<CommandResult> {
  const made = await execute(call, context);
  if (!call.flags.helm || made.exitCode !== 0) return made;
  const { command } = await import("../edit.ts");
  const edit: CommandContext = {
    ...context,
    globals: { ...context.globals, quiet: true },
    args: [],
    rawArgs: [],
    options: { helm: true, check: call.flags.check },
    usage: () => "",
    emit: () => undefined,
  };
  const chart = await command.run(edit);
  return {
    ...made,
    ...chart,
    operations: [...(made.operations ?? []), ...(chart.operations ?? [])],
    diagnostics: [...(made.diagnostics ?? []), ...(chart.diagnostics ?? [])],
    output: [made.output, chart.output].filter((text) => text !== undefined && text !== "").join("\n"),
  };
}
