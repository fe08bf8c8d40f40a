import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the directory with the packages that earlier runs of a checkout have packed. */
export function packCache(cliRoot: string): string {
  return join(cliRoot, "node_modules/.cache/kubewright");
}

/**
 * Returns the bytes of a packed package from the cache, or packs it and stores it for the next run: compression takes longer
 * than the rest of `init`. Only checkouts have a cache, because an installed package has no `node_modules` of its own.
 *
 * @param file the name of the packed file, which contains the hash of its content
 * @param pack packs the package
 */
export async function cachedPackage(cache: string, file: string, pack: () => Promise<Uint8Array>): Promise<Uint8Array> {
  const path = join(cache, file);
  try {
    return readFileSync(path);
  } catch {
    const bytes = await pack();
    if (existsSync(dirname(dirname(cache)))) store(cache, file, bytes);
    return bytes;
  }
}

/** Replaces earlier builds of the package. The cache is optional, so an error has no effect. */
function store(cache: string, file: string, bytes: Uint8Array): void {
  const temporary = join(cache, `${randomUUID()}.tmp`);
  const nameOf = (each: string) => each.replace(/-\d.*/s, "");
  try {
    mkdirSync(cache, { recursive: true });
    for (const old of readdirSync(cache).filter((name) => nameOf(name) === nameOf(file))) rmSync(join(cache, old));
    writeFileSync(temporary, bytes);
    renameSync(temporary, join(cache, file));
  } catch {
    rmSync(temporary, { force: true });
  }
}
