import { hash } from "node:crypto";

const format = "kubewright-cache-1";

/** Prepends a line with the checksum of the bytes. */
export function addChecksum(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${format} ${hash("sha256", body)}\n`), body]);
}

/** Returns the bytes after the checksum; undefined if they are incomplete, or if the format differs. */
export function verifyChecksum(bytes: Buffer): Buffer | undefined {
  const start = bytes.indexOf("\n") + 1;
  const body = bytes.subarray(start);
  const intact = start > 0 && bytes.toString("latin1", 0, start - 1) === `${format} ${hash("sha256", body)}`;
  return intact ? body : undefined;
}
