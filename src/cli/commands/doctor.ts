import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import type { Check } from "../doctor/check.ts";
import { checkMachine } from "../doctor/machine.ts";
import { checkProject } from "../doctor/project.ts";

/** `scaffold doctor`. */
export const command: CommandModule = {
  define(program) {
    program.description("Looks at the machine and the project and names what is missing. Changes nothing.");
  },
  run,
};

const signs = { ok: "✓", notice: "!", missing: "✗" } as const;

async function run(context: CommandContext): Promise<CommandResult> {
  const [machine, project] = await Promise.all([checkMachine(context), checkProject(context.cwd)]);
  const checks = [...machine, ...project];
  const missing = checks.filter(({ status }) => status === "missing");
  const summary = missing.length === 0 ? "Nothing is missing." : `${missing.length} missing.`;
  return {
    exitCode: missing.length === 0 ? 0 : 1,
    output: [...checks.flatMap(linesOf), "", summary].join("\n"),
    data: { checks },
    diagnostics: checks
      .filter(({ status }) => status !== "ok")
      .map(({ id, status, message, hint, file }) => ({
        id,
        severity: status === "missing" ? "error" : "warning",
        message,
        file: file ?? "",
        line: 0,
        column: 0,
        hint,
      })),
  };
}

function linesOf({ status, message, hint }: Check): string[] {
  return [`${signs[status]} ${message}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}
