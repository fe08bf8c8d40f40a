import { randomInt } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

// Below the range of ephemeral ports (from 32768 on Linux, from 49152 on other systems). While a server restarts, a client
// could otherwise take its port.
const FIRST = 20_000;
const LAST = 32_000;
const TRIES = 200;

/** A port of the loopback address, reserved until it is released. */
export interface ReservedPort {
  readonly port: number;
  release(): void;
}

/**
 * Reserves a free port. A file in the temporary directory reserves it against other test environments of this user while
 * this process lives, so that simultaneously started test suites use different ports.
 */
export async function reservePort(directory: string = defaultDirectory()): Promise<ReservedPort> {
  claimDirectory(directory);
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST);
    const file = join(directory, String(port));
    if (!claim(file)) continue;
    if (await isFree(port)) return { port, release: () => rmSync(file, { force: true }) };
    rmSync(file, { force: true });
  }
  throw new Error(`found no free port between ${FIRST} and ${LAST} on 127.0.0.1`);
}

function defaultDirectory(): string {
  return join(tmpdir(), `kubewright-envtest-ports-${userInfo().username.replaceAll(/[^\w.-]/g, "_")}`);
}

/** Creates the directory, and rejects one of another user, who could otherwise make this user create and remove files. */
function claimDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const stat = lstatSync(directory);
  const own = process.getuid === undefined || stat.uid === process.getuid();
  if (stat.isDirectory() && own && (process.getuid === undefined || (stat.mode & 0o022) === 0)) return;
  throw new Error(`can't reserve a port: ${directory} is a link, or others may write to it; remove it, or set TMPDIR`);
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Removes the file of a dead process for a later attempt. Taking the port immediately isn't safe, because two processes
    // could do so.
    if (!isAlive(holder(file))) rmSync(file, { force: true });
    return false;
  }
}

function holder(file: string): number {
  try {
    // A file is empty for a moment after its creation, so it belongs to a live process.
    return Number(readFileSync(file, "utf8")) || process.pid;
  } catch {
    return process.pid;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
