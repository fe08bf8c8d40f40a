import { describe, expect, it } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import type { Logger } from "../log/logger.ts";
import { Connection, TestWorld } from "./group.fixture.ts";
import { UnshardedLeader } from "./unsharded-leader.ts";

const lines: string[] = [];
const log = {
  debug: () => {},
  info: (line: string, fields?: object) => void lines.push(`${line} ${JSON.stringify(fields)}`),
  error: (_error: unknown, line: string) => void lines.push(line),
} as unknown as Logger;

interface Takeover {
  /** When it may start, by the virtual clock. */
  startedAt: number | undefined;
  readonly connection: Connection;
}

/** Starts a leader without sharding. From its start on, it counts as the owner of all objects. */
function takeOver(world: TestWorld, connection = new Connection()): Takeover {
  world.foreignLeader = "old-replica";
  const result: Takeover = { startedAt: undefined, connection };
  const { clock } = world;
  lines.splice(0);
  const client = world.cluster.client(connection);
  const group = { namespace: "ns", id: "op" };
  const timing = { leaseDuration: 15_000, retryPeriod: 2000 };
  const leader = new UnshardedLeader({ ...timing, client, group, identity: "old-replica", clock, log });
  void leader.waitForRelease(new AbortController().signal).then(() => {
    result.startedAt = clock.now();
    // An object that a member still reconciles has two owners now.
    world.conflicts.push(...world.processes.flatMap(({ keys, signals }) => [...keys, ...signals.keys()]));
  });
  return result;
}

describe("a leader without sharding", () => {
  it("starts only when the members have released their ranges, which they take again after its end", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(2);
    const end = first!.reconcile(first!.keys[0]!);
    const { connection, ...leader } = takeOver(world);
    expect(leader.startedAt).toBeUndefined();
    await world.advance(20_000);
    expect(world.processes.map(({ keys }) => keys.length)).toEqual([0, 0]);
    expect(world.table.some(({ owner }) => owner === "p0")).toBe(true);
    expect(lines[0]).toBe('Waiting for replicas with sharding, which still own objects {"owners":"p0, p1"}');
    end();
    await world.advance(10_000);
    expect(world.conflicts).toEqual([]);
    expect(world.table.every(({ owner }) => owner === "")).toBe(true);
    expect(connection.requests.filter((request) => request.startsWith("update"))).toEqual(["update op-shards"]);
    world.foreignLeader = undefined;
    await world.advance(10_000);
    expect([world.conflicts, world.unowned]).toEqual([[], []]);
  });

  it("starts at once if no range has an owner, and a member that hasn't seen it takes none", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    await Promise.all([first!.leave(), world.advance(2000)]);
    const before = world.clock.now();
    const leader = takeOver(world);
    await world.advance(500);
    expect(leader.startedAt).toBe(before);
    const blind = world.add();
    blind.isBlind = true;
    await world.advance(60_000);
    expect([blind.keys, blind.error]).toEqual([[], undefined]);
    world.foreignLeader = undefined;
    blind.isLeader = true;
    await world.advance(10_000);
    expect(blind.keys).toHaveLength(100);
  });

  it("waits leaseDuration for an owner that was killed", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(2);
    first!.kill();
    const before = world.clock.now();
    const leader = takeOver(world);
    await world.advance(40_000);
    expect(leader.startedAt! - before).toBeGreaterThanOrEqual(15_000);
    expect(leader.startedAt! - before).toBeLessThanOrEqual(17_000);
    expect(world.conflicts).toEqual([]);
  });

  it("deletes the Lease of an owner that is suspended, so that it never starts again", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    first!.clock.isSuspended = true;
    const leader = takeOver(world);
    await world.advance(20_000);
    expect(leader.startedAt).toBeDefined();
    // The monotonic clock stood still, too, so only its Lease shows that time has passed.
    first!.clock.stoodStill = 20_000;
    first!.clock.resume();
    await world.advance(100);
    expect([first!.keys, first!.group.mayWrite]).toEqual([[], false]);
    await world.advance(5000);
    expect(first!.error?.message).toBe("shard membership lost");
  });

  it("waits leaseDuration for an owner whose Lease is gone, because its last renewal isn't known", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    first!.kill();
    world.cluster.remove("op-p0");
    const before = world.clock.now();
    const leader = takeOver(world);
    await world.advance(20_000);
    expect(leader.startedAt! - before).toBeGreaterThanOrEqual(15_000);
  });

  it("retries after failures, and starts at once without a table", async () => {
    const world = new TestWorld();
    const connection = new Connection();
    connection.isDown = true;
    const leader = takeOver(world, connection);
    await world.advance(30_000);
    expect([leader.startedAt, lines[0]]).toEqual([undefined, "Failed to wait for the release of the shards"]);
    connection.isDown = false;
    await world.advance(1000);
    expect(leader.startedAt).toBeDefined();
  });

  it("waits leaseDuration if it may not read the Leases", async () => {
    const world = new TestWorld();
    await world.settled(1);
    const connection = new Connection();
    connection.check = () => {
      throw ApiError.forbidden("Lease", "", "not allowed");
    };
    const before = world.clock.now();
    const leader = takeOver(world, connection);
    await world.advance(20_000);
    expect(leader.startedAt! - before).toBe(15_000);
    expect([lines, world.conflicts]).toEqual([
      ["The Leases of the shards aren't accessible: waiting for the duration of a Lease"],
      [],
    ]);
  });
});

it("a member is ready while a leader without sharding exists, so that a rolling update ends that one", async () => {
  const world = new TestWorld();
  world.foreignLeader = "old-replica";
  const member = world.add();
  await world.advance(10_000);
  expect([member.group.hasJoined, member.keys]).toEqual([true, []]);
  member.connection.isDown = true;
  await world.advance(10_000);
  expect(member.group.hasJoined).toBe(false);
});
