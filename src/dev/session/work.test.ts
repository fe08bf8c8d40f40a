import { expect, it } from "vitest";
import { isSettings, PendingWork } from "./work.ts";

it("work that is put back is done together with later work, since its own first change", async () => {
  const pending = new PendingWork();
  pending.add({ files: ["b", "a"], demands: { restart: true }, since: 1 });
  const work = pending.take();
  expect(work).toEqual({ files: ["a", "b"], demands: { restart: true, generate: false, samples: false }, since: 1 });
  expect(pending.isEmpty).toBe(true);
  pending.add({ files: ["c"], demands: { samples: true }, since: 2 });
  pending.putBack(work);
  expect(pending.isEmpty).toBe(false);
  expect(pending.take()).toEqual({
    files: ["a", "b", "c"],
    demands: { restart: true, generate: false, samples: true },
    since: 1,
  });
});

it("a wait ends with the next work", async () => {
  const pending = new PendingWork();
  const wait = pending.wait();
  pending.add({ demands: { generate: true }, since: 0 });
  await wait;
  expect(pending.isEmpty).toBe(false);
});

it.each([
  ["src/main.ts", false],
  ["src/view.mts", false],
  ["config/samples/game.yaml", false],
  ["package.json", true],
  ["tsconfig.json", true],
  ["PROJECT", true],
  [".env.local", true],
  ["node_modules/.package-lock.json", true],
  ["../node_modules/lib/index.d.ts", true],
])("changes of some files can change which files others import: %s", (file, expected) => {
  expect(isSettings(file)).toBe(expected);
});
