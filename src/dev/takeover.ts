import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type KubeClient, type KubeObject, type KubeResource, pathOf, statusOf } from "./kube-client.ts";

/** In seconds: if the session is killed, the operator takes its lease back after this time. */
const leaseDuration = 15;
/** In milliseconds. */
const renewTime = 3000;

interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/** A lease that the session holds in place of an operator. */
export interface HeldLease {
  /** `NAMESPACE/NAME`. */
  readonly lease: string;
  readonly from: string;
}

/** Receives what was taken over and returned. */
export type TakeoverListener = (held: HeldLease, action: "taken" | "returned") => void;

/** Keeps the operator in the cluster inactive: holds its lease until the end of the session. */
export class Takeover {
  readonly #client: KubeClient;
  readonly #identity = `kubewright-dev_${hostname()}_${randomUUID()}`;
  readonly #listener: TakeoverListener;
  readonly #held: HeldLease[] = [];
  readonly #stop = new AbortController();
  #renewing: Promise<void> = Promise.resolve();

  constructor(client: KubeClient, listener: TakeoverListener) {
    this.#client = client;
    this.#listener = listener;
  }

  /** The leases that are held. */
  get held(): readonly HeldLease[] {
    return this.#held;
  }

  /**
   * Takes over the leases of an operator that somebody holds now, in all namespaces.
   *
   * @param name - the name of the lease: `leaderElectionID` of the manager
   */
  async begin(name: string): Promise<void> {
    const resource = await this.#client.resourceOf("coordination.k8s.io/v1", "Lease");
    const leases = await this.#client.list(resource, "", { fieldSelector: `metadata.name=${name}` });
    for (const lease of leases) {
      const spec = specOf(lease);
      if (lease.metadata?.name !== name || !isHeld(spec)) continue;
      const namespace = lease.metadata.namespace ?? "";
      const held = { lease: `${namespace}/${name}`, from: spec.holderIdentity ?? "" };
      if (!(await this.#write(resource, namespace, name, (old) => this.#taken(old)))) continue;
      this.#held.push(held);
      this.#listener(held, "taken");
    }
    if (this.#held.length > 0) this.#renewing = this.#renew(resource);
  }

  /** Returns the leases, so that the operator continues without delay. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    for (const held of this.#held.splice(0)) {
      const [namespace = "", name = ""] = held.lease.split("/");
      const resource = await this.#client.resourceOf("coordination.k8s.io/v1", "Lease");
      const isReturned = await this.#write(resource, namespace, name, (old) =>
        old.holderIdentity === this.#identity
          ? { ...old, holderIdentity: "", leaseDurationSeconds: 1, renewTime: now() }
          : undefined,
      ).catch(() => false);
      if (isReturned) this.#listener(held, "returned");
    }
  }

  async #renew(resource: KubeResource): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(renewTime, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      for (const { lease } of this.#held) {
        const [namespace = "", name = ""] = lease.split("/");
        // If the operator has won it in the meantime, it is taken over again.
        await this.#write(resource, namespace, name, (old) => this.#taken(old)).catch(() => false);
      }
    }
  }

  #taken(old: LeaseSpec): LeaseSpec {
    const isOwn = old.holderIdentity === this.#identity;
    return {
      ...old,
      holderIdentity: this.#identity,
      leaseDurationSeconds: leaseDuration,
      renewTime: now(),
      acquireTime: isOwn ? (old.acquireTime ?? now()) : now(),
      leaseTransitions: (old.leaseTransitions ?? 0) + (isOwn ? 0 : 1),
    };
  }

  /** Changes a lease. A conflict is repeated, since its holder renews it every few seconds. */
  async #write(
    resource: KubeResource,
    namespace: string,
    name: string,
    change: (spec: LeaseSpec) => LeaseSpec | undefined,
  ): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const lease = await this.#client.get(resource, namespace, name);
      const spec = change(specOf(lease));
      if (!spec) return false;
      try {
        await this.#client.request({
          method: "PUT",
          path: pathOf(resource, namespace, name),
          body: { ...lease, spec },
        });
        return true;
      } catch (error) {
        if (statusOf(error) !== 409 || attempt >= 5) throw error;
      }
    }
  }
}

/** Returns the name of the manager's lease, from its source; `undefined` if there is none. */
export function leaseName(root: string): string | undefined {
  try {
    const main = readFileSync(join(root, "src", "main.ts"), "utf8");
    return /leaderElectionID:\s*["'`]([^"'`$]+)["'`]/.exec(main)?.[1];
  } catch {
    return undefined;
  }
}

function specOf(lease: KubeObject): LeaseSpec {
  return (lease.spec ?? {}) as LeaseSpec;
}

function isHeld({ holderIdentity = "", renewTime, leaseDurationSeconds = leaseDuration }: LeaseSpec): boolean {
  const renewed = Date.parse(renewTime ?? "");
  return holderIdentity !== "" && !Number.isNaN(renewed) && Date.now() - renewed < leaseDurationSeconds * 1000;
}

/** Leases have microseconds. */
function now(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
