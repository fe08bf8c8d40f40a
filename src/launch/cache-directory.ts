import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Returns the user's cache directory, or undefined if the user has no home directory. */
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

/** Returns a short hash of a path. A collision only makes two installations overwrite each other's cache. */
function nameOf(path: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < path.length; index++) hash = Math.imul(hash ^ path.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * Returns the directory for the compiled code of an installation under this version of Node.
 *
 * @param installation the directory of the chunks
 * @returns undefined without a cache directory, or if `NODE_DISABLE_COMPILE_CACHE` is set
 */
export function codeCacheDirectory(installation: string): string | undefined {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const base = userCacheDirectory();
  return base && join(base, "kubewright", "code", `${nameOf(installation)}-${process.version}-${process.arch}`);
}
