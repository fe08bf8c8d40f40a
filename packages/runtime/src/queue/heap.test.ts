import { expect, it } from "vitest";
import { seededRandom } from "../json/random.fixture.ts";
import { Heap } from "./heap.ts";

interface Item {
  value: number;
  position: number;
}

it("Heap keeps the first item at the top over random puts, moves and removals", () => {
  const random = seededRandom(20261122);
  const heap = new Heap<Item>((a, b) => a.value < b.value, "position");
  const expected = new Set<Item>();
  for (let step = 0; step < 20_000; step++) {
    const items = [...expected];
    const chosen = items[Math.floor(random() * items.length)];
    const action = random();
    if (!chosen || action < 0.4) {
      const item = { value: Math.floor(random() * 1000), position: -1 };
      heap.put(item);
      expected.add(item);
    } else if (action < 0.6) {
      chosen.value = Math.floor(random() * 1000);
      heap.put(chosen);
    } else {
      heap.remove(chosen);
      heap.remove(chosen);
      expected.delete(chosen);
    }
    expect(heap.size).toBe(expected.size);
    expect(heap.peek()?.value ?? null).toBe(expected.size > 0 ? Math.min(...[...expected].map((i) => i.value)) : null);
  }
});
