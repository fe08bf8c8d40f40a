import { systemHint } from "../../project/system-hint.ts";
import { printable } from "../../text/shown.ts";
import { styled, terminalJson, terminalText } from "../../text/terminal.ts";
import type { CommandResult, GlobalOptions } from "./command.ts";
import { docsLink, showsLinks } from "./docs-links.ts";
import { CliError, fieldsOf } from "./errors.ts";
import type { OperationSummary } from "./json.ts";
import { nodeIsTooOld, oldestNode } from "./node-version.ts";
import type { ProcessContext } from "./process-context.ts";
import { versionText } from "./version.ts";

/** Prints a result and returns the exit code. */
export function reportResult(result: CommandResult, globals: GlobalOptions, stdout: NodeJS.WriteStream): number {
  if (result.silent === true) return result.exitCode;
  if (globals.json) {
    const { data, operations, diagnostics, files } = result;
    const text =
      result.output !== undefined && data === undefined && operations === undefined ? result.output : undefined;
    const object = { ...(diagnostics === undefined && files === undefined ? { output: text } : {}), ...data };
    // The data of a command can have keys of the same names.
    const parts = Object.entries({ operations, diagnostics, files }).filter(([, value]) => value !== undefined);
    const embedded = globals.embedded === true ? { text: result.output ?? "" } : {};
    stdout.write(`${terminalJson({ ...object, ...Object.fromEntries(parts), ...embedded })}\n`);
  } else if (result.output !== undefined && result.output !== "") {
    const text = result.output.endsWith("\n") ? result.output : `${result.output}\n`;
    // A program that reads a document needs it unescaped.
    stdout.write(result.exact === true && stdout.isTTY !== true ? text : terminalText(text));
  }
  return result.exitCode;
}

/** Returns one line per operation: its action and its path. */
export function operationLines(operations: readonly OperationSummary[]): string[] {
  return operations.map(({ op, path }) => `${op} ${path}`);
}

/** The directory of the files that commands manage for themselves, such as pristine copies. */
const internalDirectory = ".kubewright/";

/** Returns the changed files of a project and a message, or an empty text with `--quiet`. */
export function changesText(
  operations: readonly OperationSummary[],
  message: string,
  { quiet }: Pick<GlobalOptions, "quiet">,
): string {
  const visible = operations.filter(({ path }) => !path.startsWith(internalDirectory));
  return quiet ? "" : [...operationLines(visible), message].join("\n");
}

/** Prints an error on stderr, with `--json` also as a diagnostic on stdout, and returns the exit code. */
export function reportError(
  error: unknown,
  globals: GlobalOptions,
  streams: Pick<ProcessContext, "stdout" | "stderr">,
  color: boolean,
): number {
  const cliError = error instanceof CliError ? error : (systemError(error) ?? internalError(error, globals.verbose));
  const label = color ? styled(31, "error:") : "error:";
  streams.stderr.write(terminalText(`${label} ${cliError.message}\n`));
  if (cliError.hint !== undefined) streams.stderr.write(terminalText(hintText(cliError.hint)));
  if (cliError.isExplained && showsLinks(streams.stderr, globals)) {
    streams.stderr.write(`  ${docsLink("errors", cliError.id)}\n`);
  }
  if (globals.json) {
    const { id, message, hint } = cliError;
    const diagnostic = { id, severity: "error", message, file: "", line: 0, column: 0, hint };
    streams.stdout.write(`${terminalJson({ ...fieldsOf(error), diagnostics: [diagnostic] })}\n`);
  }
  return cliError.exitCode;
}

/** Returns the lines for a hint below an error. Further lines, such as lines to add to a file, are indented as the first. */
export function hintText(hint: string): string {
  return `${`hint: ${hint}`.replace(/^/gm, "  ")}\n`;
}

/** Error codes that only the machine can cause. */
const machineErrors = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EIO", "EMFILE", "ENFILE"]);

/** Converts an error of the operating system, such as a full disk, which isn't a bug; undefined for other errors. */
function systemError(error: unknown): CliError | undefined {
  const { code, path, syscall, message } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  const hint = systemHint(code);
  const reason = message.replace(/^\w+: /, "").replace(/, \w+( '.*)?$/s, "");
  if (path !== undefined) return new CliError(1, "system", `${printable(path)}: ${reason} (${code})`, hint);
  // The error of a write to an open file has no path.
  return machineErrors.has(code) ? new CliError(1, "system", `${reason} (${code})`, hint) : undefined;
}

function internalError(error: unknown, verbose: boolean): CliError {
  const text = error instanceof Error ? error.message : String(error);
  const trace = verbose && error instanceof Error && error.stack !== undefined ? `\n${error.stack}` : "";
  // An old Node version can fail anywhere, which isn't a bug.
  const hint = nodeIsTooOld()
    ? `Node ${process.versions.node} is too old: install ${oldestNode} or newer (use --verbose for a stack trace)`
    : `this is a bug in ${versionText()}; please report it with the command that you ran (use --verbose for a stack trace)`;
  return new CliError(1, "internal", text, `${hint}${trace}`);
}
