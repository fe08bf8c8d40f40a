import { constants, createReadStream, openSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { shown } from "../../../text/shown.ts";
import { maxTextBytes } from "../../../yaml/budget.ts";
import type { CommandContext } from "../../framework/command.ts";
import { CliError, readFailure, usageError, workError } from "../../framework/errors.ts";
import { withProgress } from "../../framework/progress.ts";

/** Timeout of a download in milliseconds. */
const downloadTimeout = 30_000;

/** Reads the CRD of `--from-crd`: a file, a URL, or `-` for standard input. */
export async function crdText(source: string, context: CommandContext): Promise<string> {
  if (source === "") throw usageError("--from-crd requires a file, a URL or -, such as --from-crd crd.yaml");
  if (source === "-") return standardInput(context);
  if (/^https?:\/\//i.test(source)) {
    const fetched = () => download(source, context.signal);
    const messages = { during: `Fetching ${shown(source)}`, done: "Fetched the definition" };
    // Downloads are usually fast, so progress is shown only on a terminal.
    return context.terminal.live ? withProgress(context.terminal, messages, fetched) : fetched();
  }
  const { signal } = context;
  try {
    return await textOf(await openSource(resolve(context.cwd, source), signal), source);
  } catch (error) {
    if (signal.aborted || error instanceof CliError) throw error;
    throw workError("no-crd", `--from-crd ${shown(source)} can't be read: ${readFailure(error)}`);
  }
}

/** Opens a file or a named pipe as a stream. A pipe is opened non-blocking, because waiting for a writer would also block the exit. */
async function openSource(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  if (!statSync(path).isFIFO()) return createReadStream(path, { signal });
  const { Socket } = await import("node:net");
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), readable: true, signal });
}

async function standardInput({ terminal, signal }: CommandContext): Promise<string> {
  const { input } = terminal;
  if (input.isTTY === true) {
    throw usageError(
      "--from-crd - requires a CRD on standard input, but standard input is a terminal",
      "for example: kubectl get crd NAME -o yaml | npx scaffold create api --from-crd -",
    );
  }
  // A signal may have arrived while the command was loaded.
  signal.throwIfAborted();
  const stop = () => input.destroy();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await textOf(input, "-");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Reads a stream to its end, up to a size limit. */
async function textOf(stream: AsyncIterable<string | Uint8Array>, source: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    // Leaving the loop closes the stream.
    if (bytes > maxTextBytes) {
      throw usageError(`--from-crd ${shown(source)} is too large: the limit is ${maxTextBytes} bytes`);
    }
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function download(url: string, signal: AbortSignal): Promise<string> {
  const failed = (why: string) => workError("no-crd", `--from-crd ${shown(url)} can't be fetched: ${why}`);
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(downloadTimeout)]) });
    if (response.ok) return response.body === null ? "" : await textOf(response.body, url);
    throw failed(`the server responded with ${response.status} ${response.statusText}`.trim());
  } catch (error) {
    if (error instanceof CliError) throw error;
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw failed(readFailure(cause));
  }
}
