import { hash } from "node:crypto";
import type { Made } from "../made.ts";
import type { Observation } from "./recording.ts";

/** A result, and what it depends on. */
export interface Entry {
  readonly observations: readonly Observation[];
  readonly made: Made;
}

/** Head of an entry; the texts of the files follow it, `bytes` long each. */
interface Head extends Pick<Entry, "observations"> {
  readonly diagnostics: Made["diagnostics"];
  readonly files: readonly (Omit<Made["files"][number], "text"> & { readonly bytes: number })[];
}

const format = "kubewright-cache-1";

/** Puts an entry into bytes: a line with its checksum, a line of JSON, and the texts as they are, which is cheap to read. */
export function encodeEntry({ observations, made }: Entry): Buffer {
  const texts = made.files.map((file) => Buffer.from(file.text));
  const files = made.files.map(({ text: _, ...file }, index) => ({ ...file, bytes: texts[index]?.length ?? 0 }));
  const head: Head = { observations, diagnostics: made.diagnostics, files };
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...texts]);
  return Buffer.concat([Buffer.from(`${format} ${hash("sha256", body)}\n`), body]);
}

/** Reads an entry; undefined if it isn't whole, or of another format. */
export function decodeEntry(bytes: Buffer): Entry | undefined {
  const start = bytes.indexOf("\n") + 1;
  const body = bytes.subarray(start);
  if (start === 0 || bytes.toString("latin1", 0, start - 1) !== `${format} ${hash("sha256", body)}`) return undefined;
  let at = body.indexOf("\n") + 1;
  // What has the right checksum was written by `encodeEntry`.
  const head = JSON.parse(body.toString("utf8", 0, at)) as Head;
  const files = head.files.map(({ bytes: length, ...file }) => {
    at += length;
    return Object.freeze({ ...file, text: body.toString("utf8", at - length, at) });
  });
  return { observations: head.observations, made: { files, diagnostics: head.diagnostics } };
}
