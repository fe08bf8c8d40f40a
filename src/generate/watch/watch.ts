import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Observation, recordFiles, stillHolds } from "../cache/recording.ts";
import type { GeneratedOutput } from "../generators/run-generators.ts";
import { runGenerators } from "../generators/run-generators.ts";
import type { GenerateRequest } from "../run/request.ts";
import { disk } from "../source/files.ts";
import type { SourceFile } from "../source/model.ts";
import type { SourceReader } from "../source/reader.ts";
import { createReader } from "../source/ts-morph/reader.ts";
import { createDebouncer, type Debouncer } from "./debounce.ts";
import { pathsToWatch, type WatchedPaths } from "./watched-paths.ts";
import { openWatcher, type Watcher } from "./watcher.ts";

/** Wraps a reader so that it parses a file again only if its text has changed. Results are frozen, so runs can share them. */
export function keepParsed(reader: SourceReader): SourceReader {
  const kept = new Map<string, { readonly text: string; readonly file: SourceFile }>();
  return {
    ...reader,
    parse(path, text) {
      const parsed = kept.get(path);
      if (parsed?.text === text) return parsed.file;
      const file = reader.parse(path, text);
      kept.set(path, { text, file });
      return file;
    },
  };
}

/** Time in milliseconds for a removed or emptied file to reappear: many editors remove or empty a file before they write it. */
const comeBack = 40;

export interface WatchInput {
  /** Called before each run. Errors are passed to `onProblem`, and the watch continues. */
  request(): Promise<GenerateRequest>;
  /** Absolute paths of files that `request` reads. */
  readonly requestFiles: readonly string[];
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Called after each run. `changedAt` is the time of the change that caused it, by `performance.now()`; absent for the first run. */
  onOutput(made: GeneratedOutput, request: GenerateRequest, changedAt: number | undefined): Promise<void>;
  /** Called once, when all further changes are detected. */
  onReady(): void;
  onProblem(error: unknown): void;
}

/** Runs the generators, and again whenever a file that a run read or looked for has changed. Resolves when the signal is aborted. */
export async function watch(input: WatchInput): Promise<void> {
  const { signal } = input;
  const changes = createDebouncer(signal);
  const runOnce = runner(input);
  let watcher: Watcher | undefined;
  let changedAt: number | undefined;
  const follow = async ({ patterns, cwd, observations }: Ran) => {
    const watched = pathsToWatch(patterns, cwd, observations);
    if (watcher && samePaths(watcher.watched, watched)) return;
    const before = watcher;
    const events = { onChange: (path: string) => changes.add(path), onProblem: input.onProblem };
    watcher = await openWatcher(watched, events);
    await before?.close();
    // Changes before this point may have been missed.
    changes.add("");
  };
  try {
    for (let first = true; !signal.aborted; first = false) {
      const ran = await runOnce(changedAt);
      // A file changed during the run, so the output doesn't belong to one state of the files.
      if (ran.observations.length === 0) changes.add("");
      await follow(ran);
      if (first) input.onReady();
      changedAt = await nextChange(changes, ran, follow);
    }
  } finally {
    await watcher?.close();
  }
}

/** The paths of a run, and the reads that its output depends on. */
interface Ran {
  readonly patterns: readonly string[];
  readonly cwd: string;
  readonly observations: readonly Observation[];
}

/** Runs the generators in one process: compiler, tables and unchanged files are loaded once. */
function runner({ request: ask, requestFiles, onOutput, onProblem }: WatchInput) {
  const reader = keepParsed(createReader());
  let last: Omit<Ran, "observations"> = { patterns: [], cwd: process.cwd() };
  return async (changedAt: number | undefined): Promise<Ran> => {
    const recorded = recordFiles(disk);
    for (const path of requestFiles) lookAt(path, recorded.files.read);
    try {
      const request = await ask();
      last = { patterns: request.config.paths, cwd: request.cwd };
      const made = await runGenerators(request, { files: recorded.files, reader });
      await onOutput(made, request, changedAt);
    } catch (error) {
      onProblem(error);
    }
    return { ...last, observations: recorded.observations() ?? [] };
  };
}

function lookAt(path: string, read: (path: string) => string): void {
  try {
    read(path);
  } catch {
    // The failed read is recorded, too.
  }
}

/** Waits for a relevant change and returns its time; undefined if the signal is aborted. */
async function nextChange(
  changes: Debouncer,
  ran: Ran,
  follow: (ran: Ran) => Promise<void>,
): Promise<number | undefined> {
  for (;;) {
    const batch = await changes.next();
    if (batch === undefined) return undefined;
    const { paths, since } = batch;
    await follow(ran);
    const changed = firstChange(ran.observations, paths);
    if (changed === undefined) continue;
    if (changed !== "gone") return since;
    await sleep(comeBack);
    if (firstChange(ran.observations, paths) !== undefined) return since;
  }
}

/** Returns whether any recorded read has a different result now; `gone` if a file was removed or emptied. */
function firstChange(observations: readonly Observation[], paths: ReadonlySet<string>): "changed" | "gone" | undefined {
  // Changed paths are checked first: the others are read only if none of these has changed.
  const reported = ({ args }: Observation) => typeof args[0] === "string" && paths.has(args[0]);
  const ordered = [...observations.filter(reported), ...observations.filter((each) => !reported(each))];
  const changed = ordered.find((observation) => !stillHolds(disk, observation));
  if (!changed) return observations.length === 0 ? "changed" : undefined;
  if (changed.ask !== "read") return "changed";
  const stat = statSync(String(changed.args[0]), { throwIfNoEntry: false });
  return stat?.isFile() && stat.size > 0 ? "changed" : "gone";
}

function samePaths(a: WatchedPaths, b: WatchedPaths): boolean {
  return JSON.stringify([a.trees, a.directories]) === JSON.stringify([b.trees, b.directories]);
}
