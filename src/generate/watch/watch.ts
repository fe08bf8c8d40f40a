import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Observation, recordFiles, stillHolds } from "../cache/recording.ts";
import type { Made } from "../made.ts";
import { make } from "../make.ts";
import type { GenerateRequest } from "../request.ts";
import { disk } from "../source/files.ts";
import { createReader } from "../source/reader.ts";
import { type Bell, createBell } from "./bell.ts";
import { keepParsed } from "./parsed.ts";
import { type Places, placesToWatch } from "./places.ts";
import { openWatcher, type Watcher } from "./watcher.ts";

/** How long a file that went, or was emptied, may take to come back: many editors do so before they write. */
const comeBack = 40;

export interface WatchInput {
  /** Asked before each run. What it throws goes to `onProblem`, and the next change is awaited. */
  request(): Promise<GenerateRequest>;
  /** Files that `request` reads, absolute. */
  readonly requestFiles: readonly string[];
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** A run is over. `changedAt` is when the change that caused it was seen, by `performance.now()`; absent for the first. */
  onMade(made: Made, request: GenerateRequest, changedAt: number | undefined): Promise<void>;
  /** Every change from now on is seen. Called once. */
  onReady(): void;
  onProblem(error: unknown): void;
}

/** Runs the generators, and again whenever something that a run read, or looked for, has changed. Resolves when the signal is aborted. */
export async function watch(input: WatchInput): Promise<void> {
  const { signal } = input;
  const bell = createBell(signal);
  const runOnce = runner(input);
  let watcher: Watcher | undefined;
  let changedAt: number | undefined;
  const follow = async ({ patterns, cwd, observations }: Ran) => {
    const places = placesToWatch(patterns, cwd, observations);
    if (watcher && samePlaces(watcher.places, places)) return;
    const before = watcher;
    const events = { onChange: (path: string) => bell.ring(path), onProblem: input.onProblem };
    watcher = await openWatcher(places, events);
    await before?.close();
    // What happened until now nobody saw.
    bell.ring("");
  };
  try {
    for (let first = true; !signal.aborted; first = false) {
      const ran = await runOnce(changedAt);
      // A file changed while it was read: what was made of it belongs to no one state.
      if (ran.observations.length === 0) bell.ring("");
      await follow(ran);
      if (first) input.onReady();
      changedAt = await nextChange(bell, ran, follow);
    }
  } finally {
    await watcher?.close();
  }
}

/** What a run was over, and what it depends on. */
interface Ran {
  readonly patterns: readonly string[];
  readonly cwd: string;
  readonly observations: readonly Observation[];
}

/** A warm generator: compiler, tables and unchanged files are loaded once. */
function runner({ request: ask, requestFiles, onMade, onProblem }: WatchInput) {
  const readers = new Map<string, Promise<ReturnType<typeof keepParsed>>>();
  let last: Omit<Ran, "observations"> = { patterns: [], cwd: process.cwd() };
  const readerOf = (choice: NonNullable<GenerateRequest["reader"]>) => {
    const reader = readers.get(choice) ?? createReader(choice).then(keepParsed);
    readers.set(choice, reader);
    return reader;
  };
  return async (changedAt: number | undefined): Promise<Ran> => {
    const recorded = recordFiles(disk);
    for (const path of requestFiles) lookAt(path, recorded.files.read);
    try {
      const request = await ask();
      last = { patterns: request.config.paths, cwd: request.cwd };
      const reader = await readerOf(request.reader ?? "auto");
      const made = await make(request, { files: recorded.files, reader });
      await onMade(made, request, changedAt);
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
    // That it isn't there is what is remembered.
  }
}

/** Waits for a change that matters, and gives the time at which it was seen; undefined at the end. */
async function nextChange(bell: Bell, ran: Ran, follow: (ran: Ran) => Promise<void>): Promise<number | undefined> {
  for (;;) {
    const rung = await bell.next();
    if (rung === undefined) return undefined;
    const { paths, since } = rung;
    await follow(ran);
    const changed = firstChange(ran.observations, paths);
    if (changed === undefined) continue;
    if (changed !== "gone") return since;
    await sleep(comeBack);
    if (firstChange(ran.observations, paths) !== undefined) return since;
  }
}

/** Whether anything that was asked has another answer now; `gone` if a file, or all that was in it, is what is missing. */
function firstChange(observations: readonly Observation[], paths: ReadonlySet<string>): "changed" | "gone" | undefined {
  // What the system told of is looked at first: the rest is read only if nothing came of that.
  const told = ({ args }: Observation) => typeof args[0] === "string" && paths.has(args[0]);
  const ordered = [...observations.filter(told), ...observations.filter((each) => !told(each))];
  const changed = ordered.find((observation) => !stillHolds(disk, observation));
  if (!changed) return observations.length === 0 ? "changed" : undefined;
  if (changed.ask !== "read") return "changed";
  const stat = statSync(String(changed.args[0]), { throwIfNoEntry: false });
  return stat?.isFile() && stat.size > 0 ? "changed" : "gone";
}

function samePlaces(a: Places, b: Places): boolean {
  return JSON.stringify([a.trees, a.directories]) === JSON.stringify([b.trees, b.directories]);
}
