import { describe, expect, it } from "vitest";
import { NoRoomError, type Place, Room } from "./room.ts";

const mebi = 1024 * 1024;
const longTime = 60_000;

/** Which of the places there is room for by now. */
async function ready(places: readonly Place[]): Promise<boolean[]> {
  const states = places.map(() => false);
  places.forEach(({ ready }, at) => {
    ready.then(
      () => {
        states[at] = true;
      },
      () => {},
    );
  });
  await new Promise(setImmediate);
  return states;
}

describe("room", () => {
  it("takes as many as fit, and the next in their order as others leave", async () => {
    const room = new Room(4 * mebi);
    const places = [2, 1, 1, 2, 1].map((size) => room.take(size * mebi, longTime));
    expect(await ready(places)).toEqual([true, true, false, false, false]);
    places[1]!.leave();
    expect(await ready(places)).toEqual([true, true, true, false, false]);
    // The fourth doesn't fit yet, and the fifth doesn't overtake it: what is large would wait for ever.
    places[2]!.leave();
    expect(await ready(places)).toEqual([true, true, true, false, false]);
    places[0]!.leave();
    expect(await ready(places)).toEqual([true, true, true, true, true]);
  });

  it("lets small ones pass while large ones wait", async () => {
    const room = new Room(4 * mebi);
    const large = [3, 3].map((size) => room.take(size * mebi, longTime));
    const small = Array.from({ length: 17 }, () => room.take(64 * 1024, longTime));
    expect(await ready(large)).toEqual([true, false]);
    expect((await ready(small)).filter(Boolean)).toHaveLength(16);
  });

  it("takes what is larger than all of it when nothing else is there", async () => {
    const room = new Room(mebi);
    const [first, second] = [10, 10].map((size) => room.take(size * mebi, longTime)) as [Place, Place];
    expect(await ready([first, second])).toEqual([true, false]);
    first.leave();
    expect(await ready([second])).toEqual([true]);
  });

  it("says after a while that there is none, and forgets who waited", async () => {
    const room = new Room(mebi);
    const first = room.take(mebi, longTime);
    const late = room.take(mebi, 10);
    await expect(late.ready).rejects.toThrow(
      new NoRoomError("too many requests are being answered: there was no room for 1048576 bytes within 10 ms"),
    );
    late.leave();
    const next = room.take(mebi, longTime);
    first.leave();
    expect(await ready([next])).toEqual([true]);
  });

  it("lets those behind pass when a large one gives up", async () => {
    const room = new Room(4 * mebi);
    const places = [2, 2, 1].map((size) => room.take(size * mebi, longTime));
    expect(await ready(places)).toEqual([true, false, false]);
    const gone = expect(places[1]!.ready).rejects.toThrow("broke off while it waited");
    places[1]!.leave();
    await gone;
    expect(await ready([places[2]!])).toEqual([true]);
  });

  it("counts a place that is left twice once", async () => {
    const room = new Room(4 * mebi);
    const [first] = [2, 1].map((size) => room.take(size * mebi, longTime));
    first!.leave();
    first!.leave();
    const places = [2, 1].map((size) => room.take(size * mebi, longTime));
    expect(await ready(places)).toEqual([true, false]);
  });

  it("doesn't let a crowd wait", async () => {
    const room = new Room(mebi);
    const places = Array.from({ length: 1001 }, () => room.take(mebi, longTime));
    const refused = room.take(mebi, longTime);
    await expect(refused.ready).rejects.toThrow("while 1000 others waited");
    for (const place of places) place.ready.catch(() => {});
    for (const place of places.toReversed()) place.leave();
  });
});
