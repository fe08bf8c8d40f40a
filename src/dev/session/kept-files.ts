import { existsSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { typesFile } from "../build/type-check.ts";
import type { DevCluster } from "../cluster/cluster.ts";
import type { SessionWebhooks } from "../manager/session-webhooks.ts";
import type { SessionPaths } from "../setup/files.ts";
import type { SessionEvents } from "../store/session-events.ts";

/** Milliseconds between two checks. */
const checkTime = 1000;

/** The parts of a session whose files are kept. */
export interface KeptSession {
  readonly options: { readonly root: string };
  readonly paths: SessionPaths;
  readonly cluster: Pick<DevCluster, "saveAgain">;
  readonly events: SessionEvents;
  readonly webhooks: Pick<SessionWebhooks, "save">;
  readonly signal: AbortSignal;
}

/**
 * Keeps the files of a session while it runs: `npm ci` removes them with all packages. Ends the session if the project's
 * directory itself was removed, renamed or replaced: further files would create it again.
 *
 * @param session - a session whose cluster runs
 * @param stop - ends the session, with a reason
 * @param writeSessionFile - writes the file by which other commands find the session
 * @returns a function that ends the checks. Call it after the programs of the session have ended.
 */
export function keepFiles(
  session: KeptSession,
  stop: (reason: string) => void,
  writeSessionFile: () => void,
): () => void {
  const { root } = session.options;
  const first = directoryId(root);
  let reported = "";
  const report = (message: string): void => {
    if (message !== reported) session.events.note(message);
    reported = message;
  };
  const timer = setInterval(() => {
    if (session.signal.aborted) return;
    if (directoryId(root) !== first) {
      stop(`the project's directory ${root} was removed, renamed or replaced`);
      return;
    }
    try {
      if (!existsSync(session.paths.session)) writeSessionFile();
      session.webhooks.save();
      if (!session.cluster.saveAgain?.()) return;
      report("the file of the stored objects was removed: it is written again");
    } catch (error) {
      report(`a file of the session was removed and can't be written again: ${(error as Error).message}`);
    }
  }, checkTime).unref();
  return () => {
    clearInterval(timer);
    if (directoryId(root) !== first) removeLateFiles(session.paths, root);
  };
}

/**
 * Removes what the bundler and the compiler wrote after the project's directory was renamed: both create its directories
 * again. Only empty directories are removed.
 */
function removeLateFiles({ cache, bundles, session }: SessionPaths, root: string): void {
  // The file belongs to a new session, in a new directory.
  if (existsSync(session) || !existsSync(cache)) return;
  rmSync(join(cache, typesFile), { force: true });
  rmSync(bundles, { recursive: true, force: true });
  try {
    for (let directory = cache; directory.startsWith(root); directory = dirname(directory)) rmdirSync(directory);
  } catch {
    // It contains files of others.
  }
}

/** Identifies a directory, whatever its name; `undefined` if there is none. */
function directoryId(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
}
