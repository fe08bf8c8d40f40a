import type { ApiServer } from "@kubewright/apiserver";
import type { Client } from "../../client/client.ts";
import type { Transport } from "../../transport/transport.ts";
import type { Timeline } from "../report/timeline.ts";
import type { Verdict } from "../report/verdict.ts";
import type { Actor } from "../schedule/actor.ts";
import type { Choices } from "../schedule/choices.ts";
import type { Scheduler } from "../schedule/scheduler.ts";
import type { ChildrenSets } from "./children-sets.ts";
import type { Conversions } from "./conversions.ts";
import type { Sightings } from "./sightings.ts";
import type { State } from "./state.ts";
import type { Usage } from "./usage.ts";

/** The parts of a run that exist before its server starts. */
export interface RunBase {
  readonly choices: Choices;
  readonly scheduler: Scheduler;
  /** The events of the run. Checks subscribe to it. */
  readonly timeline: Timeline;
  readonly verdict: Verdict;
  /** The cluster's controllers, the user of the scenario, and somebody else. */
  readonly actors: Readonly<Record<"cluster" | "user" | "someone", Actor>>;
}

/** The parts of a run, without the operator. All of them exist before the operator starts, and none is replaced. */
export interface RunWorld extends RunBase {
  readonly api: ApiServer;
  /** Passes requests to the server at once. */
  readonly server: Transport;
  readonly state: State;
  readonly sightings: Sightings;
  /** The sets of children of the operator. */
  readonly children: ChildrenSets;
  readonly usage: Usage;
  /** The client of somebody else. */
  readonly someone: Client;
  /** The kinds with a definition, as `group/kind`. */
  readonly custom: ReadonlySet<string>;
  /** Converts custom resources between their versions, in a simulation of an upgrade. */
  readonly conversions: Conversions | undefined;
}
