// Runs the `run` steps of GitHub workflows in order, as far as possible on a local machine.
import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { type Finished, run } from "../lib/run.mjs";

export interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string | number | boolean>;
  env?: Record<string, string>;
}

export interface Job {
  steps: Step[];
  permissions?: Record<string, string>;
  strategy?: { matrix: Record<string, (string | number)[]> };
  if?: string;
  environment?: string;
}

export interface Workflow {
  name: string;
  on?: Record<string, unknown>;
  permissions?: Record<string, string>;
  jobs: Record<string, Job>;
}

/** The result of a command, or of the replacement of an action. */
export type StepResult = Pick<Finished, "code" | "stdout" | "stderr">;

/** The result of a step, and the output of its commands. */
export interface StepEnd extends StepResult {
  name: string;
}

export interface Runner {
  cwd: string;
  env: Record<string, string | undefined>;
  /** One value of each list in the job's matrix. */
  matrix?: Record<string, string>;
  /** Replacements for actions, by their names without versions. */
  actions: Record<string, (step: Step) => Promise<StepResult | undefined>>;
}

/** Reads a workflow. */
export function readWorkflow(path: string): Workflow {
  return load(readFileSync(path, "utf8")) as Workflow;
}

const jobKeys = ["name", "runs-on", "permissions", "timeout-minutes", "strategy", "steps"];
const stepKeys = ["name", "uses", "run", "with", "env"];

/**
 * Runs a job's steps until one fails, and returns the result of each. Actions without a replacement and unsupported features
 * are errors, so that nothing is skipped silently.
 */
export async function runJob(job: Job, runner: Runner): Promise<StepEnd[]> {
  refuseUnknown("job", job, jobKeys);
  const ends: StepEnd[] = [];
  for (const step of job.steps) {
    refuseUnknown("step", step, stepKeys);
    const name = step.name ?? step.uses ?? step.run ?? "";
    const end = (await runStep(step, runner)) ?? { code: 0, stdout: "", stderr: "" };
    ends.push({ name, ...end });
    if (end.code !== 0) break;
  }
  return ends;
}

async function runStep(step: Step, { cwd, env, matrix = {}, actions }: Runner): Promise<StepResult | undefined> {
  if (step.uses !== undefined) {
    const [action = ""] = step.uses.split("@");
    const standIn = actions[action];
    if (standIn === undefined) throw new Error(`no replacement for the action ${action}`);
    return standIn(step);
  }
  if (step.run === undefined) throw new Error(`the step ${step.name} neither runs nor uses anything`);
  const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, evaluated(value, matrix)]);
  // GitHub's default command for a step without a shell.
  return run("bash", ["-e", "-c", evaluated(step.run, matrix)], { cwd, env: { ...env, ...Object.fromEntries(own) } });
}

/** Evaluates the expressions in a text. Only those of the matrix are supported. */
function evaluated(text: string, matrix: Record<string, string>): string {
  return text.replaceAll(/\$\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const value = matrix[expression.replace(/^matrix\./, "")];
    if (value === undefined) throw new Error(`unknown expression ${expression}`);
    return value;
  });
}

function refuseUnknown(what: string, value: object, allowed: readonly string[]): void {
  const unknown = Object.keys(value).filter((key) => !allowed.includes(key));
  if (unknown.length > 0) throw new Error(`unsupported keys of a ${what}: ${unknown.join(", ")}`);
}
