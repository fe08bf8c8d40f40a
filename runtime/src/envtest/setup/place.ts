import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StoredRelease } from "../store.ts";

/** Puts a release into a store: it shows up under its name only when `make` has filled its directory. In the place of an older one. */
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

/** Removes a release's directory. Those of Go's setup-envtest can't be written at first. */
export function removeRelease(directory: string): void {
  if (!existsSync(directory)) return;
  chmodSync(directory, 0o755);
  rmSync(directory, { recursive: true, force: true });
}
