import { createLiveClient } from "../client/live-client.ts";
import { createRestMapper } from "../discovery/rest-mapper.ts";
import { inProcessTransport } from "../testing/in-process-transport.ts";
import { collectAfter } from "./faults/collect-after.ts";
import { Timeline } from "./report/timeline.ts";
import { Verdict } from "./report/verdict.ts";
import type { RunSettings } from "./run-settings.ts";
import { Actor } from "./schedule/actor.ts";
import { Choices } from "./schedule/choices.ts";
import { drained, Scheduler } from "./schedule/scheduler.ts";
import { ChildrenSets } from "./world/children-sets.ts";
import { Conversions } from "./world/conversions.ts";
import { Network, type NetworkOptions } from "./world/network.ts";
import type { RunBase, RunWorld } from "./world/run-world.ts";
import { Sightings } from "./world/sightings.ts";
import { State } from "./world/state.ts";
import { namespaceTime, podsAreReady, readyTimes, unending } from "./world/times.ts";
import { Usage } from "./world/usage.ts";

/** Creates the parts of a run that exist before its server starts. */
export function createBase({ seed, faults, decisions, nature }: RunSettings): RunBase {
  const choices = new Choices(seed, faults, decisions, nature);
  const actors = { cluster: new Actor("cluster"), user: new Actor("user"), someone: new Actor("someone") };
  const scheduler: Scheduler = new Scheduler(actors.user, (count) => choices.next(count), nature);
  const timeline = new Timeline(() => ({ step: scheduler.steps, time: scheduler.now }));
  return { choices, scheduler, timeline, verdict: new Verdict(timeline), actors };
}

/**
 * Starts the server of a run with the objects of the options, and waits until its controllers rest.
 *
 * @param settings - the settings of the run
 * @param base - the parts that exist before the server
 */
export async function startWorld(
  { prepared, owners, endpoints, upgrade }: RunSettings,
  base: RunBase,
): Promise<RunWorld> {
  const { scheduler, choices, timeline, verdict, actors } = base;
  const { custom, usesWorkloads } = prepared;
  const parts = {
    owners: owners ?? prepared.appliesObjects,
    endpoints: endpoints ?? prepared.usesEndpoints,
  };
  const ready = usesWorkloads ? choices.fault("children", "start", readyTimes.length - 1, 2) : 0;
  const podReadyAfter = readyTimes[ready] as number;
  scheduler.actor = actors.cluster;
  const { api, revision, given } = await prepared.server(owners, upgrade?.plan.path[0]);
  const conversions = prepared.upgrade && new Conversions(timeline, prepared.upgrade.converted);
  let hasBegun = false;
  const late = (at: string, what: string): number => (hasBegun ? collectAfter(base, at, what) : 0);
  await api.restart(revision, {
    clock: scheduler.clock(actors.cluster),
    random: () => choices.server.next(),
    ...(conversions
      ? { convert: async (object, to) => (await conversions.convert(object as never, to)) as never }
      : {}),
    controllers: {
      workloads: usesWorkloads && { podReadyAfter, events: false, endpoints: parts.endpoints },
      garbageCollector: { delay: () => late("owner", "garbage collector") },
      namespace: { delay: () => namespaceTime + late("namespace", "deletion of namespaces") },
    },
  });
  if (ready > 0) timeline.fault("children", podsAreReady(podReadyAfter));
  await drained();
  while (scheduler.nextTimer <= scheduler.now && scheduler.turn()) await drained();
  hasBegun = true;
  const state = new State(api, given, custom);
  state.isStalled = podReadyAfter >= unending;
  const server = inProcessTransport(async () => api.handle);
  const usage = new Usage(parts, verdict);
  const someone = createClient({ server, actor: actors.someone, scheduler, usage });
  return {
    ...base,
    api,
    server,
    state,
    sightings: new Sightings(),
    children: new ChildrenSets(),
    usage,
    someone,
    custom,
    conversions,
  };
}

/** Creates a client whose requests are steps of the schedule. */
export function createClient(options: NetworkOptions): ReturnType<typeof createLiveClient> {
  const transport = new Network(options);
  return createLiveClient({
    transport,
    mapper: createRestMapper(transport, options.scheduler.clock(options.actor)),
  });
}
