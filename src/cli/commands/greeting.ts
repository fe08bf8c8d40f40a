import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../project/project-file.ts";
import { wasInterrupted } from "../../scaffold/files/journal.ts";
import type { Check } from "../doctor/check.ts";
import type { CommandResult } from "../framework/command.ts";
import { withCliErrors } from "../framework/problems.ts";
import { cliVersion } from "../framework/version.ts";
import { wayToProject } from "../models/nearest-project.ts";

/** The end of the greeting in a project, whose author has seen the list of commands. */
const more = "npx scaffold --help lists all commands.";

/** The state of the current directory, and the suggested next step. */
interface Step {
  readonly state: string;
  readonly next: string;
}

/**
 * `scaffold` without arguments: reports the state of the current directory and the next step.
 *
 * @param help - the help text, which is appended outside of a project
 */
export async function greeting(cwd: string, help: string): Promise<CommandResult> {
  // Checking a project loads the YAML parser and the generator, which takes time.
  const isInside = existsSync(join(cwd, "PROJECT")) || wasInterrupted(cwd);
  const { project, state, next } = isInside ? await stepIn(cwd) : startingStep(cwd);
  const head = `Hello, this is kubewright ${cliVersion()}.`;
  const data = { project: project ?? null, state, next };
  return {
    exitCode: 0,
    output: [head, "", state, `Next: ${next}`, "", isInside ? more : help].join("\n"),
    data,
  };
}

async function stepIn(cwd: string): Promise<Step & { readonly project?: string }> {
  const { checkProject } = await import("../doctor/project.ts");
  const { project, checks } = await withCliErrors(() => checkProject(cwd));
  return { ...nextStep(project, checks), ...(project === undefined ? {} : { project: project.projectName }) };
}

function nextStep(project: Project | undefined, checks: readonly Check[]): Step {
  const packages = checks.find(({ id, status }) => id === "packages" && status !== "ok");
  const urgent = checks.find(({ status }) => status === "missing") ?? packages;
  if (urgent !== undefined) return stepOf(urgent);
  const name = `Project ${project?.projectName}`;
  const kinds = [...new Set(project?.resources.map(({ kind }) => kind))];
  if (kinds.length === 0) {
    return {
      state: `${name} has no kinds yet.`,
      next: "npx scaffold create api --group shop --version v1 --kind Game, with your own names",
    };
  }
  const rest = checks.find(({ status }) => status !== "ok");
  if (rest !== undefined) return stepOf(rest);
  return {
    state: `${name}: ${kinds.join(", ")}. All checks passed, and the manifests are up to date.`,
    next: "run it in your current kubectl context with make install run (or npm run install:crds, then npm run run)",
  };
}

/** The project may be in a parent directory, but commands must run in the project directory. */
function startingStep(cwd: string): Step & { readonly project?: undefined } {
  const way = wayToProject(cwd);
  if (way !== undefined) return { state: "The project is in a parent directory.", next: way };
  return {
    state: "No project found in this directory.",
    next: "create one: npm create kubewright@latest",
  };
}

function stepOf({ message, hint }: Check): Step {
  return { state: `${message}.`, next: hint ?? "npx scaffold doctor" };
}
