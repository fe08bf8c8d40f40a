import type { Client } from "../client/client.ts";
import type { Clock } from "../clock/clock.ts";
import { ApiError } from "../errors/api-error.ts";
import { silentLogger } from "../log/logger.ts";
import { LeaderElector, type LeaderElectorOptions } from "./leader-elector.ts";
import type { Lease } from "./lease.ts";
import { leaseDurations } from "./options.ts";

/** A server with one Lease and optimistic locking. */
export class LeaseServer {
  lease: Lease | undefined;
  isDown = false;
  readonly calls: string[] = [];
  #version = 0;

  readonly client: Client = {
    get: async () => {
      this.#call("get");
      if (!this.lease) throw ApiError.notFound("Lease", "x");
      return structuredClone(this.lease);
    },
    create: async (lease: Lease) => {
      this.#call("create");
      if (this.lease) throw ApiError.alreadyExists("Lease", "x");
      return this.#store(lease);
    },
    update: async (lease: Lease) => {
      this.#call("update");
      if (lease.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) {
        throw ApiError.conflict("Lease", "x", "the object has been modified");
      }
      return this.#store(lease);
    },
  } as unknown as Client;

  /** Changes the Lease as another client. */
  change(spec: Lease["spec"]): void {
    this.#store({ ...this.lease!, spec: { ...this.lease?.spec, ...spec } });
  }

  #call(name: string): void {
    this.calls.push(name);
    if (this.isDown) throw new Error("no connection");
  }

  #store(lease: Lease): Lease {
    this.lease = structuredClone(lease);
    this.lease.metadata.resourceVersion = String(++this.#version);
    return structuredClone(this.lease);
  }
}

export interface Candidate {
  elector: LeaderElector;
  stop: AbortController;
  /** The calls of `onChange`: `true` after winning, `false` after losing. */
  changes: boolean[];
}

/** Creates a candidate with the default durations and without jitter. */
export function candidate(
  identity: string,
  at: LeaseServer,
  clock: Clock,
  options: Partial<LeaderElectorOptions> = {},
): Candidate {
  const changes: boolean[] = [];
  const elector = new LeaderElector({
    ...leaseDurations({}),
    client: at.client,
    namespace: "ns",
    name: "x",
    identity,
    clock,
    log: silentLogger,
    random: () => 0,
    onChange: (isLeader) => void changes.push(isLeader),
    ...options,
  });
  const stop = new AbortController();
  return { elector, stop, changes };
}
