import { describe, expect, it } from "vitest";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { candidate, LeaseServer } from "./election.fixture.ts";

const hour = 3_600_000;

/** A clock whose wall time can jump, as after a change by an administrator or NTP. Its monotonic time continues. */
class JumpingClock extends VirtualClock {
  #offset = 0;

  jump(milliseconds: number): void {
    this.#offset += milliseconds;
  }

  override date(): Date {
    return new Date(super.date().getTime() + this.#offset);
  }
}

describe.each([
  ["forward", hour],
  ["back", -hour],
])("a wall clock that jumps %s by an hour", (_, jump) => {
  it("M11: doesn't end the leadership, and doesn't move its deadline", async () => {
    const clock = new JumpingClock();
    const at = new LeaseServer();
    const { elector, stop, changes } = candidate("a", at, clock);
    await elector.acquire(stop.signal);
    const kept = elector.keep(stop.signal);
    clock.jump(jump);
    expect(elector.mayAct).toBe(true);
    await clock.advance(60_000);
    expect([elector.mayAct, changes]).toEqual([true, [true]]);
    at.isDown = true;
    clock.jump(jump);
    await clock.advance(7000);
    expect(elector.mayAct).toBe(true);
    await clock.advance(3000);
    expect(elector.mayAct).toBe(false);
    await clock.advance(2000);
    expect(await kept).toBe(false);
  });

  it("M11: doesn't shorten the lease duration for which a candidate waits", async () => {
    const clock = new JumpingClock();
    const at = new LeaseServer();
    const leader = candidate("a", at, clock);
    await leader.elector.acquire(leader.stop.signal);
    const { elector, stop } = candidate("b", at, clock);
    const won = elector.acquire(stop.signal);
    await clock.advance(1000);
    clock.jump(jump);
    await clock.advance(13_000);
    expect(at.lease?.spec?.holderIdentity).toBe("a");
    await clock.advance(4000);
    expect(await won).toBe(true);
  });

  it("M11: doesn't affect other candidates if it is the leader's clock", async () => {
    const [own, others] = [new JumpingClock(), new VirtualClock()];
    const at = new LeaseServer();
    const leader = candidate("a", at, own);
    own.jump(jump);
    await leader.elector.acquire(leader.stop.signal);
    const { elector, stop } = candidate("b", at, others);
    const won = elector.acquire(stop.signal);
    await others.advance(14_000);
    expect(at.lease?.spec?.holderIdentity).toBe("a");
    await others.advance(4000);
    expect(await won).toBe(true);
  });
});
