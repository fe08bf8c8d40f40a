import { describe, expect, it } from "vitest";
import { TestWorld } from "./group.fixture.ts";

/** Each object has one owner, and never had two. */
function expectOwned(world: TestWorld): void {
  expect([world.unowned, world.conflicts]).toEqual([[], []]);
}

const member = (name: string) => `op-${name}`;

describe("the table", () => {
  it("rule 9: the leader creates it after leaseDuration, and gives each member an equal share", async () => {
    const world = new TestWorld();
    world.add();
    world.add();
    await world.advance(14_900);
    expect(world.cluster.leases.has("op-shards")).toBe(false);
    await world.advance(4000);
    expect(world.table).toEqual([
      { owner: "p0", objects: 500 },
      { owner: "p1", objects: 500 },
    ]);
    expect(world.shares).toEqual([500, 500]);
    expectOwned(world);
  });

  it("rule 9: no process creates it without a leader", async () => {
    const world = new TestWorld();
    const process = world.add();
    process.isLeader = false;
    await world.advance(60_000);
    expect(world.cluster.leases.has("op-shards")).toBe(false);
  });

  it("rule 9: all members end if somebody deletes it", async () => {
    const world = new TestWorld();
    const processes = await world.settled(2);
    world.cluster.remove("op-shards");
    await world.advance(1000);
    for (const { error, keys } of processes) {
      expect([error?.message, keys]).toEqual(["shard membership lost: the table was deleted", []]);
    }
  });

  it("all members end with one line if its annotation isn't valid", async () => {
    const world = new TestWorld();
    const [process] = await world.settled(1);
    const lease = world.cluster.leases.get("op-shards")!;
    const annotations = { ...lease.metadata.annotations, "sharding.kubewright.io/ranges": "[]" };
    world.cluster.put({ ...lease, metadata: { ...lease.metadata, annotations } });
    await world.advance(1000);
    expect(process!.error?.message).toBe("the table of shards ends at 0x0000000000000000");
  });

  it("a process with another key ends while members use it, and replaces it after scaling to zero", async () => {
    const world = new TestWorld();
    const [old] = await world.settled(1);
    const settings = { key: "uid" as const, tolerance: 0.1, drainTimeout: 30_000 };
    const early = world.add({ settings });
    await world.advance(5000);
    expect(early.error?.message).toBe(
      'sharding.key is "uid", but the running replicas use "namespace": scale to zero replicas to change it',
    );
    expect(old!.error).toBeUndefined();
    await Promise.all([old!.leave(), world.advance(1000)]);
    world.processes.splice(0);
    world.add({ settings });
    await world.advance(30_000);
    expect(world.cluster.leases.get("op-shards")!.metadata.annotations).toMatchObject({
      "sharding.kubewright.io/key": "uid",
    });
    expectOwned(world);
  });
});

describe("joining and leaving", () => {
  it("growing from 1 to 2 and 5 members moves ranges until all are balanced", async () => {
    const world = new TestWorld();
    await world.settled(1);
    world.add();
    await world.advance(30_000);
    expect(Math.max(...world.shares)).toBeLessThanOrEqual(550);
    for (let count = 0; count < 3; count++) world.add();
    await world.advance(60_000);
    for (const share of world.shares) expect(Math.abs(share - 200)).toBeLessThanOrEqual(20);
    expectOwned(world);
  });

  it("a process takes nothing in its first five seconds", async () => {
    const world = new TestWorld();
    await world.settled(1);
    const second = world.add();
    await world.advance(4800);
    expect(second.group.hasJoined).toBe(false);
    expect(world.table.map(({ owner }) => owner)).toEqual(["p0"]);
    await world.advance(20_000);
    expect([second.group.hasJoined, second.keys.length > 0]).toEqual([true, true]);
  });

  it("SIGTERM: a leaving member gives its objects to the others in two seconds, and deletes its Lease", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(4);
    const left = second!.leave();
    await world.advance(2000);
    await left;
    world.processes.splice(1, 1);
    expect(world.cluster.leases.has(member("p1"))).toBe(false);
    expectOwned(world);
    await world.advance(30_000);
    for (const share of world.shares) expect(Math.abs(share - 333)).toBeLessThanOrEqual(40);
  });

  it("SIGTERM: a member that deletes its own Lease hasn't lost it, also if the answer is late", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(2);
    second!.connection.isSlow = true;
    const left = second!.leave();
    await world.advance(9000);
    expect(second!.error).toBeUndefined();
    second!.connection.isSlow = false;
    await world.advance(1000);
    await left;
    expect(world.cluster.leases.has(member("p1"))).toBe(false);
  });

  it("a rolling update leaves no object without an owner for more than two seconds", async () => {
    const world = new TestWorld();
    await world.settled(3);
    for (let round = 0; round < 3; round++) {
      world.add();
      await world.advance(20_000);
      const [first] = world.processes;
      const left = first!.leave();
      await world.advance(2000);
      await left;
      first!.isLeader = false;
      world.processes.shift();
      world.processes[0]!.isLeader = true;
      expectOwned(world);
    }
    await world.advance(20_000);
    expectOwned(world);
  });

  it("the last member releases everything, and the next one continues from the table", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    await Promise.all([first!.leave(), world.advance(1000)]);
    world.processes.splice(0);
    expect(world.table).toEqual([{ owner: "", objects: 1000 }]);
    world.add();
    await world.advance(8000);
    expectOwned(world);
  });
});

