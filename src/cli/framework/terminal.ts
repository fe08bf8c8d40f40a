import { styled, terminalLine, terminalText } from "../../text/terminal.ts";
import { showsLinks } from "./docs-links.ts";
import { type Keyboard, openKeyboard } from "./keyboard.ts";

/**
 * Output for the user of a command, on stderr; stdout is for results. Control characters in the texts are escaped.
 */
export interface Terminal {
  /** Prints a line of progress or advice on stderr, unless `--quiet` is set. */
  note(line: string): void;
  /** Prints a warning on stderr. */
  warn(line: string): void;
  /** Prints a line on stderr if `--verbose` is set. */
  detail(line: string): void;
  /** Defers a line, such as a note on a flag, until the command succeeds. A command that fails prints only its error. */
  onSuccess(how: "note" | "warn", line: string): void;
  /** Prints the deferred lines. */
  succeed(): void;
  /** Prints formatted text on stderr, such as diagnostics, even if `--quiet` is set. */
  print(text: string): void;
  /** Whether the command may prompt the user. */
  readonly interactive: boolean;
  /** Whether keys can be read while a command runs: on a terminal, also with `--yes`. */
  readonly hasKeys: boolean;
  /** Calls a function if the reader of stdout closes it, as `| head` does. */
  onClosed(listener: () => void): void;
  /** Whether to use colors on stderr. */
  readonly color: boolean;
  /** Whether to use colors in results on stdout. */
  readonly resultColor: boolean;
  /** Whether to print links to the docs below messages. */
  readonly links: boolean;
  /** Whether a progress line on stderr can be redrawn: on a terminal on which nothing else is printed at the same time. */
  readonly live: boolean;
  /** Redraws the last line of stderr, or clears it without a text. Use only if `live` is true. */
  redraw(text?: string): void;
  readonly input: NodeJS.ReadStream;
  /** The input for questions. */
  readonly keyboard: Keyboard;
  /** The stream for questions: stderr, unless only stdout is a terminal. */
  readonly questions: NodeJS.WriteStream;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether to use colors. `NO_COLOR` and `FORCE_COLOR` take precedence over the type of the stream. */
function wantsColor(env: Environment, isTTY: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return isTTY && env.TERM !== "dumb";
}

/** Whether the environment variable `CI` is set. */
export function runsInCI(env: Environment): boolean {
  return env.CI !== undefined && env.CI !== "" && env.CI !== "0" && env.CI !== "false";
}

export interface TerminalStreams {
  readonly stdin: () => NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Creates the terminal for the given streams and verbosity. */
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
      return !options.yes && terminal.hasKeys;
    },
    get hasKeys() {
      return (stderr.isTTY === true || stdout.isTTY === true) && stdin().isTTY === true;
    },
    onClosed: (listener) => void stdout.once("error", listener),
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
