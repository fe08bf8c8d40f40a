// The availability of webhooks while their certificate is renewed and while one version of an operator takes the place of another.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../lib/eventually.ts";
import { minute } from "../webhook-certs/cluster.ts";
import { startCalls, summaryOf } from "./load.ts";
import { Game, GameV2, Operator } from "./operator.ts";

/** Milliseconds until every node has heard that a Pod is going: a second is usual. */
const lag = 1500;
const games = ["one", "two", "three", "four", "five"];

const operator = new Operator();
beforeAll(async () => {
  await operator.open();
  for (const replica of [await operator.start("one"), await operator.start("one")]) await operator.enter(replica);
  for (const name of games) await operator.cluster.client.create(operator.game(name));
}, 5 * minute);
afterAll(() => operator.close(), minute);

/** Twenty reviews a second, by a defaulter and a validator, and five conversions. */
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

/** The leader of a version has written onto every Game, so often. */
const allWrittenBy = (version: string): Promise<void> =>
  eventually(async () => {
    const { items } = await operator.cluster.client.list(Game, { namespace: "default" });
    expect(items.map(({ metadata }) => metadata.annotations?.version)).toEqual(games.map(() => version));
  }, minute);

/** As a Deployment of two replicas does: one more comes, then one goes, until all are new. */
async function roll(version: "one" | "two"): Promise<void> {
  const old = [...operator.replicas];
  for (const replica of old) {
    await operator.enter(await operator.start(version));
    expect(await operator.delete(replica, lag), replica.process.output).toBe(0);
  }
}

describe("webhooks at 20 reviews a second", { sequential: true }, () => {
  it(
    "no call fails while the certificate is renewed, three times",
    async () => {
      await allWrittenBy("one");
      const load = startLoad();
      for (let turn = 0; turn < 3; turn++) {
        await operator.rotate();
        // Every replica has looked at the Secret since.
        await sleep(3000);
      }
      await load.stop("renewal of the certificate");
    },
    3 * minute,
  );

  it(
    "no call fails while the next version of the operator, with its CRD, takes the place of the old one",
    async () => {
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
    },
    4 * minute,
  );

  it(
    "no call fails while the version before comes back, and the certificate is renewed amidst it",
    async () => {
      const load = startLoad();
      const rolling = roll("one");
      await operator.rotate();
      await rolling;
      await allWrittenBy("one");
      await load.stop("roll-back and renewal");
    },
    4 * minute,
  );

  it("at no time two leaders have written", () => {
    const { strange, count } = operator.written();
    expect(strange).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
