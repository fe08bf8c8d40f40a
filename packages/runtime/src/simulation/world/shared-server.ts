import { type ApiServer, startApiServer } from "@kubewright/apiserver";
import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import type { CRD } from "../../manifests/crds.ts";
import { Actor } from "../schedule/actor.ts";
import { SeededRandom } from "../schedule/random.ts";
import { drained, Scheduler } from "../schedule/scheduler.ts";
import { givenObject, type Tracked } from "./state.ts";

/** A server that the runs of a simulation use one after another: each begins at the same revision. */
export interface SharedServer {
  api: ApiServer;
  /** The revision at which runs begin. */
  revision: number;
  /** The objects of the options, as the server stores them. */
  given: readonly Tracked[];
}

/** The contents of a {@link SharedServer}. */
export interface SharedServerOptions {
  definitions: readonly CRD[];
  /** The admission policies. */
  policies: readonly KubernetesObject[];
  /** The objects that exist at the start. */
  objects: readonly KubernetesObject[];
  /** Whether the controllers of workloads run. */
  workloads: boolean;
  /** Whether objects record the owners of their fields. */
  managedFields: boolean;
}

/**
 * Starts a server. Its start takes longer than a short run, so it isn't part of each run.
 *
 * @param options - the contents
 * @returns the server, when its controllers have nothing left to do
 */
export async function startSharedServer(options: SharedServerOptions): Promise<SharedServer> {
  const { definitions, policies, objects, workloads, managedFields } = options;
  const actor = new Actor("cluster");
  const scheduler = new Scheduler(actor, () => 0);
  const random = new SeededRandom(0);
  const api = await startApiServer({
    http: false,
    authorization: "always-allow",
    crds: definitions as never,
    // The controllers of a run see these objects as new ones.
    controllers: { garbageCollector: false, workloads: workloads && { events: false } },
    managedFields,
    clock: scheduler.clock(actor),
    random: () => random.next(),
    history: { changes: 1_000_000, age: 1e12, size: 1e12 },
    objects: [...objects, ...policies] as never,
    warn: () => {},
  });
  await drained();
  while (scheduler.nextTimer <= scheduler.now && scheduler.turn()) await drained();
  return { api, revision: api.revision, given: storedObjects(api, objects) };
}

function storedObjects({ observation }: ApiServer, objects: readonly KubernetesObject[]): Tracked[] {
  const kinds = [...observation.kinds()];
  return objects.flatMap(({ apiVersion = "", kind: name, metadata = {} }) => {
    const group = groupOf(apiVersion);
    const kind = kinds.find((kind) => kind.group === group && kind.kind === name);
    const stored = kind && observation.object(group, kind.kind, metadata.namespace ?? "", metadata.name ?? "");
    return kind && stored ? [givenObject(kind, stored as unknown as KubernetesObject)] : [];
  });
}
