import { hash } from "node:crypto";
import type { Made } from "../made.ts";
import type { GenerateRequest } from "../request.ts";
import { disk, type Files } from "../source/files.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import { recordFiles, stillHolds } from "./recording.ts";
import { readStored, touchStored, writeStored } from "./store.ts";

/** Where results are kept, and whose they are. */
export interface Cache {
  /** Absolute; made when needed. */
  readonly directory: string;
  /** Says which code made a result: whatever changes it has to change this. */
  readonly tool: string;
  /** Nothing is stored. */
  readonly readOnly?: boolean;
}

/**
 * What the generators make, from an earlier run if each question that run asked of the disk has the same answer now. The
 * reader, the generators and their tables are loaded only if not.
 */
export async function cachedMake(request: GenerateRequest, cache: Cache, files: Files = disk): Promise<Made> {
  const name = hash("sha256", JSON.stringify([cache.tool, request]));
  const stored = readStored(cache.directory, name);
  const entry = stored && decodeEntry(stored);
  if (entry?.observations.every((observation) => stillHolds(files, observation))) {
    if (cache.readOnly !== true) touchStored(cache.directory, name);
    return entry.made;
  }
  const recorded = recordFiles(files);
  const { make } = await import("../make.ts");
  const made = await make(request, { files: recorded.files });
  const observations = recorded.observations();
  if (observations !== undefined && cache.readOnly !== true) {
    writeStored(cache.directory, name, encodeEntry({ observations, made }));
  }
  return made;
}
