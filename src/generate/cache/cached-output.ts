import { hash } from "node:crypto";
import type { GeneratedOutput } from "../generators/run-generators.ts";
import type { GenerateRequest } from "../run/request.ts";
import { disk, type Files } from "../source/files.ts";
import { type Cache, readBytes, writeBytes } from "./cache.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import { recordFiles, stillHolds } from "./recording.ts";

/**
 * Returns the output of an earlier run if everything that it read from disk is unchanged; otherwise runs the generators. The
 * reader, the generators and their tables are only loaded in the latter case.
 */
export async function cachedOutput(
  request: GenerateRequest,
  cache: Cache,
  files: Files = disk,
): Promise<GeneratedOutput> {
  const name = hash("sha256", JSON.stringify([cache.tool, request]));
  const stored = readBytes(cache, name);
  const entry = stored && decodeEntry(stored);
  if (entry?.observations.every((observation) => stillHolds(files, observation))) return entry.made;
  const recorded = recordFiles(files);
  const { runGenerators } = await import("../generators/run-generators.ts");
  const made = await runGenerators(request, { files: recorded.files });
  const observations = recorded.observations();
  if (observations !== undefined) writeBytes(cache, name, encodeEntry({ observations, made }));
  return made;
}
