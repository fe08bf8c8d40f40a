import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/json/random.fixture.ts";
import type { Replica } from "./replica.ts";
import { Replicas } from "./replicas.ts";

// KUBEWRIGHT_JUMPS=100 runs the long version. KUBEWRIGHT_SEED repeats a run.
const jumps = Number(process.env.KUBEWRIGHT_JUMPS ?? 12);
const seed = Number(process.env.KUBEWRIGHT_SEED ?? Date.now() % 1_000_000);
const random = seededRandom(seed);
const hour = 3_600_000;

const lease = { leaseDuration: 6000, renewDeadline: 4500, retryPeriod: 500 };
const maxWait = 60_000;

const replicas = new Replicas(lease);
let leader: Replica;
let standby: Replica;

beforeAll(async () => {
  console.info(`jumps of the wall clock: KUBEWRIGHT_SEED=${seed}`);
  await replicas.open();
  await replicas.add();
  leader = await replicas.leader();
  standby = await replicas.add();
});

afterAll(() => replicas.close());

/** Returns a distance of up to two days, forward or backward. */
const distance = (): number => Math.round((random() - 0.5) * 96 * hour);

describe("replicas whose wall clocks jump", { sequential: true }, () => {
  it(
    "M11: keep their leader and its work, whichever clock jumps",
    async () => {
      const turns: ((by: number) => void)[] = [
        (by) => leader.jump(by),
        (by) => standby.jump(by),
        (by) => {
          leader.jump(by);
          standby.jump(-by);
        },
      ];
      for (let turn = 0; turn < jumps; turn++) {
        turns[turn % turns.length]?.(distance());
        await replicas.worksOn(leader);
        // Long enough for a renewal with the new time, and for the standby to read it.
        await sleep(2 * lease.retryPeriod);
      }
      const isOff = (time: number): boolean => Math.abs(time - Date.now()) > hour;
      expect(replicas.renewTimes.filter(isOff).length).toBeGreaterThan(jumps / 3);
      expect(replicas.terms).toBe(1);
      expect(replicas.holder).toBe(leader.name);
      expect([leader.isRunning, standby.isRunning]).toEqual([true, true]);
      expect(replicas.writesOf(standby)).toEqual([]);
      expect(replicas.writesWithoutLease).toEqual([]);
    },
    maxWait + jumps * 10_000,
  );

  it("M11: wait a full lease duration after the last renewal if the standby's clock is ahead", async () => {
    leader.jump(-30 * hour);
    standby.jump(30 * hour);
    await replicas.worksOn(leader);
    await sleep(2 * lease.retryPeriod);
    leader.signal("SIGKILL");
    await leader.exited;
    expect(await replicas.leader({ except: leader })).toBe(standby);
    const renewals = (replica: Replica): number[] =>
      replicas
        .writesOf(replica)
        .filter(({ resource, code }) => resource === "leases" && code < 300)
        .map(({ at }) => at);
    const waited = (renewals(standby)[0] ?? 0) - (renewals(leader).at(-1) ?? Number.POSITIVE_INFINITY);
    expect(waited).toBeGreaterThanOrEqual(lease.leaseDuration);
    expect(replicas.writesWithoutLease).toEqual([]);
  });

  it("M11: take over although the standby's clock is days behind", async () => {
    const before = standby;
    const next = await replicas.add();
    next.jump(-72 * hour);
    before.jump(30 * hour);
    await replicas.worksOn(before);
    before.signal("SIGKILL");
    await before.exited;
    expect(await replicas.leader({ except: before })).toBe(next);
    expect(replicas.writesWithoutLease).toEqual([]);
  });
});
