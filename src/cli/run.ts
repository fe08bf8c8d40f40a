import type { Command } from "commander";
import { embeddedVariable } from "../mcp/embedded.ts";
import { commands } from "./commands.ts";
import type { CommandContext, CommandEntry, CommandModule, CommandResult } from "./framework/command.ts";
import { CliError, interrupted } from "./framework/errors.ts";
import { findCommand } from "./framework/find-command.ts";
import { globalOptions, splitWords } from "./framework/global-options.ts";
import type { ProcessContext } from "./framework/process-context.ts";
import { columns, commandProgram, rootHelp } from "./framework/program.ts";
import { setRealDirectory } from "./framework/real-directory.ts";
import { reportError, reportResult } from "./framework/report.ts";
import { createTerminal, runsInCI } from "./framework/terminal.ts";
import { unknownCommand, unknownFlag } from "./framework/unknown-command.ts";
import { refuseUnknownLayouts } from "./models/layouts.ts";

/**
 * Runs a command line. Never throws.
 *
 * @returns the exit code: 0 for success, 1 for failure, 2 for wrong usage, 130 if interrupted
 */
export async function run(argv: readonly string[], processContext: ProcessContext): Promise<number> {
  const embedded = processContext.env[embeddedVariable] === "1";
  const globals = { ...globalOptions(argv), embedded };
  const yes = globals.yes || runsInCI(processContext.env);
  const terminal = createTerminal(processContext, processContext.env, { ...globals, yes });
  const emit = (result: CommandResult) => void reportResult(result, globals, processContext.stdout);
  const call: CommandContext["call"] = (others, { onStderr = false, cwd } = {}) => {
    const streams = onStderr ? { ...processContext, stdout: processContext.stderr } : processContext;
    return run(others, cwd === undefined ? streams : inDirectory(streams, cwd));
  };
  const callForJson: CommandContext["callForJson"] = async (others) => {
    let text = "";
    const stdout = { write: (chunk: string) => (text += chunk) } as unknown as NodeJS.WriteStream;
    const code = await run([...others, "--json"], { ...processContext, stdout });
    return { code, json: JSON.parse(text) };
  };
  const context = { ...processContext, terminal, globals: { ...globals, yes }, emit, call, callForJson };
  try {
    const result = await dispatch(argv, context);
    if (result.exitCode === 0) terminal.succeed();
    return reportResult(result, context.globals, processContext.stdout);
  } catch (thrown) {
    // An abort can cause any error, so that only errors that report changes are shown.
    const error = processContext.signal.aborted && !reportsChanges(thrown) ? interrupted() : thrown;
    return reportError(error, context.globals, processContext, terminal.color);
  }
}

function inDirectory(context: ProcessContext, cwd: string): ProcessContext {
  const env = { ...context.env };
  setRealDirectory(env, cwd);
  return { ...context, cwd, env };
}

/** Whether an error reports changes to the project. All other errors leave it unchanged. */
function reportsChanges(error: unknown): boolean {
  return error instanceof CliError && (error.exitCode === 130 || ["install-failed", "undo-failed"].includes(error.id));
}

/** The hidden command that completion scripts call. */
const completionWord = "__complete";

type Base = Omit<CommandContext, "args" | "options" | "rawArgs" | "usage">;

async function dispatch(argv: readonly string[], base: Base): Promise<CommandResult> {
  const { words, flags } = splitWords(argv);
  if (words[0] === "help") {
    const [, ...asked] = argv.filter((argument) => !argument.startsWith("-"));
    return base.globals.json ? listCommands(asked) : dispatch([...asked, "--help"], base);
  }
  if (words[0] === completionWord) {
    const { answerCompletion } = await import("./completion/answer.ts");
    return answerCompletion(argv.slice(argv.indexOf("--") + 1), commands, base.cwd);
  }
  if (words.length === 0) {
    const asked = argv.filter((argument) => !argument.startsWith("-"));
    if (asked.length > 0 && flags.every((flag) => ["-h", "--help"].includes(flag))) {
      return dispatch([...asked, "--help"], base);
    }
    const unknown = flags.find((flag) => !["-h", "--help", "-V", "--version"].includes(flag));
    if (unknown !== undefined) throw unknownFlag(unknown, asked, commands);
    if (flags.includes("--version") || flags.includes("-V")) return dispatch(["version"], base);
    if (flags.length === 0) {
      const { greeting } = await import("./commands/greeting.ts");
      return greeting(base.cwd, rootHelp(commands));
    }
    return base.globals.json ? listCommands([]) : { exitCode: 0, output: rootHelp(commands) };
  }
  const entry = findCommand(commands, words);
  if (entry === undefined) {
    const family = commands.filter(({ words: own }) => own.length > 1 && own[0] === words[0]);
    if (family.length > 0 && words.length === 1) {
      if (flags.includes("-h") || flags.includes("--help")) {
        return base.globals.json ? listCommands(words) : { exitCode: 0, output: rootHelp(family, words[0]) };
      }
    }
    throw unknownCommand(words.join(" "), commands);
  }
  const rawArgs = rawArguments(argv, entry.words.length);
  const module = await entry.load();
  try {
    return await runCommand(entry, module, rawArgs, base);
  } catch (error) {
    if (!(error instanceof CliError && error.exitCode === 2 && module.usageExitCode)) throw error;
    throw new CliError(module.usageExitCode(rawArgs), error.id, error.message, error.hint);
  }
}

/** Returns the arguments without the command's own words. */
function rawArguments(argv: readonly string[], words: number): string[] {
  let left = words;
  return argv.filter((argument) => argument.startsWith("-") || left-- <= 0);
}

/** Lists the commands that begin with some words, for `help --json` and `--help --json`. */
async function listCommands(words: readonly string[]): Promise<CommandResult> {
  const own = commands.find((entry) => entry.words.join(" ") === words.join(" "));
  const beginning = commands.filter((entry) => words.every((word, index) => entry.words[index] === word));
  if (beginning.length === 0) throw unknownCommand(words.join(" "), commands);
  const { commandList } = await import("./schemas/command-list.ts");
  return { exitCode: 0, data: { ...(await commandList(own === undefined ? beginning : [own])) } };
}

async function runCommand(
  entry: CommandEntry,
  module: CommandModule,
  rawArgs: readonly string[],
  base: Base,
): Promise<CommandResult> {
  let parsed: { args: string[]; options: Record<string, unknown> } | undefined;
  let help: string | undefined;
  const program = await commandProgram(entry, module, base.env, {
    onHelp: (text) => {
      help = (help ?? "") + text;
    },
    onParsed: (command: Command) => {
      parsed = { args: command.args, options: command.opts() };
    },
  });
  await program.parse(rawArgs);
  if (help !== undefined) {
    if (base.globals.json) return listCommands(entry.words);
    const { helpEnd } = await import("./examples.ts");
    return { exitCode: 0, output: help + helpEnd(entry, columns(base.env)) };
  }
  if (parsed === undefined) throw new Error(`${entry.words.join(" ")} was not parsed`);
  refuseUnknownLayouts(parsed.options);
  return module.run({ ...base, ...parsed, rawArgs, usage: program.help });
}
