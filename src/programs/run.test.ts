import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./run.ts";

it("many programs can run at the same time with one signal, without a warning of Node.js", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const { signal } = new AbortController();
  const options = { cwd: process.cwd(), env: process.env, signal };
  const ends = await Promise.all(Array.from({ length: 12 }, () => run("true", [], options)));
  await setImmediate();
  expect(ends.map(({ failed }) => failed)).toEqual(Array(12).fill(false));
  expect(warnings).toEqual([]);
});
