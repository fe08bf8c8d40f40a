import type { KubernetesObject } from "../api/index.ts";
import type { TransportRequest } from "../transport/transport.ts";
import type { RequestInfo } from "./request-info.ts";

/** The watches of a resource, of all its namespaces. */
export interface WatchState {
  namespaces: Set<string>;
  labelSelector: string;
  fieldSelector: string;
  resourceVersion: string;
  lastEvent?: string;
  lagMs?: number;
  watches: number;
  events: number;
}

/** Receives the events of one watch. */
export interface CacheWatch {
  /** Called for each event; without an object for a bookmark. */
  event(object: KubernetesObject | undefined, resourceVersion: string | undefined): void;
}

/** Counts the lists and watches of informers. */
export class CacheWatches {
  readonly #states = new Map<string, WatchState>();

  /** Returns the state of a resource. `metadataOnly` has watches of its own. */
  of(group: string, plural: string, metadataOnly: boolean): WatchState | undefined {
    return this.#states.get(keyOf(group, plural, metadataOnly));
  }

  listed(request: TransportRequest, info: RequestInfo, resourceVersion: string): void {
    const state = this.#states.get(keyOf(info.group, info.plural, isMetadata(request)));
    if (state) state.resourceVersion = resourceVersion;
  }

  opened(request: TransportRequest, { group, plural, namespace }: RequestInfo): CacheWatch {
    const key = keyOf(group, plural, isMetadata(request));
    const state: WatchState = this.#states.get(key) ?? {
      namespaces: new Set(),
      labelSelector: "",
      fieldSelector: "",
      resourceVersion: "",
      watches: 0,
      events: 0,
    };
    this.#states.set(key, state);
    if (namespace) state.namespaces.add(namespace);
    state.labelSelector = String(request.query?.labelSelector ?? "");
    state.fieldSelector = String(request.query?.fieldSelector ?? "");
    state.watches++;
    return {
      event(object, resourceVersion) {
        if (resourceVersion) state.resourceVersion = resourceVersion;
        if (!object) return;
        state.events++;
        state.lastEvent = new Date().toISOString();
        const changedAt = lastChange(object);
        if (changedAt !== undefined) state.lagMs = Math.max(0, Date.now() - changedAt);
      },
    };
  }
}

function isMetadata({ accept = "" }: TransportRequest): boolean {
  return accept.includes("PartialObjectMetadata");
}

function keyOf(group: string, plural: string, metadataOnly: boolean): string {
  return `${group}/${plural}${metadataOnly ? "#metadata" : ""}`;
}

function lastChange({ metadata }: KubernetesObject): number | undefined {
  const entries = (metadata as { managedFields?: { time?: string }[] } | undefined)?.managedFields ?? [];
  const times = entries.map(({ time }) => Date.parse(time ?? "")).filter((time) => !Number.isNaN(time));
  return times.length > 0 ? Math.max(...times) : undefined;
}