describe("never two owners", () => {
  it("rule 2: nothing starts and nothing is written after renewDeadline without a renewal, and the process ends", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(2);
    second!.connection.isDown = true;
    await world.advance(7000);
    expect(second!.group.mayWrite).toBe(true);
    await world.advance(3500);
    expect([second!.group.mayWrite, second!.keys]).toEqual([false, []]);
    await world.advance(2000);
    expect(second!.error?.message).toBe("shard membership lost");
  });

  it("rule 2: after a jump of the wall clock by more than renewDeadline, it renews first", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    first!.clock.skew += 11_000;
    expect([first!.group.mayWrite, first!.keys]).toEqual([false, []]);
    await world.advance(2500);
    expect(first!.group.mayWrite).toBe(true);
    expectOwned(world);
  });

  it("rule 2: a machine whose monotonic clock stood still finds its Lease deleted, and writes nothing", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(2);
    second!.clock.isSuspended = true;
    const before = world.clock.now();
    await world.advance(25_000);
    second!.clock.stoodStill = world.clock.now() - before;
    second!.clock.resume();
    expect(second!.group.mayWrite).toBe(false);
    await world.advance(3000);
    expect(second!.error?.message).toBe("shard membership lost");
    world.processes.splice(1, 1);
    expectOwned(world);
  });

  it("rule 3: a range moves only after its last reconcile, and nothing new starts in it", async () => {
    const world = new TestWorld(40);
    const [first] = await world.settled(1);
    const ends = [...world.objects.keys()].map((key) => first!.reconcile(key));
    world.add();
    await world.advance(10_000);
    expect(world.table.map(({ owner }) => owner)).toEqual(["p0"]);
    expect(first!.keys.length).toBeLessThan(25);
    for (const end of ends) end();
    await world.advance(5000);
    expect(new Set(world.table.map(({ owner }) => owner))).toEqual(new Set(["p0", "p1"]));
    expectOwned(world);
  });

  it("rule 3: after drainTimeout, the signals abort, and a reconcile that ignores it keeps its range", async () => {
    const world = new TestWorld(40);
    const [first] = await world.settled(1);
    for (const key of world.objects.keys()) first!.reconcile(key);
    world.add();
    await world.advance(30_000);
    expect([...first!.signals.values()].some(({ aborted }) => aborted)).toBe(false);
    await world.advance(60_000);
    const aborted = [...first!.signals].filter(([, signal]) => signal.aborted).length;
    expect(aborted).toBe(20);
    expect(world.table.map(({ owner }) => owner)).toEqual(["p0"]);
    expect(first!.lines.filter((line) => line.startsWith("A range can't move"))).toEqual([
      'A range can\'t move, because reconciles ignore their signal {"reconciles":20,"member":"p0"}',
    ]);
    expect(world.conflicts).toEqual([]);
  });

  it("rule 3: after a write without a response, the owner waits before it gives the range away", async () => {
    const world = new TestWorld(40);
    const [first] = await world.settled(1);
    world.add();
    await world.advance(4750);
    first!.lastUnanswered = first!.clock.now();
    await world.advance(4500);
    expect(world.table.map(({ owner }) => owner)).toEqual(["p0"]);
    await world.advance(2000);
    expect(world.table.map(({ owner }) => owner)).toContain("p1");
  });

  it("rule 3: an update of the table whose response is lost counts as given away", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    first!.connection.losesAnswersTo = /update op-shards/;
    world.add();
    await world.advance(20_000);
    first!.connection.losesAnswersTo = undefined;
    await world.advance(20_000);
    expect(world.table.map(({ owner }) => owner)).toContain("p1");
    expectOwned(world);
  });

  it("rule 3: an update of the table that arrives late can't give away what its sender has started again", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    first!.connection.delays = /update op-shards/;
    world.add();
    await world.advance(12_000);
    expect(first!.connection.delayed.length).toBeGreaterThan(0);
    first!.connection.delays = undefined;
    await world.advance(5000);
    for (const arrive of first!.connection.delayed) expect(arrive).toThrow(/modified/);
    await world.advance(10_000);
    expectOwned(world);
  });

  it("rules 4 and 5: the objects of a killed member are owned again within 19 seconds, and not before 13", async () => {
    const world = new TestWorld();
    const processes = await world.settled(3);
    processes[1]!.kill();
    await world.advance(12_900);
    expect(world.unowned.length).toBeGreaterThan(20);
    await world.advance(6100);
    expect(world.cluster.leases.has(member("p1"))).toBe(false);
    expectOwned(world);
    await world.advance(30_000);
    for (const share of world.shares) expect(Math.abs(share - 500)).toBeLessThanOrEqual(50);
  });

  it("rule 4: members that start after all others were killed wait for leaseDuration after their own start", async () => {
    const world = new TestWorld();
    const processes = await world.settled(2);
    for (const process of processes) process.kill();
    for (const { metadata } of [...world.cluster.leases.values()]) {
      if (metadata.name !== "op-shards") world.cluster.remove(metadata.name);
    }
    world.add();
    await world.advance(14_900);
    expect(world.unowned).toHaveLength(100);
    await world.advance(4000);
    expectOwned(world);
  });

  it("rule 5: a member that renews isn't deleted by one whose view is old", async () => {
    const world = new TestWorld();
    const [first, second] = await world.settled(2);
    // The first one sees nothing, but its requests arrive.
    first!.clock.isSuspended = true;
    await world.advance(8000);
    first!.clock.resume();
    await world.advance(20_000);
    expect([first!.error, second!.error]).toEqual([undefined, undefined]);
    expectOwned(world);
  });

  it("rule 6: a process whose Lease is deleted ends, and the others take its ranges", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(2);
    world.cluster.remove(member("p1"));
    await world.advance(2500);
    expect([second!.error?.message, second!.keys]).toEqual(["shard membership lost", []]);
    world.processes.splice(1, 1);
    await world.advance(19_000);
    expectOwned(world);
  });

  it("rule 6: a conflict on renewal causes a read and a retry", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(1);
    for (let round = 0; round < 5; round++) {
      const lease = world.cluster.leases.get(member("p0"))!;
      world.cluster.put({
        ...lease,
        metadata: { ...lease.metadata, labels: { ...lease.metadata.labels, round: "x" } },
      });
      await world.advance(2000);
    }
    expect(first!.error).toBeUndefined();
    expect(first!.connection.requests).toContain(`get ${member("p0")}`);
    expectOwned(world);
  });

  it("rule 7: wall clocks that differ by an hour change nothing", async () => {
    const world = new TestWorld();
    const skews = [0, 3_600_000, -3_600_000];
    for (const skew of skews) world.add().clock.skew = skew;
    await world.advance(40_000);
    for (const share of world.shares) expect(Math.abs(share - 333)).toBeLessThanOrEqual(40);
    expectOwned(world);
  });

  it("a suspended process that resumes starts nothing, and its ranges belong to others", async () => {
    const world = new TestWorld();
    const [, second] = await world.settled(2);
    second!.clock.isSuspended = true;
    await world.advance(25_000);
    second!.clock.resume();
    expect([second!.keys, second!.group.mayWrite]).toEqual([[], false]);
    world.check();
    await world.advance(1000);
    expect(second!.error?.message).toBe("shard membership lost");
    world.processes.splice(1, 1);
    expectOwned(world);
  });
});

