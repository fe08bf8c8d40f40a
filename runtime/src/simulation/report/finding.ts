import type { FaultName } from "../faults/names.ts";
import { shorten } from "./fold.ts";
import type { TimelineEntry } from "./timeline.ts";

/** A broken rule, with the shortest schedule that breaks it. */
export interface Finding {
  /** The test file, empty if it is unknown. */
  file: string;
  /** The name of the test, empty if it is unknown. */
  test: string;
  /** The rule. */
  invariant: string;
  /** How it is broken. */
  message: string;
  /** The seed that replays it. 0 stands for the run without faults. */
  seed: number;
  /** The faults that it takes. */
  faults: FaultName[];
  /** The events of the schedule. */
  timeline: TimelineEntry[];
}

/** The result of a simulation. */
export interface SimulationReport {
  /** Number of schedules that were run. */
  schedules: number;
  /** Real time in seconds. */
  seconds: number;
  /** Number of injected faults by name. */
  faults: Record<FaultName, number>;
  /** Broken rules, with the shortest schedules. */
  findings: Finding[];
}

const mostLines = 60;

/** Describes a finding for people: the rule, the timeline, and how to replay it. */
export function describeFinding({ invariant, message, seed, faults, timeline }: Finding): string {
  return [
    `${invariant}: ${message}`,
    `faults: ${faults.length > 0 ? faults.join(", ") : "none"}`,
    "",
    ...describeTimeline(timeline),
    "",
    `replay: npx scaffold simulate --seed ${seed}`,
  ].join("\n");
}

/** Describes a timeline for people, in lines. */
export function describeTimeline(timeline: readonly TimelineEntry[]): string[] {
  const lines = shorten(timeline, mostLines);
  return [
    "  step       time  actor        what",
    ...lines.map((line) => (typeof line === "string" ? `  ${line}` : lineOf(line))),
  ];
}

function lineOf({ step, time, actor, action, object, revision, detail }: TimelineEntry): string {
  const at = `${(time / 1000).toFixed(3)}s`;
  const what = [action, object, revision && `@${revision}`].filter(Boolean).join(" ");
  return `  ${String(step).padStart(4)} ${at.padStart(10)}  ${actor.padEnd(12)} ${what}${detail ? `: ${detail}` : ""}`;
}
