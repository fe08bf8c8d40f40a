import { hostname } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { KubeClient, KubeObject } from "../client/kube-client.ts";
import { newSessionIdentity, Takeover } from "./takeover.ts";

const name = "game.example.com";

/** Leases of a cluster, by namespace, whose writes can fail. */
class Leases {
  readonly holders = new Map<string, { holderIdentity: string; renewTime: string; leaseDurationSeconds: number }>();
  readonly failures = new Map<string, Error>();
  listFailure: Error | undefined;
  #lists = 0;

  /** Waits until the takeover has looked at all leases twice. */
  async rounds(): Promise<void> {
    const before = this.#lists;
    await expect.poll(() => this.#lists).toBeGreaterThan(before + 2);
  }

  hold(namespace: string, holderIdentity: string, age = 0): void {
    const renewTime = new Date(Date.now() - age).toISOString();
    this.holders.set(namespace, { holderIdentity, renewTime, leaseDurationSeconds: 15 });
  }

  holder(namespace: string): string | undefined {
    return this.holders.get(namespace)?.holderIdentity;
  }

  readonly client = {
    resourceOf: async () => ({ group: "coordination.k8s.io", version: "v1", plural: "leases", namespaced: true }),
    list: async () => {
      this.#lists++;
      if (this.listFailure) throw this.listFailure;
      return [...this.holders.keys()].map((namespace) => this.#object(namespace));
    },
    get: async (_resource: unknown, namespace: string) => {
      if (!this.holders.has(namespace)) throw Object.assign(new Error("not found"), { code: 404 });
      return this.#object(namespace);
    },
    request: async ({ path, body }: { path: string; body: { spec: never } }) => {
      const namespace = /namespaces\/([^/]+)\//.exec(path)?.[1] ?? "";
      const failure = this.failures.get(namespace);
      if (failure) throw failure;
      this.holders.set(namespace, body.spec);
    },
  } as unknown as KubeClient;

  #object(namespace: string): KubeObject {
    return { metadata: { namespace, name }, spec: { ...this.holders.get(namespace) } };
  }
}

let takeover: Takeover | undefined;
afterEach(() => takeover?.end());

async function begin(leases: Leases, { identity = newSessionIdentity(), takesOver = true } = {}) {
  const seen: string[] = [];
  takeover = new Takeover(
    leases.client,
    {
      onChange: ({ lease, from }, action) => void seen.push(`${action} ${lease} ${from}`),
      onProblem: (message) => void seen.push(message),
    },
    { identity, takesOver, renewTime: 10 },
  );
  await takeover.begin(name);
  return seen;
}

const own = () => expect.stringContaining(`kubewright-dev_${hostname()}_${process.pid}_`);

describe("leases", () => {
  it("of several namespaces are taken over and returned; one without a holder isn't", async () => {
    const leases = new Leases();
    leases.hold("a", "pod-a_1");
    leases.hold("b", "pod-b_1");
    leases.hold("free", "");
    leases.hold("expired", "pod-c_1", 60_000);
    const seen = await begin(leases);
    expect(seen).toEqual([`taken a/${name} pod-a_1`, `taken b/${name} pod-b_1`]);
    expect(takeover?.held).toHaveLength(2);
    expect(["a", "b", "free", "expired"].map((one) => leases.holder(one))).toEqual([own(), own(), "", "pod-c_1"]);
    await takeover?.end();
    expect(["a", "b"].map((one) => leases.holder(one))).toEqual(["", ""]);
    expect(seen.slice(2)).toEqual([`returned a/${name} pod-a_1`, `returned b/${name} pod-b_1`]);
    expect(takeover?.held).toEqual([]);
  });

  it("that can't be written are reported once, and the others are taken over", async () => {
    const leases = new Leases();
    leases.hold("a", "pod-a_1");
    leases.hold("b", "pod-b_1");
    leases.failures.set("a", Object.assign(new Error("forbidden"), { code: 403 }));
    const seen = await begin(leases);
    await expect.poll(() => leases.holders.get("b")?.renewTime).not.toBe(undefined);
    await leases.rounds();
    expect(seen).toEqual([`can't hold the lease a/${name}: forbidden`, `taken b/${name} pod-b_1`]);
    leases.failures.clear();
    await expect.poll(() => leases.holder("a")).toEqual(own());
  });

  it("can't be listed at first: they are taken over once that works", async () => {
    const leases = new Leases();
    leases.hold("a", "pod-a_1");
    leases.listFailure = new Error("no server");
    const seen = await begin(leases);
    leases.listFailure = undefined;
    await expect.poll(() => leases.holder("a")).toEqual(own());
    expect(seen).toEqual([`can't take over the lease ${name}: no server`, `taken a/${name} pod-a_1`]);
  });

  it("of an operator that starts later, or that wins its lease again, are taken over", async () => {
    const leases = new Leases();
    leases.hold("a", "pod-a_1");
    const seen = await begin(leases);
    leases.hold("a", "pod-a_2");
    leases.hold("later", "pod-b_1");
    await expect.poll(() => [leases.holder("a"), leases.holder("later")]).toEqual([own(), own()]);
    expect(seen).toEqual([`taken a/${name} pod-a_1`, `taken later/${name} pod-b_1`]);
  });

  it("of an operator whose clock is hours slow are taken over once they are renewed", async () => {
    const leases = new Leases();
    const hours = 5 * 3_600_000;
    leases.hold("slow", "pod-a_1", hours);
    leases.hold("dead", "pod-b_1", hours);
    const seen = await begin(leases);
    expect(seen).toEqual([]);
    leases.hold("slow", "pod-a_1", hours - 2000);
    await expect.poll(() => leases.holder("slow")).toEqual(own());
    expect(seen).toEqual([`taken slow/${name} pod-a_1`]);
    expect(leases.holder("dead")).toBe("pod-b_1");
  });

  it("of the manager of this session stay with it", async () => {
    const leases = new Leases();
    await begin(leases);
    leases.hold("a", `${hostname()}_1`);
    await leases.rounds();
    expect(leases.holder("a")).toBe(`${hostname()}_1`);
  });

  it.each([true, false])(
    "of a manager with the session's identity are released at the end (takeover: %s)",
    async (takesOver) => {
      const leases = new Leases();
      const identity = newSessionIdentity();
      leases.hold("a", "pod-a_1");
      const seen = await begin(leases, { identity, takesOver });
      leases.hold("own", identity);
      if (takesOver) await leases.rounds();
      expect(["a", "own"].map((one) => leases.holder(one))).toEqual([takesOver ? identity : "pod-a_1", identity]);
      await takeover?.end();
      expect(["a", "own"].map((one) => leases.holder(one))).toEqual([takesOver ? "" : "pod-a_1", ""]);
      expect(seen.filter((line) => line.includes("own/"))).toEqual([]);
    },
  );

  it("of another session stay with it, except if that was killed", async () => {
    const leases = new Leases();
    const others = {
      far: "kubewright-dev_other-host_1_x",
      near: `kubewright-dev_${hostname()}_${process.ppid}_x`,
      killed: `kubewright-dev_${hostname()}_999999999_x`,
      left: `kubewright-dev_${hostname()}_999999998_x`,
      old: `kubewright-dev_other-host_2_x`,
    };
    for (const [namespace, holder] of Object.entries(others))
      leases.hold(namespace, holder, ["left", "old"].includes(namespace) ? 60_000 : 0);
    const seen = await begin(leases);
    expect(Object.keys(others).map((key) => leases.holder(key))).toEqual([
      others.far,
      others.near,
      own(),
      own(),
      others.old,
    ]);
    expect(seen).toEqual([
      ...["far", "near"].map(
        (one) =>
          `can't take over the lease ${one}/${name}: another session of scaffold dev holds it, so that both reconcile`,
      ),
      `taken killed/${name} ${others.killed}`,
      // Its lease has ended, but the manager can't know that before it has observed it for 15 s.
      `taken left/${name} ${others.left}`,
    ]);
    // It doesn't fight about the lease: the other one began later.
    leases.hold("killed", others.far);
    await leases.rounds();
    expect(leases.holder("killed")).toBe(others.far);
    expect(takeover?.held).toEqual([{ lease: `left/${name}`, from: others.left }]);
  });

  it("that were deleted are forgotten, and those that can't be returned are reported", async () => {
    const leases = new Leases();
    leases.hold("a", "pod-a_1");
    leases.hold("b", "pod-b_1");
    const seen = await begin(leases);
    leases.holders.delete("a");
    leases.failures.set("b", new Error("no server"));
    await expect.poll(() => takeover?.held).toHaveLength(1);
    await takeover?.end();
    expect(seen.slice(2)).toEqual([
      `can't hold the lease b/${name}: no server`,
      `can't return the lease b/${name}, which ends in 15 s: no server`,
    ]);
  });
});
