import { createReadStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { extract } from "tar/extract";
import { binaryName, REQUIRED_BINARIES } from "../store.ts";
import { downloadFile } from "./download.ts";
import { Problem, reason } from "./problem.ts";
import type { Archive } from "./release-index.ts";

const BINARIES = [...REQUIRED_BINARIES, "kubectl", "kube-controller-manager"];

/** Fills a directory with the binaries of a release archive, after its checksum is found right. Throws a `Problem`. */
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

/** Fills a directory with the binaries of a release archive as it comes. `what` says in messages which. Throws a `Problem`. */
export async function unpackStream(stream: Readable, what: string, os: string, directory: string): Promise<void> {
  const wanted = new Set(BINARIES.map((name) => binaryName(name, os)));
  try {
    await pipeline(
      stream,
      extract({
        cwd: directory,
        strict: true,
        // Archives hold the binaries at some depth (`controller-tools/envtest/etcd`); nothing else of them is wanted.
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
