import type { ReportedDiagnostic } from "../../diagnostics/diagnostic.ts";
import { styled } from "../../text/terminal.ts";
import { checkCertificate } from "../doctor/certificate.ts";
import type { Check } from "../doctor/check.ts";
import { checkCluster } from "../doctor/cluster.ts";
import { checkMachine } from "../doctor/machine.ts";
import { checkProject } from "../doctor/project.ts";
import { checkStoredVersions } from "../doctor/stored-versions.ts";
import type { CommandContext, CommandModule, CommandResult } from "../framework/command.ts";
import { interrupted } from "../framework/errors.ts";
import { withCliErrors } from "../framework/problems.ts";

/** The results of all checks. `diagnostics` has those that aren't `ok`. */
export interface DoctorData {
  readonly checks: readonly Check[];
  readonly diagnostics: readonly ReportedDiagnostic[];
}

/** `scaffold doctor`. */
export const command: CommandModule = {
  define(program) {
    program.description(
      "Check machine, cluster and project for missing prerequisites. Changes nothing, and runs no programs from the project.",
    );
  },
  run,
};

const signs = { ok: ["✓", 32], notice: ["!", 33], missing: ["✗", 31] } as const;

async function run(context: CommandContext): Promise<CommandResult> {
  const [machine, cluster, stored, { project, checks: own }] = await Promise.all([
    checkMachine(context),
    checkCluster(context),
    checkStoredVersions(context),
    withCliErrors(() => checkProject(context.cwd)),
  ]);
  const deployed = project === undefined ? [] : await checkCertificate(context, project);
  // The signal ends programs that are still running, and their failure would look like a missing prerequisite.
  if (context.signal.aborted) throw interrupted();
  const sections = { Machine: machine, Cluster: [...cluster, ...stored, ...deployed], Project: own };
  const checks = Object.values(sections).flat();
  const errors = checks.filter(({ status }) => status === "missing").length;
  const warnings = checks.filter(({ status }) => status === "notice").length;
  const { resultColor } = context.terminal;
  const { quiet } = context.globals;
  const shown = Object.entries(sections).flatMap(([title, results]): [string, readonly Check[]][] => {
    const problems = results.filter(({ status }) => status !== "ok");
    return quiet && problems.length === 0 ? [] : [[title, quiet ? problems : results]];
  });
  const lines = shown.flatMap(([title, results]) => [
    title,
    ...results.flatMap((check) => linesOf(check, resultColor).map((line) => `  ${line}`)),
    "",
  ]);
  return {
    exitCode: errors === 0 ? 0 : 1,
    output: quiet && lines.length === 0 ? "" : [...lines, summary(errors, warnings)].join("\n"),
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

/** Counts the problems, so that the last line never contradicts those above it. */
function summary(errors: number, warnings: number): string {
  if (errors === 0 && warnings === 0) return "All checks passed.";
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const marked = warnings === 0 ? "" : `, ${count(warnings, "warning")} (marked ${signs.notice[0]})`;
  return `${errors === 0 ? "No errors" : `${count(errors, "error")} (marked ${signs.missing[0]})`}${marked}.`;
}

function linesOf({ status, message, hint }: Check, color: boolean): string[] {
  const [sign, code] = signs[status];
  const mark = color ? styled(code, sign) : sign;
  return [`${mark} ${message}`, ...(hint === undefined ? [] : [`    hint: ${hint}`])];
}
