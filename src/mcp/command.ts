import process from "node:process";
import type { ReportedDiagnostic } from "../diagnostics/diagnostic.ts";
import { run } from "../programs/run.ts";
import { embeddedVariable } from "./embedded.ts";
import { Failure, failureOf } from "./failure.ts";

/** The project of a server, and the program that works on it. */
export interface Place {
  /** The program of the command line. */
  readonly program: string;
  /** The directory of the project. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The output of a command. */
export interface Output {
  readonly code: number;
  readonly json: Record<string, unknown> & { readonly diagnostics?: readonly ReportedDiagnostic[] };
  /** The text that the command prints without `--json`. */
  readonly text: string;
}

/** Time in which a command can undo its work after a cancellation before it is killed, in milliseconds. */
const killDelay = 600;

/**
 * Runs a command in a process of its own.
 *
 * @param place - the project
 * @param argv - the command line, without `--json`
 * @param signal - ends the process within one second
 * @returns the output, also of a command that failed
 * @throws Failure for a word that no program can receive
 * @throws the reason of the signal
 */
export async function runCommand(
  { program, root, env }: Place,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<Output> {
  signal.throwIfAborted();
  const unusable = argv.find((word) => word.includes("\u0000"));
  if (unusable !== undefined) {
    throw new Failure("usage", `${JSON.stringify(unusable)} contains a null character`, "remove the character");
  }
  const end = await run(process.execPath, [program, ...argv, "--json"], {
    cwd: root,
    env: { ...env, [embeddedVariable]: "1", CI: "1" },
    signal,
    killDelay,
    stderr: "both",
  });
  signal.throwIfAborted();
  const line = end.stdout.trimEnd().split("\n").at(-1) ?? "";
  if (!line.startsWith("{")) throw new Failure("internal", `scaffold ${argv[0]} has printed no result: ${end.how}`);
  const { text = "", ...json } = JSON.parse(line);
  return { code: end.exitCode ?? 1, json, text: String(text) };
}

/**
 * Runs a command that must succeed.
 *
 * @throws Failure if it fails
 */
export async function commandOutput(place: Place, argv: readonly string[], signal: AbortSignal): Promise<Output> {
  const output = await runCommand(place, argv, signal);
  if (output.code !== 0) throw failureOf(output.json.diagnostics);
  return output;
}

/**
 * Generates documents without writing them.
 *
 * @param place - the project
 * @param options - the options of the generator
 * @param signal - ends the process
 * @returns the documents as YAML
 * @throws Failure if the types have errors
 */
export async function generatedYaml(
  { program, root, env }: Place,
  options: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const argv = [program, "generate", ...options, "output:stdout"];
  const end = await run(process.execPath, argv, { cwd: root, env, signal, killDelay });
  signal.throwIfAborted();
  if (!end.failed) return end.stdout;
  throw new Failure(
    "generate-failed",
    "the types have errors, so no CRD is generated",
    "call generate_check for the diagnostics",
  );
}
