import { styled, terminalLine, terminalText } from "../text/terminal.ts";
import { showsLinks } from "./docs-links.ts";
import { type Keyboard, openKeyboard } from "./keyboard.ts";

/**
 * Where a command talks to its user. stdout is left to the results. Whatever the texts hold, the terminal shows it and obeys none
 * of it.
 */
export interface Terminal {
  /** A line of progress or advice on stderr; silent with `--quiet`. */
  note(line: string): void;
  /** A warning on stderr. */
  warn(line: string): void;
  /** A line on stderr that only `--verbose` shows. */
  detail(line: string): void;
  /** Keeps a line, such as a note on a flag, for the end of a command that succeeds. A refused command reports only the reason. */
  onSuccess(how: "note" | "warn", line: string): void;
  /** Prints the lines that were kept for success. */
  succeed(): void;
  /** Finished text on stderr, such as diagnostics; `--quiet` doesn't silence it. */
  print(text: string): void;
  /** Whether someone is there to answer questions. */
  readonly interactive: boolean;
  /** Whether stderr takes colours. */
  readonly color: boolean;
  /** Whether stdout does: for results that are laid out for people. */
  readonly resultColor: boolean;
  /** Whether addresses of the docs follow what is told. */
  readonly links: boolean;
  /** Whether a line on stderr may be drawn over again and again: where somebody watches, and nothing else is written meanwhile. */
  readonly live: boolean;
  /** Draws the last line of stderr anew; without a text it is wiped. Only where `live`. */
  redraw(text?: string): void;
  readonly input: NodeJS.ReadStream;
  /** The same, for questions. */
  readonly keyboard: Keyboard;
  /** Where questions are shown: never where results go, unless only that is a terminal. */
  readonly questions: NodeJS.WriteStream;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `NO_COLOR` and `FORCE_COLOR` win over what the stream is. */
function wantsColor(env: Environment, isTTY: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTTY && env.TERM !== "dumb";
}

/** Whether the environment says that a machine is at work. */
export function runsInCI(env: Environment): boolean {
  return env.CI !== undefined && env.CI !== "" && env.CI !== "0" && env.CI !== "false";
}

export interface TerminalStreams {
  readonly stdin: () => NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** The terminal of a process with the given streams and verbosity. */
export function createTerminal(
  streams: TerminalStreams,
  env: Environment,
  options: { quiet: boolean; verbose: boolean; yes: boolean },
): Terminal {
  const { stdin, stdout, stderr } = streams;
  let keyboard: Keyboard | undefined;
  const kept: { how: "note" | "warn"; line: string }[] = [];
  const color = wantsColor(env, stderr.isTTY === true);
  const paint = (code: number, text: string) => (color ? styled(code, text) : text);
  const isTerminal = stderr.isTTY === true && env.TERM !== "dumb";
  const terminal: Terminal = {
    color,
    resultColor: wantsColor(env, stdout.isTTY === true),
    links: showsLinks(stderr, options),
    live: isTerminal && !options.quiet && !options.verbose && !runsInCI(env),
    redraw: (text = "") => {
      stderr.write(`\r\u001b[K${terminalLine(text)}`);
    },
    get interactive() {
      return !options.yes && (stderr.isTTY === true || stdout.isTTY === true) && stdin().isTTY === true;
    },
    get input() {
      return stdin();
    },
    get keyboard() {
      keyboard ??= openKeyboard(stdin());
      return keyboard;
    },
    questions: stderr.isTTY !== true && stdout.isTTY === true ? stdout : stderr,
    note: (line) => {
      if (!options.quiet) stderr.write(`${terminalLine(line)}\n`);
    },
    warn: (line) => {
      stderr.write(`${terminalLine(`${paint(33, "warning:")} ${line}`)}\n`);
    },
    onSuccess: (how, line) => void kept.push({ how, line }),
    succeed: () => {
      for (const { how, line } of kept.splice(0)) terminal[how](line);
    },
    print: (text) => {
      stderr.write(terminalText(text));
    },
    detail: (line) => {
      if (options.verbose) stderr.write(`${terminalText(paint(90, line))}\n`);
    },
  };
  return terminal;
}
