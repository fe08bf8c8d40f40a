import { seal, unseal } from "./sealed.ts";
import { readStored, touchStored, writeStored } from "./store.ts";

/** Where results are kept, and whose they are. */
export interface Cache {
  /** Absolute; made when needed. */
  readonly directory: string;
  /** Says which code made a result: whatever changes it has to change this. Names of entries are made of it. */
  readonly tool: string;
  /** Nothing is stored. */
  readonly readOnly?: boolean;
}

/** What was kept under a name; undefined if there is nothing, or nothing whole. */
export function readBytes(cache: Cache, name: string): Buffer | undefined {
  const stored = readStored(cache.directory, name);
  const bytes = stored && unseal(stored);
  if (bytes && cache.readOnly !== true) touchStored(cache.directory, name);
  return bytes;
}

/** Keeps bytes under a name, if that can be done. */
export function writeBytes(cache: Cache, name: string, bytes: Buffer): void {
  if (cache.readOnly !== true) writeStored(cache.directory, name, seal(bytes));
}

/** {@link readBytes} for text. */
export function readText(cache: Cache, name: string): string | undefined {
  return readBytes(cache, name)?.toString("utf8");
}

/** {@link writeBytes} for text. */
export function writeText(cache: Cache, name: string, text: string): void {
  writeBytes(cache, name, Buffer.from(text));
}