describe("balance", () => {
  it("a deviation of 2.5 × tolerance for five minutes moves ranges, a shorter one doesn't", async () => {
    const world = new TestWorld();
    const [first] = await world.settled(2);
    for (const key of first!.keys) world.objects.set(key, 20);
    await world.advance(250_000);
    expect(world.shares).toEqual([1000, 500]);
    await world.advance(80_000);
    expect(Math.max(...world.shares)).toBeLessThanOrEqual(830);
    expectOwned(world);
  });

  it("a namespace that prevents balance is named with a recommendation, once", async () => {
    const world = new TestWorld(3, (index) => (index === 0 ? 1000 : 1));
    await world.settled(3);
    await world.advance(60_000);
    const warnings = world.processes.flatMap(({ lines }) => lines.filter((line) => line.includes("prevent balance")));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^The objects of one namespace prevent balance: sharding.key "uid" divides them \{"namespace":"team-0","objects":1000/,
    );
  });

  it("a settled group writes once per member and retryPeriod, and doesn't write the table", async () => {
    const world = new TestWorld();
    const [first, second] = await world.settled(2);
    for (const { connection } of [first!, second!]) connection.requests.splice(0);
    await world.advance(60_000);
    expect(first!.connection.requests).toEqual(Array.from({ length: 30 }, () => `update ${member("p0")}`));
    expect(second!.connection.requests).toEqual(Array.from({ length: 30 }, () => `update ${member("p1")}`));
  });
});
