import { tryParseDuration } from "@kubewright/cel/duration";
import type { Pod } from "../common/objects.ts";

const prefix = "apiserver.kubewright.dev/";

/** How a Pod fails on command. */
export type Failure = "unschedulable" | "image-pull" | "creating" | "crash" | "oom" | "not-ready" | "evict";

const failures: readonly string[] = ["unschedulable", "image-pull", "creating", "crash", "oom", "not-ready", "evict"];

/**
 * The behavior that the annotations of a Pod set. They may change while it runs.
 *
 * - `fail`: `unschedulable` (no node is found), `image-pull` (the image doesn't exist), `creating` (containers are never
 *   created), `crash` (containers exit with a failure), `oom` (containers exceed their memory), `not-ready` (readiness probes
 *   fail) or `evict` (the node evicts the Pod).
 * - `fail-container`: the name of the only container that fails.
 * - `fail-times`: how often a container fails before it works. Earlier Pods of the same Job count.
 * - `exit-code`: the exit code of containers. One other than 0 makes them crash.
 * - `run-for`: how long containers run, such as `1m30s`.
 * - `ready-after`: how long containers take to become ready.
 * - `stop-after`: how long containers take to stop when the Pod is deleted, at most the grace period.
 */
export interface Simulation {
  fail?: Failure;
  failContainer?: string;
  failTimes: number;
  exitCode?: number;
  /** In milliseconds, as are the others. */
  runFor?: number;
  readyAfter?: number;
  stopAfter: number;
}

/** A command that can't be understood. */
export interface SimulationProblem {
  annotation: string;
  rule: string;
}

const parsed = new WeakMap<Pod, { simulation: Simulation; problems: SimulationProblem[] }>();

/**
 * Reads the commands of a Pod.
 *
 * @param pod - the Pod
 * @returns the commands, and the problems of those that can't be understood
 */
export function simulationOf(pod: Pod): { simulation: Simulation; problems: SimulationProblem[] } {
  let simulation = parsed.get(pod);
  if (simulation === undefined) {
    simulation = parseSimulation(pod.metadata.annotations ?? {});
    parsed.set(pod, simulation);
  }
  return simulation;
}

function parseSimulation(annotations: { [key: string]: string }) {
  const simulation: Simulation = { failTimes: Number.POSITIVE_INFINITY, stopAfter: 0 };
  const problems: SimulationProblem[] = [];
  for (const [annotation, text] of Object.entries(annotations)) {
    if (!annotation.startsWith(prefix)) continue;
    const problem = setCommand(simulation, annotation.slice(prefix.length), text);
    if (problem !== undefined) problems.push({ annotation, rule: problem });
  }
  return { simulation, problems };
}

/** Returns the rule that a text breaks. */
function setCommand(simulation: Simulation, name: string, text: string): string | undefined {
  switch (name) {
    case "fail":
      if (!failures.includes(text)) return `must be one of ${failures.join(", ")}`;
      simulation.fail = text as Failure;
      return undefined;
    case "fail-container":
      simulation.failContainer = text;
      return undefined;
    case "fail-times":
    case "exit-code": {
      const most = name === "exit-code" ? 255 : 2 ** 31 - 1;
      if (!/^\d+$/.test(text) || Number(text) > most) return `must be a number from 0 to ${most}`;
      simulation[name === "exit-code" ? "exitCode" : "failTimes"] = Number(text);
      return undefined;
    }
    case "run-for":
    case "ready-after":
    case "stop-after": {
      const nanoseconds = tryParseDuration(text);
      if (nanoseconds === undefined || nanoseconds < 0n) return "must be a duration such as 500ms or 1m30s";
      const fields = { "run-for": "runFor", "ready-after": "readyAfter", "stop-after": "stopAfter" } as const;
      simulation[fields[name]] = Number(nanoseconds) / 1e6;
      return undefined;
    }
    default:
      return "must be one of fail, fail-container, fail-times, exit-code, run-for, ready-after, stop-after";
  }
}

/** How a container ends by itself. */
export interface Exit {
  /** How long it runs, in milliseconds. */
  after: number;
  code: number;
  reason: string;
}

/**
 * Returns how a container ends by itself.
 *
 * @param simulation - the commands of its Pod
 * @param container - its name
 * @param earlierFailures - how often it failed before
 * @param ends - how long it runs if nothing is commanded; undefined if it doesn't end
 * @returns the end; undefined if it runs until it is stopped
 */
export function exitOf(
  simulation: Simulation,
  container: string,
  earlierFailures: number,
  ends: number | undefined,
): Exit | undefined {
  const { fail, failContainer, failTimes, exitCode = 0, runFor } = simulation;
  const chosen = (failContainer ?? container) === container && earlierFailures < failTimes;
  if (chosen && fail === "oom") return { after: runFor ?? 0, code: 137, reason: "OOMKilled" };
  if (chosen && (fail === "crash" || exitCode !== 0))
    return { after: runFor ?? 0, code: exitCode || 1, reason: "Error" };
  const after = runFor ?? ends;
  return after === undefined ? undefined : { after, code: 0, reason: "Completed" };
}
