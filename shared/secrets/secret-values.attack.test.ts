import { queryObjects } from "node:v8";
import { expect, it } from "vitest";
import { SecretValues } from "./secret-values.ts";

it("values of Secrets that rotate don't fill the memory", ({ task }) => {
  const values = new SecretValues();
  const learn = (count: number, name: string): void => {
    for (let number = 0; number < count; number++) {
      const value = Buffer.from(`${number.toString(36).padStart(6, "0")}-${name}-value`).toString("base64");
      values.learn({ apiVersion: "v1", kind: "Secret", metadata: { name }, data: { value } } as never);
    }
  };
  learn(10_000, "first");
  const before = Number(queryObjects(Set, { format: "count" }));
  learn(30_000, "second");
  expect(Number(queryObjects(Set, { format: "count" })) - before).toBeLessThan(1000);
  (task.meta as { attempts?: number }).attempts = 40_000;
});
