import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { StoredRelease } from "../store.ts";
import { unpackStream } from "./archive.ts";
import { withLock } from "./lock.ts";
import { placeRelease } from "./place.ts";
import type { UseOptions } from "./use.ts";

/** Adds a local release archive to the store. Throws a `Problem` if the archive is invalid. */
export async function sideload(
  options: Pick<UseOptions, "store" | "os" | "arch" | "progress" | "signal">,
  version: string,
  archive: Readable,
): Promise<StoredRelease> {
  const { store, os, arch, progress, signal } = options;
  mkdirSync(store, { recursive: true });
  const waiting = () => progress.note("waiting for another setup-envtest to finish ...");
  return withLock(join(store, ".lock"), waiting, signal, () =>
    placeRelease(store, { version, os, arch }, (directory) =>
      unpackStream(archive, "the archive on the standard input", os, directory),
    ),
  );
}
