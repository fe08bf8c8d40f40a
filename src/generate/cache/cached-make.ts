import { hash } from "node:crypto";
import type { Made } from "../made.ts";
import type { GenerateRequest } from "../request.ts";
import { disk, type Files } from "../source/files.ts";
import { type Cache, readBytes, writeBytes } from "./cache.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import { recordFiles, stillHolds } from "./recording.ts";

/**
 * What the generators make, from an earlier run if each question that run asked of the disk has the same answer now. The
 * reader, the generators and their tables are loaded only if not.
 */
export async function cachedMake(request: GenerateRequest, cache: Cache, files: Files = disk): Promise<Made> {
  const name = hash("sha256", JSON.stringify([cache.tool, request]));
  const stored = readBytes(cache, name);
  const entry = stored && decodeEntry(stored);
  if (entry?.observations.every((observation) => stillHolds(files, observation))) return entry.made;
  const recorded = recordFiles(files);
  const { make } = await import("../make.ts");
  const made = await make(request, { files: recorded.files });
  const observations = recorded.observations();
  if (observations !== undefined) writeBytes(cache, name, encodeEntry({ observations, made }));
  return made;
}
