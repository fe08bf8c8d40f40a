import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { holdOpen, type ServerProcess, type Supervisor } from "./supervisor.ts";

/** A program with the first arguments of its command line. */
export interface Program {
  path: string;
  args: readonly string[];
}

/** The command line and readiness check of a server. */
export interface ServerSpec {
  /** Name of the binary, such as `etcd`. */
  name: string;
  path: string;
  args: readonly string[];
  /** File for the output. Without it, the output is attached to that of this process. */
  log?: string;
  /** Time limit in milliseconds for the server to become ready. */
  startTimeout: number;
  ready(signal: AbortSignal): Promise<boolean>;
}

const POLL = 50;
const PROBE_TIMEOUT = 2_000;
const TAIL_LINES = 15;

/**
 * Starts a server and waits until it is ready. On failure, kills the server and throws an error with the end of its output.
 */
export async function startServer(supervisor: Supervisor, spec: ServerSpec): Promise<ServerProcess> {
  let server: ServerProcess;
  try {
    server = await supervisor.start({ command: spec.path, args: spec.args, log: spec.log });
  } catch (error) {
    throw new Error(`${spec.name} can't be started from ${spec.path}`, { cause: error });
  }
  const deadline = performance.now() + spec.startTimeout;
  while (!(await probe(spec))) {
    if (server.exit) {
      const how = server.exit.signal ?? `exit code ${server.exit.code}`;
      throw new Error(`${spec.name} ended before it was ready (${how})${tail(spec.log)}`);
    }
    if (performance.now() > deadline) {
      server.signal("SIGKILL");
      throw new Error(`${spec.name} was not ready within ${spec.startTimeout / 1000} s${tail(spec.log)}`);
    }
    await sleep(POLL);
  }
  return server;
}

/** Stops a server: sends SIGTERM, and SIGKILL after the timeout in milliseconds. */
export async function stopServer(server: ServerProcess | undefined, timeout: number): Promise<void> {
  if (!server || server.exit) return;
  server.signal("SIGTERM");
  const timer = new AbortController();
  const late = sleep(timeout, undefined, { signal: timer.signal }).then(
    () => server.signal("SIGKILL"),
    () => {},
  );
  await holdOpen(server.exited);
  timer.abort();
  await late;
}

/** Kills a server immediately. */
export async function killServer(server: ServerProcess | undefined): Promise<void> {
  if (!server || server.exit) return;
  server.signal("SIGKILL");
  await holdOpen(server.exited);
}

async function probe(spec: ServerSpec): Promise<boolean> {
  try {
    return await spec.ready(AbortSignal.timeout(PROBE_TIMEOUT));
  } catch {
    return false;
  }
}

function tail(log: string | undefined): string {
  if (!log) return "";
  try {
    const lines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-TAIL_LINES);
    return `; its last lines:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  } catch {
    return "";
  }
}
