// computeStatus beside the Go module that Helm and Flux use.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { computeStatus } from "@kubewright/runtime";
import { expect, it } from "vitest";
import { RandomObjects } from "./objects.ts";

const count = 10_000;

it(`${count} objects have the status, reason and message of the Go module`, () => {
  const random = new RandomObjects(1);
  const objects = Array.from({ length: count }, () => random.next());
  const output = execFileSync("go", ["run", "."], {
    cwd: join(import.meta.dirname, "oracle"),
    // The module requires a newer Go than the other references.
    env: { ...process.env, GOTOOLCHAIN: "go1.27.0" },
    input: objects.map((object) => `${JSON.stringify(object)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  const answers = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as ReturnType<typeof computeStatus>);
  expect(answers).toHaveLength(count);
  const different = objects.flatMap((object, index) => {
    const result = computeStatus(object);
    // Our message names the field that has a wrong type.
    const ours = result.status === "Unknown" ? { ...result, message: "" } : result;
    return JSON.stringify(ours) === JSON.stringify(answers[index]) ? [] : [{ object, ours, go: answers[index] }];
  });
  expect(different.slice(0, 5)).toEqual([]);
  for (const status of ["InProgress", "Current", "Failed", "Terminating", "Unknown"]) {
    expect(answers.filter((answer) => answer.status === status).length, status).toBeGreaterThan(50);
  }
});
