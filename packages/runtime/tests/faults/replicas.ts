import { TestEnvironment } from "../../src/envtest/index.ts";
import { Lease } from "../../src/leader-election/lease.ts";
import type { LeaseDurations } from "../../src/leader-election/options.ts";
import { ConfigMap, eventually, widget, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { Audit, type Write } from "./audit.ts";
import { History, type Moment } from "./history.ts";
import { directClient } from "./operator.ts";
import { Replica } from "./replica.ts";
import { leaderAt, termsOf } from "./terms.ts";

/** Time limit in milliseconds, far longer than any step takes. */
const maxWait = 60_000;
/** Time in milliseconds between two writes of an object. */
const pause = 20;

/** Replicas of one operator that compete for a lease, with a separate API server that keeps an audit log. */
export class Replicas {
  readonly #lease: LeaseDurations;
  readonly #audit = new Audit();
  readonly #environment = new TestEnvironment({ crds: [widgetCRD], apiServerFlags: this.#audit.flags });
  readonly #all: Replica[] = [];
  #closeClient: (() => Promise<void>) | undefined;
  #leases: History<Lease> | undefined;
  #written: History<ConfigMap> | undefined;

  constructor(lease: LeaseDurations) {
    this.#lease = lease;
  }

  async open(): Promise<void> {
    const { client, close } = directClient(await this.#environment.start());
    this.#closeClient = close;
    this.#leases = await History.start(client, Lease, "default");
    this.#written = await History.start(client, ConfigMap, "default");
    for (const name of ["one", "two"]) await client.create(widget(name, "red"));
  }

  async close(): Promise<void> {
    for (const replica of this.#all) await replica.end();
    await this.#leases?.stop();
    await this.#written?.stop();
    await this.#closeClient?.();
    await this.#environment.stop();
    this.#audit.remove();
  }

  /** Starts another replica. Resolves when it is ready. */
  async add(): Promise<Replica> {
    const name = `replica-${this.#all.length}`;
    const manager = {
      leaderElection: true,
      leaderElectionID: "replicas",
      leaderElectionNamespace: "default",
      ...this.#lease,
    };
    const config = await this.#environment.addUser(name, ["system:masters"]);
    const replica = await Replica.start({ name, config, manager, pause });
    this.#all.push(replica);
    await eventually(async () => {
      if (!(await replica.isReady())) throw new Error(`${name} isn't ready: ${replica.output}`);
    }, maxWait);
    return replica;
  }

  /** Returns the holder of the lease. */
  get holder(): string {
    return termsOf(this.#leases?.moments ?? []).at(-1)?.leader ?? "";
  }

  /** Returns the number of terms so far. */
  get terms(): number {
    return termsOf(this.#leases?.moments ?? []).filter(({ leader }) => leader !== "").length;
  }

  /** Returns the times of all renewals, by the clocks of their writers. */
  get renewTimes(): number[] {
    return (this.#leases?.moments ?? []).map(({ object }) => Date.parse(object.spec?.renewTime ?? ""));
  }

  /** Returns the writes of leaders so far, in the server's order. */
  get written(): readonly Moment<ConfigMap>[] {
    return (this.#written?.moments ?? []).filter(({ object }) => object.data?.writer !== undefined);
  }

  /** Returns the writes of replicas that didn't hold the lease at that time. */
  get writesWithoutLease(): string[] {
    const terms = termsOf(this.#leases?.moments ?? []);
    const byWriter = this.written.map(
      ({ version, object }) => [object.data?.writer, leaderAt(terms, version)] as const,
    );
    return byWriter.filter(([writer, leader]) => writer !== leader).map((pair) => pair.join(" wrote in the term of "));
  }

  /** Returns the modifying requests of a replica, from the audit log. */
  writesOf({ name }: Replica): Write[] {
    return this.#audit.writesOf(name);
  }

  /** Waits until a replica other than `except` has written as the holder of the lease, and returns it. */
  async leader({ except }: { except?: Replica } = {}): Promise<Replica> {
    let leader: Replica | undefined;
    await eventually(() => {
      const { holder } = this;
      leader = this.#all.find(({ name, isRunning }) => name === holder && isRunning);
      if (!leader || leader === except) throw new Error(`no leader found: the lease belongs to ${holder}`);
    }, maxWait);
    await this.worksOn(leader as Replica);
    return leader as Replica;
  }

  /** Waits until a replica has written both objects again. */
  async worksOn({ name }: Replica): Promise<void> {
    const count = () => this.written.filter(({ object }) => object.data?.writer === name).length;
    const before = count();
    await eventually(() => {
      if (count() < before + 4) throw new Error(`${name} doesn't work`);
    }, maxWait);
  }
}
