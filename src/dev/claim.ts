import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ProblemError } from "../project/problem-error.ts";
import { isRunning, type SessionPaths } from "./files.ts";

/** Time in milliseconds that a session may take until its server listens: it may build the real servers. */
const startTime = 15 * 60_000;
/** Time in milliseconds for a response of another session. */
const answerTime = 5000;

/**
 * Makes this process the session of a project. The files of a session that was killed are replaced, even if another program
 * has its process ID now.
 *
 * @throws ProblemError if another session of the project runs
 */
export async function claimSession(paths: SessionPaths): Promise<void> {
  mkdirSync(dirname(paths.session), { recursive: true, mode: 0o700 });
  for (let attempt = 0; ; attempt++) {
    try {
      return writeFileSync(paths.session, `${JSON.stringify({ pid: process.pid })}\n`, { flag: "wx", mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const other = await otherSession(paths.session);
    if (other.runs || attempt > 0) {
      throw new ProblemError(
        "session-runs",
        `can't start: a session of this project runs already (process ${other.pid})`,
        "end it with q or Ctrl-C, or use it: scaffold dev status",
      );
    }
    rmSync(paths.session, { force: true });
    removeLock(`${paths.data}.lock`, other.pid);
  }
}

async function otherSession(path: string): Promise<{ runs: boolean; pid: number | undefined }> {
  const { pid, url, token } = contentOf(path);
  if (!Number.isInteger(pid)) return { runs: false, pid: undefined };
  const owner = pid as number;
  if (owner === process.pid || !isRunning(owner)) return { runs: false, pid: owner };
  if (typeof url !== "string") return { runs: Date.now() - statSync(path).mtimeMs < startTime, pid: owner };
  return { runs: await isSession(url, String(token)), pid: owner };
}

function contentOf(path: string): { pid?: unknown; url?: unknown; token?: unknown } {
  try {
    return JSON.parse(readFileSync(path, "utf8")) ?? {};
  } catch {
    return {};
  }
}

/** Whether a session listens at a URL. A busy one may respond late. */
async function isSession(url: string, token: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerTime);
    return (await fetch(`${url}/api/status`, { headers: { authorization: `Bearer ${token}` }, signal })).ok;
  } catch (error) {
    return (error as Error).name === "TimeoutError";
  }
}

/** Removes the lock of the data that the killed session has left. */
function removeLock(path: string, pid: number | undefined): void {
  try {
    if (Number(readFileSync(path, "utf8")) === pid) rmSync(path, { force: true });
  } catch {
    // There is none.
  }
}
