import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StoredRelease } from "./store.ts";

/** Adds a release to a store, or replaces it. The release becomes visible only after `make` has filled its directory. */
export async function placeRelease(
  store: string,
  { version, os, arch }: Omit<StoredRelease, "directory">,
  make: (directory: string) => Promise<void>,
): Promise<StoredRelease> {
  mkdirSync(store, { recursive: true });
  const temporary = mkdtempSync(join(store, ".new-"));
  chmodSync(temporary, 0o755);
  try {
    await make(temporary);
    const directory = join(store, `${version}-${os}-${arch}`);
    removeRelease(directory);
    renameSync(temporary, directory);
    return { version, os, arch, directory };
  } finally {
    removeRelease(temporary);
  }
}

/** Removes a release's directory. Go's setup-envtest creates read-only directories. */
export function removeRelease(directory: string): void {
  if (!existsSync(directory)) return;
  chmodSync(directory, 0o755);
  rmSync(directory, { recursive: true, force: true });
}
