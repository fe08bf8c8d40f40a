import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isSameProcess, startOfProcess } from "@kubewright/apiserver/process";
import { ProblemError } from "../../project/problem-error.ts";
import { readSessionFile, type SessionPaths } from "./files.ts";

/** Time in milliseconds for a response of another session. */
const answerTime = 5000;
const maxAttempts = 5;
/** In characters, so that permissions that processes have left don't lead to ever longer names. */
const longestPath = 4000;

/**
 * Makes this process the session of a project. The files of a session that was killed are replaced, even if another program
 * has its process ID now.
 *
 * @throws ProblemError if another session of the project runs
 */
export async function claimSession(paths: SessionPaths): Promise<void> {
  mkdirSync(dirname(paths.session), { recursive: true, mode: 0o700 });
  const content = `${JSON.stringify({ pid: process.pid, started: startOfProcess(process.pid) })}\n`;
  for (let attempt = 1; ; attempt++) {
    if (createFile(paths.session, content)) return;
    const state = stateOf(paths.session);
    const other = await otherSession(paths.session);
    if (other.runs || attempt === maxAttempts) {
      throw new ProblemError(
        "session-runs",
        `can't start: a session of this project runs already (process ${other.pid})`,
        other.isStarting
          ? `wait until it has started, or remove ${paths.session} if that process isn't a session`
          : "end it with q or Ctrl-C, or use it: npx scaffold dev status",
      );
    }
    if (state === undefined || !replaceFile(paths.session, state, content)) continue;
    return;
  }
}

/** Creates a file. Returns false if it exists. */
function createFile(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Replaces the file of a killed session. Several processes can start at once: the one that creates the file that is named after the
 * state replaces it, and only while it is in this state. Removing it and creating it again isn't safe, because the removed
 * file can be the new one of another process.
 *
 * @returns false if another process replaces it
 */
function replaceFile(path: string, state: string, content: string): boolean {
  const rights = takeRight(`${path}.${state}`);
  if (!rights) return false;
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    if (stateOf(path) !== state) return false;
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    renameSync(temporary, path);
    return true;
  } finally {
    // The state doesn't recur, so that the right to replace it has no effect anymore.
    for (const file of [temporary, ...rights]) rmSync(file, { force: true });
  }
}

/**
 * Creates the file of a right. If a process has ended with it, the next right is named after the state of its file.
 *
 * @returns the files of the permissions; `undefined` if a process that runs has it
 */
function takeRight(path: string): string[] | undefined {
  if (createFile(path, `${process.pid} ${startOfProcess(process.pid)}\n`)) return [path];
  const state = stateOf(path);
  if (state === undefined || path.length > longestPath || isOwned(path)) return undefined;
  const next = takeRight(`${path}.${state}`);
  return next && [path, ...next];
}

/** Identifies a file with its content; `undefined` if there is none. */
export function stateOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    const text = stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path);
    return createHash("sha256").update(`${stat.ino} ${stat.mtimeNs} `).update(text).digest("hex").slice(0, 16);
  } catch {
    return undefined;
  }
}

/** The process of a session file. */
interface OtherSession {
  readonly runs: boolean;
  readonly pid: number | undefined;
  /** Whether its server doesn't listen yet, so that it can't be asked. */
  readonly isStarting: boolean;
}

/** The time of the file decides nothing: the clock of the machine can jump while a session starts. */
async function otherSession(path: string): Promise<OtherSession> {
  const content = readSessionFile(path);
  if (content.state !== "read") return { runs: false, pid: undefined, isStarting: false };
  const { pid, started = "", url, token } = content.fields;
  if (pid === undefined || pid === process.pid || !isSameProcess(pid, started)) {
    return { runs: false, pid, isStarting: false };
  }
  const isStarting = url === undefined;
  return { runs: isStarting || (await isSession(url, String(token))), pid, isStarting };
}

/** Whether a session listens at a URL. A busy one may respond late. */
async function isSession(url: string, token: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTime);
    return (
      await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` }, redirect: "error", signal })
    ).ok;
  } catch (error) {
    return (error as Error).name === "TimeoutError";
  }
}

/** Whether the process in a file runs. Its content may not be written yet. */
function isOwned(path: string): boolean {
  try {
    const [pid, started = ""] = readFileSync(path, "utf8").trim().split(" ");
    return !pid || isSameProcess(Number(pid), started);
  } catch {
    return true;
  }
}
