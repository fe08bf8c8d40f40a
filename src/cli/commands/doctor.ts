import { styled } from "../../text/terminal.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { checkCertificate } from "../doctor/certificate.ts";
import type { Check } from "../doctor/check.ts";
import { checkCluster } from "../doctor/cluster.ts";
import { checkMachine } from "../doctor/machine.ts";
import { checkProject } from "../doctor/project.ts";
import { interrupted } from "../errors.ts";
import { scaffolding } from "../problems.ts";

/** `scaffold doctor`. */
export const command: CommandModule = {
  define(program) {
    program.description(
      "Looks at machine, cluster and project and names what is missing. Changes nothing, and runs nothing that the project brings.",
    );
  },
  run,
};

const signs = { ok: ["✓", 32], notice: ["!", 33], missing: ["✗", 31] } as const;

async function run(context: CommandContext): Promise<CommandResult> {
  const [machine, cluster, { project, checks: own }] = await Promise.all([
    checkMachine(context),
    checkCluster(context),
    scaffolding(() => checkProject(context.cwd)),
  ]);
  const deployed = project === undefined ? [] : await checkCertificate(context, project);
  // What was asked when the signal came gave no answer, which would look like something missing.
  if (context.signal.aborted) throw interrupted();
  const sections = { Machine: machine, Cluster: [...cluster, ...deployed], Project: own };
  const checks = Object.values(sections).flat();
  const missing = checks.filter(({ status }) => status === "missing");
  const { resultColor } = context.terminal;
  const lines = Object.entries(sections).flatMap(([title, found]) => [
    title,
    ...found.flatMap((check) => linesOf(check, resultColor).map((line) => `  ${line}`)),
    "",
  ]);
  const rest = checks.some(({ status }) => status === "notice")
    ? ` Have a look at what is marked ${signs.notice[0]}`
    : "";
  const summary = missing.length === 0 ? `Nothing is missing.${rest}` : `${missing.length} missing.`;
  return {
    exitCode: missing.length === 0 ? 0 : 1,
    output: [...lines, summary].join("\n"),
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

function linesOf({ status, message, hint }: Check, color: boolean): string[] {
  const [sign, code] = signs[status];
  const mark = color ? styled(code, sign) : sign;
  return [`${mark} ${message}`, ...(hint === undefined ? [] : [`    ${hint}`])];
}
