import type { Command } from "commander";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Changes, FileAction, Generated, OperationSummary } from "./json.ts";
import type { Terminal } from "./terminal.ts";

/** Flags of every command. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
  /** `--yes`, or `CI` in the environment: take the defaults instead of asking. */
  readonly yes: boolean;
  /** Whether `--yes` was given: `CI` alone doesn't agree to what needs consent. */
  readonly agreed: boolean;
  /** Whether the object of `--json` also contains the text for people, and the contents of a plan: for `scaffold mcp`. */
  readonly embedded?: boolean;
}

/** The input of a command. Commands don't read `process` themselves, so that tests can run them in their own process. */
export interface CommandContext {
  readonly globals: GlobalOptions;
  /** Positional arguments after the command's words. */
  readonly args: readonly string[];
  /** The command's own flags as commander parsed them, in camelCase. A flag that was not given is absent unless it has a default. */
  readonly options: Readonly<Record<string, unknown>>;
  /** All arguments after the command's words as typed, including global flags. */
  readonly rawArgs: readonly string[];
  /** Returns the output of the command's `--help`. */
  readonly usage: () => string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted by an {@link Interruption}. */
  readonly signal: AbortSignal;
  /** Prints a result before the command ends, for commands with several results. */
  emit(result: CommandResult): void;
  /**
   * Runs another command line of the CLI, which prints its result and errors.
   *
   * @param options - `onStderr`: print the result on stderr; `cwd`: the working directory, if it is another one
   * @returns its exit code
   */
  call(argv: readonly string[], options?: { readonly onStderr?: boolean; readonly cwd?: string }): Promise<number>;
  /** Runs another command line of the CLI with `--json`. Returns its exit code, and its object instead of printing it. */
  callForJson(argv: readonly string[]): Promise<{
    readonly code: number;
    readonly json: Partial<Generated> & Partial<Changes> & { readonly text?: string };
  }>;
}

/** The result of a command. The caller prints it: `output`, or with `--json` the other properties as one object. */
export interface CommandResult {
  /**
   * 130 if a command that runs until it is interrupted, such as `--watch`, was interrupted. 2 only for changes of a plan with
   * `--detailed-exitcode`.
   */
  readonly exitCode: 0 | 1 | 2 | 130;
  /** Whether to print nothing, because `emit` has printed everything. */
  readonly silent?: boolean;
  /** Text for stdout without `--json`; a missing line break at the end is added. */
  readonly output?: string;
  /** Whether `output` is a document for programs. Then nothing in it is escaped unless stdout is a terminal. */
  readonly exact?: boolean;
  readonly operations?: readonly OperationSummary[];
  readonly diagnostics?: readonly Diagnostic<string>[];
  readonly files?: readonly FileAction[];
  /** Further keys of the `--json` object. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A completion of a word on the command line. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
  /** Whether a path follows the value. */
  readonly path?: boolean;
}

/** The values of a flag, for shell completion. */
export interface FlagChoices {
  /** The valid values, or `versions` for the versions of the project's kinds. */
  readonly choices: readonly string[] | "versions";
  /** Whether the flag is a comma-separated list. */
  readonly list?: boolean;
}

/** Completions that don't follow from the declared flags and arguments. */
export interface Completions {
  /** By flag, without its dashes. */
  readonly flags?: Readonly<Record<string, FlagChoices>>;
  /** For arguments. */
  readonly words?: () => Promise<readonly Candidate[]>;
}

/** One file in `commands/` exports one of these as `command`. */
export interface CommandModule {
  /** Declares flags and arguments. Must be fast, because `--help` and completion call it. */
  define(command: Command): void;
  /**
   * Runs the command. Problems in the user's files are diagnostics in the result.
   *
   * @throws CliError for any other expected failure
   */
  run(context: CommandContext): Promise<CommandResult>;
  readonly completions?: Completions;
  /** Boolean flags of kubebuilder without effect: accepted, but not in the help. */
  readonly ignoredFlags?: readonly string[];
  /** Flags that kubebuilder 4.16 has removed, with the hint in the error of each. */
  readonly removedFlags?: Readonly<Record<string, string>>;
  /** Returns the exit code of a wrong call, if 2 has another meaning for the command. */
  readonly usageExitCode?: (rawArgs: readonly string[]) => 1 | 2;
  /** Whether the command declares `-h` itself. Then only `--help` prints the standard help. */
  readonly ownHelp?: boolean;
}

/** An entry of the command table. It contains what `scaffold --help` needs, so that no command is loaded. */
export interface CommandEntry {
  /** The words of the command, such as `["create", "api"]`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** The title of its section in `scaffold --help`. */
  readonly group: string;
  load(): Promise<CommandModule>;
}
