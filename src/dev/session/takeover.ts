import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "@kubewright/apiserver/process";
import { type KubeClient, type KubeObject, pathOf, statusOf } from "../client/kube-client.ts";
import type { SessionEvents } from "../store/session-events.ts";

/** In seconds: if the session is killed, the operator takes its lease back after this time. */
const leaseDuration = 15;
/** Default in milliseconds. */
const defaultRenewTime = 3000;
/** In milliseconds. */
const requestTime = 10_000;
/** Limit of the API for `leaseTransitions`: a larger number is refused, so that the lease couldn't be taken. */
const maxTransitions = 2 ** 31 - 1;
/** Limit for the leases that are taken over: anybody who may create leases can create many with the name. */
const maxLeases = 50;
/** Characters of identities that are shown. */
const shownIdentity = 200;

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

/** Receives what happens. */
export interface TakeoverListener {
  onChange(held: HeldLease, action: "taken" | "returned"): void;
  /** A lease that can't be taken over or returned, as one line. */
  onProblem(message: string): void;
}

/** Begins the identities of sessions, which the host, the process ID and a UUID follow. */
const identityPrefix = "kubewright-dev";

/** Returns a new identity for the session that this process runs. */
export function newSessionIdentity(): string {
  return [identityPrefix, hostname(), process.pid, randomUUID()].join("_");
}

/** Options of a {@link Takeover}. */
export interface TakeoverOptions {
  /** Identity in leases, which the managers of the session have, too. */
  readonly identity: string;
  /**
   * Whether to take over the leases of others.
   *
   * @defaultValue true
   */
  readonly takesOver?: boolean;
  /** Milliseconds between two renewals. */
  readonly renewTime?: number;
}

/** The parts of a session that take over the lease of an operator. */
export interface TakeoverParts {
  readonly root: string;
  readonly client: KubeClient;
  readonly identity: string;
  readonly takesOver: boolean;
  readonly events: SessionEvents;
}

/**
 * Takes over the lease of the project's operator: two operators would fight about the objects.
 *
 * @returns the takeover, which must be ended; `undefined` if the project sets no name of a lease
 */
export async function beginTakeover(session: TakeoverParts): Promise<Takeover | undefined> {
  const { root, client, identity, takesOver, events } = session;
  const name = leaseName(root);
  if (name === undefined) return undefined;
  const listener: TakeoverListener = {
    onChange: (held, action) => events.emit({ event: "takeover", ...held, action }),
    onProblem: (message) => events.note(message),
  };
  const takeover = new Takeover(client, listener, { identity, takesOver });
  await takeover.begin(name);
  return takeover;
}

/**
 * Keeps the operator in the cluster inactive: holds its leases until the end of the session. The session's own manager has the
 * same identity, so that it can lead meanwhile, and its restarts don't wait for the lease.
 */
