import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where programs of this user keep what can be made again; undefined where the user has no home. */
function userCacheDirectory(): string | undefined {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (process.platform === "win32" && LOCALAPPDATA) return LOCALAPPDATA;
  let home: string;
  try {
    home = homedir();
  } catch {
    return undefined;
  }
  if (!isAbsolute(home)) return undefined;
  return process.platform === "darwin" ? join(home, "Library/Caches") : join(home, ".cache");
}

/** A short name for a path; two paths with one name only get in each other's way. */
function nameOf(path: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < path.length; index++) hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * The directory for the compiled code of one installation (that of its chunks) under this version of Node; undefined where
 * there is no place for it, or `NODE_DISABLE_COMPILE_CACHE` says that none is wanted.
 */
export function codeCacheDirectory(installation: string): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const base = userCacheDirectory();
  return base && join(base, "kubewright", "code", `${nameOf(installation)}-${process.version}-${process.arch}`);
}
