import type { Problem } from "../../project/problem.ts";
import { terminalLine } from "../../text/terminal.ts";
import { interrupted } from "./errors.ts";
import type { Terminal } from "./terminal.ts";

/** Asks for a line of text, and repeats the question until the answer is valid. */
export async function askText(
  terminal: Terminal,
  signal: AbortSignal,
  question: { message: string; default?: string; check?: (value: string) => Problem | undefined },
): Promise<string> {
  // The message begins with a flag, which the user has not typed.
  const validate = (value: string) => question.check?.(value.trim())?.message.replace(/^--[\w-]+ /, "") ?? true;
  return ask(terminal, signal, { message: question.message, default: question.default, validate });
}

/**
 * Asks a yes/no question.
 *
 * @param byDefault - the answer of the Enter key alone
 */
export async function askYesNo(
  terminal: Terminal,
  signal: AbortSignal,
  message: string,
  byDefault: "y" | "n" = "y",
): Promise<boolean> {
  const validate = (value: string) => /^(y|yes|n|no)$/i.test(value.trim()) || "answer y or n";
  return /^y/i.test(await ask(terminal, signal, { message: `${message} [y/n]`, default: byDefault, validate }));
}

interface Question {
  readonly message: string;
  readonly default?: string;
  readonly validate: (value: string) => true | string | boolean;
}

/**
 * Asks a question.
 *
 * @throws CliError `interrupted` on Ctrl-C, a signal or a closed terminal
 */
async function ask(terminal: Terminal, signal: AbortSignal, question: Question): Promise<string> {
  const { default: inquirer } = await import("inquirer");
  const { keyboard } = terminal;
  const prompt = inquirer.createPromptModule({ input: keyboard.input, output: terminal.questions, signal });
  const validate = (value: string) => {
    const problem = question.validate(value);
    const verdict = typeof problem === "string" ? terminalLine(problem) : problem;
    if (verdict !== true) keyboard.again();
    return verdict;
  };
  const paint = (color: number, text: string) => (terminal.color ? `\u001b[${color}m${text}\u001b[39m` : text);
  // Show the typed text in red while it isn't a valid answer.
  const transformer = (value: string, { isFinal }: { isFinal: boolean }) =>
    isFinal ? paint(36, value) : value === "" || question.validate(value) === true ? value : paint(31, value);
  try {
    const { answer } = await prompt([
      // The message quotes an invalid answer, and the input is cleared.
      {
        type: "input",
        name: "answer",
        ...question,
        message: terminalLine(question.message),
        validate,
        transformer,
        theme: { validationFailureMode: "clear" },
      },
    ]);
    return String(answer).trim();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (signal.aborted || /^(Exit|Abort|Cancel)PromptError$/.test(name)) throw interrupted();
    throw error;
  }
}
