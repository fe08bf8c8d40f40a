import { hash } from "node:crypto";

const format = "kubewright-cache-1";

/** Bytes with a line above that holds their checksum. */
export function seal(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${format} ${hash("sha256", body)}\n`), body]);
}

/** What was sealed; undefined if it isn't whole, or of another format. */
export function unseal(bytes: Buffer): Buffer | undefined {
  const start = bytes.indexOf("\n") + 1;
  const body = bytes.subarray(start);
  const intact = start > 0 && bytes.toString("latin1", 0, start - 1) === `${format} ${hash("sha256", body)}`;
  return intact ? body : undefined;
}
