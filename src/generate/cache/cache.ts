import { addChecksum, verifyChecksum } from "./checksum.ts";
import { readStored, touchStored, writeStored } from "./store.ts";

/** The location of cached results, and the identity of the code that wrote them. */
export interface Cache {
  /** Absolute path; created when needed. */
  readonly directory: string;
  /** Identifies the code that computed a result; must change with the code. Part of the names of entries. */
  readonly tool: string;
  /** Don't store anything. */
  readonly readOnly?: boolean;
}

/** Returns the bytes stored under a name; undefined if there are none, or if they are incomplete. */
export function readBytes(cache: Cache, name: string): Buffer | undefined {
  const stored = readStored(cache.directory, name);
  const bytes = stored && verifyChecksum(stored);
  if (bytes && cache.readOnly !== true) touchStored(cache.directory, name);
  return bytes;
}

/** Stores bytes under a name, if possible. */
export function writeBytes(cache: Cache, name: string, bytes: Buffer): void {
  if (cache.readOnly !== true) writeStored(cache.directory, name, addChecksum(bytes));
}
