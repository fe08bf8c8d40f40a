import { hash } from "node:crypto";
import type { GeneratedOutput } from "../generators/run-generators.ts";
import type { GenerateRequest } from "../run/request.ts";
import { disk, type Files } from "../source/files.ts";
import { type Cache, readBytes, writeBytes } from "./cache.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";
import { recordFiles, stillHolds } from "./recording.ts";

/** Runs the generators over files. */
export type RunGenerators = (request: GenerateRequest, files: Files) => Promise<GeneratedOutput>;

/** Loads the reader, the generators and their tables, and runs the generators. */
export const loadAndRun: RunGenerators = async (request, files) =>
  (await import("../generators/run-generators.ts")).runGenerators(request, { files });

/**
 * Returns the output of an earlier run if everything that it read from disk is unchanged; otherwise runs the generators.
 *
 * @param run - runs them. By default, they are only loaded if they have to run
 */
export async function cachedOutput(
  request: GenerateRequest,
  cache: Cache,
  files: Files = disk,
  run: RunGenerators = loadAndRun,
): Promise<GeneratedOutput> {
  const name = hash("sha256", JSON.stringify([cache.tool, request]));
  const stored = readBytes(cache, name);
  const entry = stored && decodeEntry(stored);
  if (entry?.observations.every((observation) => stillHolds(files, observation))) return entry.made;
  const recorded = recordFiles(files);
  const made = await run(request, recorded.files);
  const observations = recorded.observations();
  if (observations !== undefined) writeBytes(cache, name, encodeEntry({ observations, made }));
  return made;
}
