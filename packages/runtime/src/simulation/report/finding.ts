import type { FaultName } from "../schedule/fault-names.ts";
import { shorten } from "./fold.ts";
import type { TimelineEntry } from "./timeline.ts";
import type { UpgradeChange } from "./upgrade-change.ts";
import type { UpgradeVariation } from "./upgrade-variation.ts";

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
  /** How the operator was upgraded, in a simulation of an upgrade. */
  upgrade?: FindingUpgrade;
  /** How to replay it: a command line, or the option to set if no command runs the test. */
  replay: string;
  /** Index of the event in the timeline that broke the rule, usually a write. */
  position: number;
  /** The events of the schedule. */
  timeline: TimelineEntry[];
}

/** How the operator was upgraded in the schedule of a finding. */
export interface FindingUpgrade {
  /** The names of the old versions, in the order in which they ran. */
  from: string[];
  /** The ways in which the upgrade happened. */
  variations: UpgradeVariation[];
  /** The number of the call of `world.settled()` at which it happened, from 1. */
  point: number;
}

/** An old version in a report. */
export interface ReportedVersion {
  /** The name. */
  name: string;
  /** A revision of the repository, a directory with a project or a bundle, or a function of the options. */
  kind: "revision" | "project" | "bundle" | "function";
  /** The commit of a revision. */
  commit?: string;
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
  /** The old versions, in a simulation of an upgrade. */
  from?: ReportedVersion[];
  /** Number of schedules with each variation of an upgrade. */
  upgrades?: Record<UpgradeVariation, number>;
  /** The changes of the upgrades without faults. */
  changes?: UpgradeChange[];
}

/** Number of lines of a finding: of all of its text, of its message, and of what surrounds the message and the timeline. */
const mostLines = 40;
const mostMessageLines = 4;
const otherLines = 8;

/** Describes a finding for people: the rule, the timeline, and how to replay it. */
export function describeFinding(finding: Finding): string {
  const { invariant, faults, replay, upgrade } = finding;
  return [
    `${invariant}: ${shownMessage(finding).join("\n")}`,
    ...(upgrade ? [`upgrade: ${describeUpgrade(upgrade)}`] : []),
    `faults: ${faults.length > 0 ? faults.join(", ") : "none"}`,
    "",
    ...describeTimeline(finding),
    "",
    `replay: ${replay}`,
  ].join("\n");
}

/** Describes how the operator was upgraded, for people. */
export function describeUpgrade({ from, variations, point }: FindingUpgrade): string {
  const how = variations.length > 0 ? `: ${variations.join(", ")}` : "";
  return `from ${from.join(", then ")} at world.settled() number ${point}${how}`;
}

/** Returns the lines of a message. Those of a comparison can be many. */
export function shownMessage({ message }: Pick<Finding, "message">): string[] {
  const lines = message.trimEnd().split("\n");
  if (lines.length <= mostMessageLines) return lines;
  return [...lines.slice(0, mostMessageLines - 1), `… ${lines.length - mostMessageLines + 1} more lines, see --json`];
}

/** Describes the timeline of a finding for people, in lines. */
export function describeTimeline(finding: Pick<Finding, "message" | "timeline" | "position">): string[] {
  const { timeline, position } = finding;
  const lines = shorten(timeline, mostLines - otherLines - shownMessage(finding).length, position);
  return [
    "  step       time  actor        what",
    ...lines.map((line) => (typeof line === "string" ? `  ${line}` : lineOf(line))),
  ];
}

function lineOf({ step, time, actor, action, object, revision, detail }: TimelineEntry): string {
  const at = `${(time / 1000).toFixed(3)}s`;
  const what = [action, object, revision && `@${revision}`].filter(Boolean).join(" ");
  const facts = detail ? `: ${detail.replaceAll("\n", " ")}` : "";
  return `  ${String(step).padStart(4)} ${at.padStart(10)}  ${actor.padEnd(12)} ${what}${facts}`;
}
