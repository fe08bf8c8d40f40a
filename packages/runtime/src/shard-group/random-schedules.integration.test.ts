import { expect, it } from "vitest";
import { seededNumbers } from "../json/random.fixture.ts";
import { TestWorld } from "./group.fixture.ts";

it("8 random schedules of starts, stops, kills, suspensions, partitions and lost responses never have two owners", async () => {
  for (let seed = 0; seed < 8; seed++) {
    const below = seededNumbers(seed);
    const world = new TestWorld(60);
    for (let count = 0; count < 2 + below(3); count++) world.add();
    await world.advance(20_000);
    for (let step = 0; step < 12; step++) {
      const process = world.processes[below(world.processes.length)]!;
      const { connection, clock } = process;
      switch (below(7)) {
        case 0:
          if (world.processes.length < 6) world.add();
          break;
        case 1:
          if (world.processes.length > 1) process.kill();
          break;
        case 2:
          clock.isSuspended = !clock.isSuspended;
          if (!clock.isSuspended) clock.resume();
          break;
        case 3:
          connection.isDown = !connection.isDown;
          break;
        case 4:
          connection.losesAnswersTo = connection.losesAnswersTo ? undefined : /update/;
          break;
        case 5:
          void process.leave();
          break;
        case 6:
          clock.skew = below(7_200_000) - 3_600_000;
      }
      await world.advance(500 + below(9000));
    }
    expect([seed, world.conflicts]).toEqual([seed, []]);
    for (const process of world.processes) {
      process.connection.isDown = false;
      process.connection.losesAnswersTo = undefined;
      if (process.clock.isSuspended) process.clock.resume();
    }
    for (const process of world.processes) process.isLeader = false;
    world.add().isLeader = true;
    await world.advance(60_000);
    expect([seed, world.conflicts, world.unowned]).toEqual([seed, [], []]);
  }
});
