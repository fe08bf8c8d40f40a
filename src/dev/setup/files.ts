import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, sep } from "node:path";
import { isSameProcess } from "@kubewright/apiserver/process";
import type { SessionFile } from "@kubewright/dashboard/protocol";
import { ProblemError } from "../../project/problem-error.ts";
import { readValues } from "../../yaml/values.ts";

/** The files of a session. */
export interface SessionPaths {
  /** Directory of everything that can be removed. */
  readonly cache: string;
  readonly data: string;
  readonly bundles: string;
  readonly session: string;
  /** Address and keys of the webhooks, to which the stored objects refer. */
  readonly webhooks: string;
  readonly kubeconfig: string;
  /** Returns the file with the Pods that fail in the cluster of an engine. */
  podFaults(engine: string): string;
  /** Returns the file with the history of the cluster of an engine. */
  history(engine: string): string;
}

/** Returns the paths of a project's session. Packages can be shared by several projects; sessions aren't. */
export function sessionPaths(root: string): SessionPaths {
  const modules = join(root, "node_modules");
  const isOwn = existsSync(modules) && realpathSync(modules).startsWith(realpathSync(root) + sep);
  const cache = isOwn ? join(modules, ".cache", "kubewright", "dev") : join(root, ".kubewright", "dev");
  return {
    cache,
    data: join(cache, "data.jsonl"),
    bundles: join(cache, "bundles"),
    session: join(cache, "session.json"),
    webhooks: join(cache, "webhooks.json"),
    kubeconfig: join(root, ".kubewright", "dev.kubeconfig"),
    podFaults: (engine) => join(cache, `pod-faults-${engine}.json`),
    history: (engine) => join(cache, `history-${engine}.jsonl`),
  };
}

/** Writes a file that only its owner can read. Readers see the old content or the new one. */
export function writeSecret(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
  // The mode of a new file is limited by the umask, never widened.
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
}

/** Removes the kubeconfig of a session, which contains the credentials of the cluster's administrator. */
export function removeKubeconfig({ kubeconfig }: Pick<SessionPaths, "kubeconfig">): void {
  rmSync(kubeconfig, { force: true });
}

/** Whether a kubeconfig is that of the embedded server. */
export function isEmbeddedKubeconfig(path: string): boolean {
  try {
    const [config] = readValues(readFileSync(path, "utf8")) as { readonly "current-context"?: string }[];
    return config?.["current-context"] === "kubewright";
  } catch {
    return false;
  }
}

/**
 * Creates the directory of a session, which Git ignores, and removes the kubeconfig of a cluster that a killed session left.
 * That of the embedded server stays: no other server accepts it, and it shows that there were objects.
 */
export function prepareCache({ cache, bundles, kubeconfig }: SessionPaths): void {
  if (!isEmbeddedKubeconfig(kubeconfig)) removeKubeconfig({ kubeconfig });
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  writeFileSync(join(cache, ".gitignore"), "*\n");
  rmSync(bundles, { recursive: true, force: true });
  prepareBundles(bundles);
}

/** Creates the directory of the bundles, if it doesn't exist. `npm ci` removes it with all packages. */
export function prepareBundles(bundles: string): void {
  const path = join(bundles, "package.json");
  if (existsSync(path)) return;
  mkdirSync(bundles, { recursive: true });
  writeFileSync(path, '{ "type": "module" }\n');
}

/** The content of a session file. */
export type SessionFileContent =
  | { readonly state: "none" }
  /** It isn't a private file of the user: a repository can contain one that directs commands to another server. */
  | { readonly state: "refused"; readonly reason: string }
  | { readonly state: "read"; readonly isPrivate: boolean; readonly fields: Partial<SessionFile> };

const sessionUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;
const maxSessionFile = 64 * 1024;

/** Reads a session file of the user. Fields that aren't valid are left out. */
export function readSessionFile(path: string): SessionFileContent {
  let descriptor: number;
  try {
    // Windows has no flag for it, and creating links needs a privilege.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ELOOP" ? { state: "refused", reason: "it is a symbolic link" } : { state: "none" };
  }
  try {
    const { uid, mode, size } = fstatSync(descriptor);
    const isOwn = process.getuid === undefined || uid === process.getuid();
    if (!isOwn) return { state: "refused", reason: "it belongs to another user" };
    const isPrivate = process.platform === "win32" || (mode & 0o077) === 0;
    const text = size <= maxSessionFile ? readFileSync(descriptor, "utf8") : "";
    return { state: "read", isPrivate, fields: sessionFields(text) };
  } catch {
    // It is a directory, for example.
    return { state: "none" };
  } finally {
    closeSync(descriptor);
  }
}

function sessionFields(text: string): Partial<SessionFile> {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
  const { pid, started, url, token } = fields;
  return {
    ...(typeof started === "string" ? { started } : {}),
    ...(Number.isInteger(pid) && Number(pid) > 0 ? { pid: Number(pid) } : {}),
    ...(typeof url === "string" && sessionUrl.test(url) ? { url } : {}),
    ...(typeof token === "string" ? { token } : {}),
  };
}

/**
 * Returns the running session of a project. A file that a killed session left is ignored.
 *
 * @throws ProblemError if the file isn't private
 */
export function runningSession(root: string): SessionFile | undefined {
  const path = sessionPaths(root).session;
  const content = readSessionFile(path);
  if (content.state === "none") return undefined;
  if (content.state === "refused") throw untrusted(path, content.reason);
  const { pid, started = "", url, token } = content.fields;
  if (pid === undefined || url === undefined || token === undefined || !isSameProcess(pid, started)) return undefined;
  if (!content.isPrivate) throw untrusted(path, "other users can access it");
  return { pid, url, token };
}

/** Whether a process is the session of a project, also one that is still starting. */
export function hasSessionProcess(root: string): boolean {
  const content = readSessionFile(sessionPaths(root).session);
  if (content.state !== "read") return false;
  const { pid, started = "" } = content.fields;
  return pid !== undefined && isSameProcess(pid, started);
}

function untrusted(path: string, reason: string): ProblemError {
  return new ProblemError(
    "no-session",
    `no session of scaffold dev is used: ${path} must be a file that only you can access, and ${reason}`,
    "remove the file, and start a session: npx scaffold dev",
  );
}
