import { createReadStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar/extract";
import { downloadFile } from "./download.ts";
import { Problem, reason } from "./problem.ts";
import type { Archive } from "./release-index.ts";
import { binaryName, REQUIRED_BINARIES } from "./store.ts";

const BINARIES = [...REQUIRED_BINARIES, "kubectl", "kube-controller-manager"];

/** Downloads a release archive, verifies its checksum and unpacks its binaries into a directory. Throws a `Problem`. */
export async function unpackArchive(
  archive: Archive,
  directory: string,
  verify: boolean,
  signal: AbortSignal,
): Promise<void> {
  const file = join(directory, "archive.tar.gz");
  await downloadFile(archive.url, file, verify ? archive.sha512 : undefined, signal);
  await unpackStream(createReadStream(file), archive.url, archive.os, directory);
  await rm(file);
}

/**
 * Unpacks the binaries of a streamed release archive into a directory. `what` describes the archive in messages. Throws a
 * `Problem`.
 */
export async function unpackStream(stream: Readable, what: string, os: string, directory: string): Promise<void> {
  const wanted = new Set(BINARIES.map((name) => binaryName(name, os)));
  try {
    await pipeline(
      stream,
      extract({
        cwd: directory,
        strict: true,
        // Archives contain the binaries in subdirectories (`controller-tools/envtest/etcd`). All other files are skipped.
        filter: (path, entry) => wanted.has(basename(path)) && "type" in entry && entry.type === "File",
        onReadEntry: (entry) => {
          entry.path = basename(entry.path);
        },
      }),
    );
  } catch (error) {
    throw new Problem(`${what} can't be unpacked (${reason(error)})`);
  }
  for (const name of REQUIRED_BINARIES) {
    if (!existsSync(join(directory, binaryName(name, os)))) throw new Problem(`${what} holds no ${name}`);
  }
}
