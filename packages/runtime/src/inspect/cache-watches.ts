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
  watches: number;
  events: number;
  /** Number of connected watches. */
  connected: number;
  /** When the last watch ended, in milliseconds; unset while one is connected. */
  endedAt?: number;
  /** The latest version in the answer to a request of the manager that no watch has delivered yet, and when it arrived. */
  ahead?: { version: bigint; since: number };
}

/** Receives the events of one watch. */
export interface CacheWatch {
  /** Called for each event; without an object for a bookmark. */
  event(object: KubernetesObject | undefined, resourceVersion: string | undefined): void;
  /** Called when the connection ends. */
  ended(): void;
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
    if (state) reached(state, resourceVersion);
  }

  /** Called for the answer to a write: the watches have to deliver its version. */
  wrote({ group, plural, namespace }: RequestInfo, { metadata }: KubernetesObject): void {
    const version = versionOf(metadata?.resourceVersion);
    for (const metadataOnly of [false, true]) {
      const state = this.of(group, plural, metadataOnly);
      const isWatched = state && (state.namespaces.size === 0 || state.namespaces.has(namespace));
      if (!isWatched || state.labelSelector !== "" || state.fieldSelector !== "" || version === undefined) continue;
      const current = versionOf(state.resourceVersion);
      if (current === undefined || version <= current) continue;
      state.ahead = { version, since: state.ahead?.since ?? performance.now() };
    }
  }

  /**
   * Returns for how long a cache has been behind the server, in milliseconds: since the first write that its watches haven't
   * delivered, or since they ended. 0 if nothing has changed since its last event.
   */
  lagOf({ ahead, endedAt, connected }: WatchState): number {
    const now = performance.now();
    const since = Math.min(ahead?.since ?? now, connected === 0 ? (endedAt ?? now) : now);
    return Math.max(0, now - since);
  }

  opened(request: TransportRequest, { group, plural, namespace }: RequestInfo): CacheWatch {
    const key = keyOf(group, plural, isMetadata(request));
    const state: WatchState = this.#states.get(key) ?? {
      namespaces: new Set(),
      labelSelector: "",
      fieldSelector: "",
      resourceVersion: String(request.query?.resourceVersion ?? ""),
      watches: 0,
      events: 0,
      connected: 0,
    };
    this.#states.set(key, state);
    if (namespace) state.namespaces.add(namespace);
    state.labelSelector = String(request.query?.labelSelector ?? "");
    state.fieldSelector = String(request.query?.fieldSelector ?? "");
    state.watches++;
    state.connected++;
    state.endedAt = undefined;
    let hasEnded = false;
    return {
      event(object, resourceVersion) {
        if (resourceVersion) reached(state, resourceVersion);
        if (!object) return;
        state.events++;
        state.lastEvent = new Date().toISOString();
      },
      ended() {
        if (hasEnded) return;
        hasEnded = true;
        state.connected--;
        if (state.connected === 0) state.endedAt = performance.now();
      },
    };
  }
}

function reached(state: WatchState, resourceVersion: string): void {
  state.resourceVersion = resourceVersion;
  const version = versionOf(resourceVersion);
  if (state.ahead && version !== undefined && version >= state.ahead.version) state.ahead = undefined;
}

/** Returns a version that can be compared. */
function versionOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

function isMetadata({ accept = "" }: TransportRequest): boolean {
  return accept.includes("PartialObjectMetadata");
}

function keyOf(group: string, plural: string, metadataOnly: boolean): string {
  return `${group}/${plural}${metadataOnly ? "#metadata" : ""}`;
}