export class Takeover {
  readonly #client: KubeClient;
  readonly #identity: string;
  readonly #takesOver: boolean;
  readonly #listener: TakeoverListener;
  readonly #renewTime: number;
  readonly #held = new Map<string, HeldLease>();
  /** Problems that were reported, by lease. */
  readonly #problems = new Map<string, string>();
  /** The times of renewal that leases had when they were last listed. */
  readonly #renewals = new Map<string, string>();
  /** Leases that were renewed between two lists: somebody holds them, even if the clock of the holder is hours slow. */
  readonly #renewed = new Set<string>();
  readonly #stop = new AbortController();
  #name = "";
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    client: KubeClient,
    listener: TakeoverListener,
    { identity, takesOver = true, renewTime = defaultRenewTime }: TakeoverOptions,
  ) {
    this.#client = client;
    this.#listener = listener;
    this.#identity = identity;
    this.#takesOver = takesOver;
    this.#renewTime = renewTime;
  }

  /** The leases that are held. */
  get held(): readonly HeldLease[] {
    return [...this.#held.values()];
  }

  /**
   * Takes over the leases of an operator that somebody holds now, in all namespaces. Until the end, it renews them, and takes
   * over those of operators that start later.
   *
   * @param name - the name of the lease: `leaderElectionID` of the manager
   */
  async begin(name: string): Promise<void> {
    this.#name = name;
    if (!this.#takesOver) return;
    await this.#takeAll(name);
    this.#renewing = this.#keep(name);
  }

  /** Returns the leases, so that the operator continues without delay, and releases those of the session's own manager. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    // One without an answer must not delay the others.
    await Promise.all(this.held.map((held) => this.#return(held)));
    // Without it, only the next session would wait, until they end.
    await this.#releaseOwn().catch(() => undefined);
  }

  async #return(held: HeldLease): Promise<void> {
    const { lease } = held;
    this.#held.delete(lease);
    try {
      if (await this.#release(lease)) this.#listener.onChange(held, "returned");
    } catch (error) {
      // The operator's namespace was deleted.
      if (statusOf(error) === 404) return;
      const reason = (error as Error).message;
      this.#listener.onProblem(`can't return the lease ${lease}, which ends in ${leaseDuration} s: ${reason}`);
    }
  }

  /** Releases the leases of the session's manager. */
  async #releaseOwn(): Promise<void> {
    if (this.#name === "") return;
    for (const { metadata, spec } of await this.#list(this.#name)) {
      const isOwn = specOf({ spec }).holderIdentity === this.#identity;
      if (isOwn) await this.#release(`${metadata?.namespace ?? ""}/${this.#name}`);
    }
  }

  /** @returns false if another candidate holds the lease */
  #release(lease: string): Promise<boolean> {
    return this.#write(lease, (old) =>
      old.holderIdentity === this.#identity
        ? { ...old, holderIdentity: "", leaseDurationSeconds: 1, renewTime: now() }
        : undefined,
    );
  }

  async #list(name: string): Promise<readonly KubeObject[]> {
    const resource = await this.#client.resourceOf("coordination.k8s.io/v1", "Lease");
    return this.#client.list(resource, "", { fieldSelector: `metadata.name=${name}` });
  }

  async #keep(name: string): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(this.#renewTime, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      if (this.#stop.signal.aborted) return;
      // One without an answer must not delay the others.
      await Promise.all(this.held.map((held) => this.#take(held)));
      // A manager with an older runtime has an identity of its own.
      await this.#takeAll(name, (holder) => !holder.startsWith(`${hostname()}_`));
    }
  }

  /** Takes over all leases that others hold. */
  async #takeAll(name: string, isMeant: (holder: string) => boolean = () => true): Promise<void> {
    let leases: readonly KubeObject[];
    try {
      leases = await this.#list(name);
    } catch (error) {
      return this.#report(name, `can't take over the lease ${name}: ${(error as Error).message}`);
    }
    this.#problems.delete(name);
    const taken: HeldLease[] = [];
    const seen = new Set<string>();
    for (const lease of leases) {
      const spec = specOf(lease);
      const { holderIdentity = "" } = spec;
      const held = {
        lease: `${lease.metadata?.namespace ?? ""}/${name}`,
        from: holderIdentity.slice(0, shownIdentity),
      };
      seen.add(held.lease);
      this.#observe(held.lease, spec);
      // The manager would wait for the end of a lease that a killed session has left, even if it ended long ago.
      const isHeld = this.#isHeld(held.lease, spec) || hasEnded(holderIdentity);
      if (lease.metadata?.name !== name || !isHeld) continue;
      if (holderIdentity === this.#identity) continue;
      if (!this.#held.has(held.lease) && isMeant(holderIdentity)) taken.push(held);
    }
    for (const renewed of this.#renewals.keys()) {
      if (seen.has(renewed)) continue;
      this.#renewals.delete(renewed);
      this.#renewed.delete(renewed);
    }
    const free = Math.max(0, maxLeases - this.#held.size);
    await Promise.all(taken.slice(0, free).map((held) => this.#take(held)));
    if (taken.length <= free) return;
    this.#report(
      `${name} in many namespaces`,
      `can't take over all leases ${name}: more than ${maxLeases} namespaces have one, and the session holds ${this.#held.size}`,
    );
  }

  #observe(lease: string, { renewTime = "" }: LeaseSpec): void {
    const before = this.#renewals.get(lease);
    this.#renewals.set(lease, renewTime);
    if (before !== undefined && before !== renewTime) this.#renewed.add(lease);
  }

  #isHeld(lease: string, spec: LeaseSpec): boolean {
    const { holderIdentity = "", renewTime = "", leaseDurationSeconds = leaseDuration } = spec;
    if (holderIdentity === "") return false;
    const renewed = Date.parse(renewTime);
    return this.#renewed.has(lease) || Date.now() - renewed < leaseDurationSeconds * 1000;
  }

  /** Checks whether another session holds a lease. One of this machine whose process has ended doesn't. */
  #isOfOtherSession(lease: string, spec: LeaseSpec): boolean {
    const { holderIdentity = "" } = spec;
    const isOfSession = holderIdentity.startsWith(`${identityPrefix}_`) && holderIdentity !== this.#identity;
    return isOfSession && this.#isHeld(lease, spec) && !hasEnded(holderIdentity);
  }

  /** Takes over a lease, or renews it. If the operator has won it in the meantime, it is taken over again. */
  async #take(held: HeldLease): Promise<void> {
    const { lease } = held;
    try {
      const isTaken = await this.#write(lease, (old) =>
        this.#isOfOtherSession(lease, old) ? undefined : this.#taken(old),
      );
      if (!isTaken) {
        this.#held.delete(lease);
        return this.#report(
          lease,
          `can't take over the lease ${lease}: another session of scaffold dev holds it, so that both reconcile`,
        );
      }
      this.#problems.delete(lease);
      if (this.#held.has(lease)) return;
      this.#held.set(lease, held);
      this.#listener.onChange(held, "taken");
    } catch (error) {
      if (statusOf(error) === 404) this.#held.delete(lease);
      else this.#report(lease, `can't hold the lease ${lease}: ${(error as Error).message}`);
    }
  }

  /** Reports a problem once until it changes. */
  #report(about: string, message: string): void {
    if (this.#problems.get(about) === message) return;
    this.#problems.set(about, message);
    this.#listener.onProblem(message);
  }

  #taken(old: LeaseSpec): LeaseSpec {
    const isOwn = old.holderIdentity === this.#identity;
    return {
      ...old,
      holderIdentity: this.#identity,
      leaseDurationSeconds: leaseDuration,
      renewTime: now(),
      acquireTime: isOwn ? (old.acquireTime ?? now()) : now(),
      leaseTransitions: Math.min((old.leaseTransitions ?? 0) + (isOwn ? 0 : 1), maxTransitions),
    };
  }

  /**
   * Changes a lease. A conflict is repeated, since its holder renews it every few seconds.
   *
   * @returns false if `change` returns nothing
   */
  async #write(lease: string, change: (spec: LeaseSpec) => LeaseSpec | undefined): Promise<boolean> {
    const [namespace = "", name = ""] = lease.split("/");
    const resource = await this.#client.resourceOf("coordination.k8s.io/v1", "Lease");
    const path = pathOf(resource, namespace, name);
    for (let attempt = 0; ; attempt++) {
      const object = await this.#client.get(resource, namespace, name);
      const spec = change(specOf(object));
      if (!spec) return false;
      try {
        await this.#client.request({ method: "PUT", path, body: { ...object, spec }, timeout: requestTime });
        return true;
      } catch (error) {
        if (statusOf(error) !== 409 || attempt >= 5) throw error;
      }
    }
  }
}

/** Checks whether an identity is that of a session of this machine whose process has ended. */
function hasEnded(identity: string): boolean {
  if (!identity.startsWith(`${identityPrefix}_`)) return false;
  const [pid, host] = identity.split("_").slice(1, -1).reverse();
  return host === hostname() && !isRunning(Number(pid));
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

/** Returns the fields of a lease. Those of another type than in the API are left out; other fields stay as they are. */
function specOf({ spec }: Pick<KubeObject, "metadata"> & { readonly spec?: unknown }): LeaseSpec {
  if (typeof spec !== "object" || spec === null) return {};
  const fields: Record<string, unknown> = { ...spec };
  for (const [name, type] of Object.entries(fieldTypes)) {
    if (name in fields && typeof fields[name] !== type) delete fields[name];
  }
  return fields;
}

const fieldTypes = {
  holderIdentity: "string",
  leaseDurationSeconds: "number",
  acquireTime: "string",
  renewTime: "string",
  leaseTransitions: "number",
} as const satisfies Record<keyof LeaseSpec, string>;

/** Leases have microseconds. */
function now(): string {
  return new Date().toISOString().replace("Z", "000Z");
}
