// Tests the availability of webhooks during the renewal of their certificate and during a rollout of another version.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { minute } from "../webhook-certs/cluster.ts";
import { startCalls, summaryOf } from "./load.ts";
import { Game, GameV2, Operator } from "./operator.ts";

/** Milliseconds until every node is notified about the end of a Pod, which usually takes a second. */
const lag = 1500;
const games = ["one", "two", "three", "four", "five"];

const operator = new Operator();
beforeAll(async () => {
  await operator.open();
  for (const replica of [await operator.start("one"), await operator.start("one")]) await operator.enter(replica);
  for (const name of games) await operator.cluster.client.create(operator.game(name));
});
afterAll(() => operator.close());

/** Starts 20 reviews per second, by a defaulter and a validator, and 5 conversions per second. */
function startLoad() {
  const { client } = operator.cluster;
  let number = 0;
  const reviews = startCalls(() => client.create(operator.game(`new-${number++}`), { dryRun: true }), 20);
  const conversions = startCalls(() => client.list(GameV2, { namespace: "default" }), 5);
  return {
    async stop(what: string) {
      const [reviewed, converted] = await Promise.all([reviews.stop(), conversions.stop()]);
      console.info(`${what}\n  ${summaryOf("reviews", reviewed)}\n  ${summaryOf("conversions", converted)}`);
      expect(reviewed.failed.slice(0, 3)).toEqual([]);
      expect(converted.failed.slice(0, 3)).toEqual([]);
      expect(reviewed.calls).toBeGreaterThan(50);
    },
  };
}

/** Waits until the leader of a version has written to every Game. */
const allWrittenBy = (version: string): Promise<void> =>
  eventually(async () => {
    const { items } = await operator.cluster.client.list(Game, { namespace: "default" });
    expect(items.map(({ metadata }) => metadata.annotations?.version)).toEqual(games.map(() => version));
  }, minute);

/** Replaces both replicas as a Deployment does: starts a new one before it deletes an old one. */
async function roll(version: "one" | "two"): Promise<void> {
  const old = [...operator.replicas];
  for (const replica of old) {
    await operator.enter(await operator.start(version));
    expect(await operator.delete(replica, lag), replica.process.output).toBe(0);
  }
}

describe("webhooks at 20 reviews per second", { sequential: true }, () => {
  it("don't fail during three renewals of the certificate", async () => {
    await allWrittenBy("one");
    const load = startLoad();
    for (let turn = 0; turn < 3; turn++) {
      await operator.rotate();
      // Every replica reads the Secret within this time.
      await sleep(3000);
    }
    await load.stop("renewal of the certificate");
  });

  it("don't fail during the rollout of a new version with another CRD", async () => {
    const load = startLoad();
    await operator.apply("two");
    await roll("two");
    await allWrittenBy("two");
    await load.stop("roll-out of another version");
    const created = await operator.cluster.client.create(operator.game("new"), { dryRun: true });
    expect([created.spec.level, created.metadata.labels]).toEqual(["easy", { defaulted: "two" }]);
    await expect(operator.cluster.create("refused-too")).rejects.toThrow("not this one");
    const { items } = await operator.cluster.client.list(GameV2, { namespace: "default" });
    expect(items.map(({ spec }) => spec.level)).toEqual(games.map(() => "easy"));
  });

  it("don't fail during a rollback with a simultaneous renewal of the certificate", async () => {
    const load = startLoad();
    const rolling = roll("one");
    await operator.rotate();
    await rolling;
    await allWrittenBy("one");
    await load.stop("roll-back and renewal");
  });

  it("never have two leaders that write at the same time", () => {
    const { strange, count } = operator.written();
    expect(strange).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
