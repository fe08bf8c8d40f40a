import type { Command } from "commander";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Terminal } from "./terminal.ts";

/** Flags that every command takes. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly dryRun: boolean;
  readonly verbose: boolean;
  readonly quiet: boolean;
  /** `--yes`, or `CI` in the environment: take the defaults instead of asking. */
  readonly yes: boolean;
}

/** What a command is given: nothing in a command reads `process` by itself, so that tests can run it in their own process. */
export interface CommandContext {
  readonly globals: GlobalOptions;
  /** Positional arguments behind the command's words. */
  readonly args: readonly string[];
  /** The command's own flags as commander parsed them, in camelCase; a flag that was not given is absent unless it has a default. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Everything behind the command's words as it was typed, global flags included. */
  readonly rawArgs: readonly string[];
  /** What `--help` of the command prints. */
  readonly usage: () => string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted by an {@link Interruption}. */
  readonly signal: AbortSignal;
  /** Prints a result before the command is over: one of several. */
  emit(result: CommandResult): void;
}

export interface FileAction {
  /** Relative to the working directory, with `/`. */
  readonly path: string;
  readonly action: "create" | "update" | "delete" | "unchanged";
}

export interface OperationSummary {
  readonly op: "create" | "update" | "delete";
  /** Relative to the project, with `/`. */
  readonly path: string;
}

/** What a command hands back. It has printed nothing on stdout; the caller prints `output`, or with `--json` the rest as one object. */
export interface CommandResult {
  /** 130: it went on until it was interrupted, as it was asked to. */
  readonly exitCode: 0 | 1 | 130;
  /** Everything was told by `emit`. */
  readonly silent?: boolean;
  /** Text for stdout without `--json`; a last line break is added where there is none. */
  readonly output?: string;
  /** `output` is a document for programs: unless a terminal shows it, nothing in it is escaped. */
  readonly exact?: boolean;
  readonly operations?: readonly OperationSummary[];
  readonly diagnostics?: readonly Diagnostic<string>[];
  readonly files?: readonly FileAction[];
  /** Further keys of the `--json` object. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** One thing that a word on a command line may become. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
  /** What goes on behind it is a path. */
  readonly path?: boolean;
}

/** What a flag's value may become, for shells that complete it. */
export interface FlagChoices {
  /** The values themselves; `versions` are those of the project's kinds. */
  readonly choices: readonly string[] | "versions";
  /** Several of them may be given, with commas between them. */
  readonly list?: boolean;
}

/** What shells offer beyond what flags and arguments tell by themselves. */
export interface Completions {
  /** By flag, without its dashes. */
  readonly flags?: Readonly<Record<string, FlagChoices>>;
  /** For arguments. */
  readonly words?: () => Promise<readonly Candidate[]>;
}

/** One file in `commands/` exports one of these as `command`. */
export interface CommandModule {
  /** Declares flags and arguments. Must stay cheap: `--help` calls it. */
  define(command: Command): void;
  /** Throws only `CliError`s (and bugs); bad input of other kinds is a diagnostic in the result. */
  run(context: CommandContext): Promise<CommandResult>;
  readonly completions?: Completions;
  /** `-h` is a flag that the command declares itself; only `--help` prints the usual help. */
  readonly ownHelp?: boolean;
}

/** An entry of the command table: what `scaffold --help` needs, without loading the command. */
export interface CommandEntry {
  /** The words that call it, such as `["create", "api"]`. */
  readonly words: readonly string[];
  readonly summary: string;
  load(): Promise<CommandModule>;
  /** A way around the parser for a call that was understood before; undefined if this one wasn't. */
  recall?(context: Omit<CommandContext, "args" | "options" | "usage">): Promise<CommandResult | undefined>;
}
