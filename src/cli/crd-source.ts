import { constants, createReadStream, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { shown } from "../project/names.ts";
import { maxTextBytes } from "../yaml/budget.ts";
import type { CommandContext } from "./command.ts";
import { CliError, usageError, workError } from "./errors.ts";
import { withProgress } from "./progress.ts";

/** How long an address may take to answer, in milliseconds. */
const patience = 30_000;

/** The text that `--from-crd` names: a file, an address, or `-` for the standard input. */
export async function crdText(source: string, context: CommandContext): Promise<string> {
  if (source === "") throw usageError("--from-crd needs a file, an address or -, such as --from-crd crd.yaml");
  if (source === "-") return standardInput(context);
  if (/^https?:\/\//i.test(source)) {
    const fetched = () => download(source, context.signal);
    const told = { during: `Fetching ${shown(source)}`, done: "The definition is fetched" };
    // Mostly it takes no time: only who watches is told.
    return context.terminal.live ? withProgress(context.terminal, told, fetched) : fetched();
  }
  const { signal } = context;
  try {
    return await textOf(await openSource(resolve(context.cwd, source), signal), source);
  } catch (error) {
    if (signal.aborted || error instanceof CliError) throw error;
    throw workError("no-crd", `--from-crd ${shown(source)} can't be read: ${reason(error)}`);
  }
}

/** A file or a named pipe as a stream. Opening a pipe in the usual way waits for a writer, and even an exit waits for that. */
async function openSource(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (!statSync(path).isFIFO()) return createReadStream(path, { signal });
  const { Socket } = await import("node:net");
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, signal });
}

async function standardInput({ terminal, signal }: CommandContext): Promise<string> {
  const { input } = terminal;
  if (input.isTTY === true) {
    throw usageError(
      "--from-crd - reads the standard input, and nothing is piped into it",
      "kubectl get crd NAME -o yaml | scaffold create api --from-crd -",
    );
  }
  const stop = () => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await textOf(input, "-");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** All text of a stream, which may be endless. */
async function textOf(stream: AsyncIterable<string | Uint8Array>, source: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // Leaving the loop closes the stream.
    if (bytes > maxTextBytes) {
      throw usageError(`--from-crd ${shown(source)} is too long: the limit is ${maxTextBytes} bytes`);
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function download(address: string, signal: AbortSignal): Promise<string> {
  const failed = (why: string) => workError("no-crd", `--from-crd ${shown(address)} can't be fetched: ${why}`);
  try {
    const answer = await fetch(address, { signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]) });
    if (answer.ok) return answer.body === null ? "" : await textOf(answer.body, address);
    throw failed(`the server answered ${answer.status} ${answer.statusText}`.trim());
  } catch (error) {
    if (error instanceof CliError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw failed(reason(cause));
  }
}

/** The first line of an error, in words where there is a common code. */
function reason(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a directory";
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line === "" ? String(code ?? "it failed") : line;
}
