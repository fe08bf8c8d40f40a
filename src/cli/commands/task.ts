import type { Command } from "commander";
import { didYouMean } from "../../diagnostics/did-you-mean.ts";
import { createRunner } from "../../tasks/runner.ts";
import type { Task, TaskFlag } from "../../tasks/task.ts";
import { TaskError } from "../../tasks/task-error.ts";
import { type TaskName, tasks } from "../../tasks/tasks.ts";
import { readVariables, type VariableName, variableHelp } from "../../tasks/variables.ts";
import { shown } from "../../text/shown.ts";
import type { CommandContext, CommandModule, CommandResult } from "../command.ts";
import { CliError, usageError } from "../errors.ts";
import { switchValue } from "../flags.ts";
import { Interruption } from "../interruption.ts";
import { loadProject } from "../project-work.ts";

const flagHelp: Readonly<Record<TaskFlag, string>> = {
  "ignore-not-found": "ignore missing objects, as IGNORE_NOT_FOUND=true does",
  force: "remove finalizers that only the manager could remove, as FORCE=true does",
  "bundle-only": "only bundle, without generating, formatting and type checks; for the Dockerfile",
};

/** Returns the command that implements a target of the Makefile. */
export function taskCommand(name: TaskName): CommandModule {
  const task: Task = tasks[name];
  return { define: (program) => define(program, name, task), run: (context) => runTask(context, task) };
}

function define(program: Command, name: string, { description, variables, flags = [], flagsFor }: Task): void {
  const width = Math.max(...variables.map((each) => each.length));
  const list = variables.map((each) => `  ${each.padEnd(width)}  ${variableHelp[each]}`);
  program.description([description, ...(list.length === 0 ? [] : ["", "Variables:", ...list])].join("\n"));
  if (flagsFor !== undefined) program.argument("[flag...]", `flags for ${flagsFor}, after --: scaffold ${name} -- …`);
  else if (variables.length > 0) program.argument("[variable...]", "variables, as in make: NAME=value");
  for (const flag of flags) program.option(`--${flag} [bool]`, flagHelp[flag], switchValue(`--${flag}`));
}

/** Ends a task because the generator reported errors. */
class GenerateFailed extends Error {
  readonly result: CommandResult;

  constructor(result: CommandResult) {
    super("the manifests were not generated");
    this.result = result;
  }
}

async function runTask(context: CommandContext, task: Task): Promise<CommandResult> {
  const { cwd, globals, options, signal, terminal } = context;
  const [args, assigned] = task.flagsFor === undefined ? [[], assignments(context.args, task)] : [context.args, {}];
  const project = await loadProject(context);
  const env = { ...withIgnoreNotFound(context.env), ...assigned, ...flagVariables(options) };
  const runner = createRunner({
    root: cwd,
    env,
    ...globals,
    signal,
    isTyped: () => {
      const { reason } = signal;
      return reason instanceof Interruption && reason.by === "SIGINT" && terminal.input.isTTY === true;
    },
    detail: (line) => terminal.detail(line),
  });
  const generate = async () => {
    const { generateLine, generateManifests } = await import("./generate/in-task.ts");
    await runner.step(generateLine(project), async () => {
      const result = await generateManifests(context, project);
      if (result.exitCode !== 0) throw new GenerateFailed(result);
    });
  };
  try {
    await task.run({
      root: cwd,
      project,
      variables: readVariables(env, project),
      args,
      bundleOnly: options.bundleOnly === true,
      runner,
      generate,
      note: (line) => terminal.note(line),
      print: (text) => terminal.print(text),
      signal,
    });
  } catch (error) {
    if (error instanceof GenerateFailed) return { ...error.result, output: "" };
    if (error instanceof TaskError) throw new CliError(error.exitCode, error.id, error.message, error.hint);
    throw error;
  }
  return { exitCode: 0, output: globals.dryRun ? runner.steps.join("\n") : "", data: { steps: runner.steps } };
}

/** Reads arguments of the form `NAME=value`, which set variables as in a call of make. */
function assignments(args: readonly string[], { variables }: Task): Record<string, string> {
  return Object.fromEntries(
    args.map((argument) => {
      const [, typed, value = ""] = /^([^=]+)=(.*)$/s.exec(argument) ?? [];
      const name = typed === "ignore-not-found" ? "IGNORE_NOT_FOUND" : typed;
      if (name !== undefined && variables.includes(name as VariableName)) return [name, value];
      const near = didYouMean(name ?? argument, variables);
      const rule = `it must be NAME=value, with one of the variables ${variables.join(", ")}`;
      throw usageError(
        `can't set a variable: ${shown(argument)} isn't valid, ${rule}`,
        near === undefined ? undefined : `did you mean ${near}=…?`,
      );
    }),
  );
}

/** Adds the variable with the name that it has in the Makefile: `ignore-not-found`. */
function withIgnoreNotFound(env: CommandContext["env"]): CommandContext["env"] {
  const value = env.IGNORE_NOT_FOUND || env["ignore-not-found"];
  return value === undefined ? env : { ...env, IGNORE_NOT_FOUND: value };
}

function flagVariables({ force, ignoreNotFound }: CommandContext["options"]): Record<string, string> {
  return {
    ...(force === undefined ? {} : { FORCE: String(force) }),
    ...(ignoreNotFound === undefined ? {} : { IGNORE_NOT_FOUND: String(ignoreNotFound) }),
  };
}
