import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { cacheDirectory, stampName, stampOf, writeStored } from "../../generate/cache/index.ts";
import type { GenerateOutcome } from "../../generate/generate.ts";
import { directoryOf } from "../../generate/output/plan.ts";
import type { GenerateRequest } from "../../generate/run/request.ts";
import { disk, type Files } from "../../generate/source/files.ts";
import { findPackages } from "../../generate/source/paths.ts";
import { projectPlaces } from "../models/nearest-project.ts";
import { toolFiles } from "./cache.ts";

/** The files on disk, and the paths of all files and directories that were read since a time. */
export interface NotedFiles {
  readonly files: Files;
  /** In milliseconds since the epoch. */
  readonly since: number;
  readonly paths: ReadonlySet<string>;
}

/** Returns access to the files on disk that notes their paths from now on. */
export function noteFiles(): NotedFiles {
  const paths = new Set<string>();
  const noting = <Answer>(read: (path: string) => Answer) => {
    return (path: string) => {
      paths.add(path);
      return read(path);
    };
  };
  const files: Files = {
    read: noting(disk.read),
    isUtf8: noting(disk.isUtf8),
    isFile: noting(disk.isFile),
    realPath: noting(disk.realPath),
    yamlFiles: noting(disk.yamlFiles),
    sourceFiles: noting(disk.sourceFiles),
    findPackages: (patterns, cwd) => findPackages(patterns, cwd, (path) => paths.add(path)),
  };
  return { files, since: Date.now(), paths };
}

/**
 * Stores a stamp of a call that printed nothing and whose files are written, so that the next one ends as soon as it has compared the
 * states of all files. Calls with flags have none, because these print more, nor calls without options, whose Makefile depends on the
 * environment.
 */
export function stampCall(
  args: readonly string[],
  request: GenerateRequest,
  { diagnostics, plan }: GenerateOutcome,
  { paths, since }: NotedFiles,
): void {
  const { cwd, config } = request;
  const directory = cacheDirectory(cwd);
  const isPlain = args.length > 0 && args.every((word) => !word.startsWith("-"));
  if (!isPlain || directory === undefined || diagnostics.length > 0 || plan.stdout !== "") return;
  const inputs = [...paths, ...toolFiles(), ...projectPlaces(cwd)];
  const outputs = [...outputPaths(cwd, config.output), ...plan.writes.map(({ path }) => path)];
  const stamp = stampOf({ args, cwd }, inputs, outputs, since);
  if (stamp !== undefined) writeStored(directory, stampName, Buffer.from(JSON.stringify(stamp)));
}

/** Returns the directories of the output, the files in them, and the kustomizations above. */
function outputPaths(cwd: string, rules: GenerateRequest["config"]["output"]): string[] {
  return Object.values(rules).flatMap((rule) => {
    const name = directoryOf(rule);
    if (name === undefined) return [];
    const directory = resolve(cwd, name);
    // JSON Schemas have a directory per API group.
    const options = { recursive: true, encoding: "utf8" } as const;
    const files = existsSync(directory) ? readdirSync(directory, options).map((file) => join(directory, file)) : [];
    return [directory, ...files, join(dirname(directory), "kustomization.yaml")];
  });
}
