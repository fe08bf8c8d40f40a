import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

/** Learns values of Secrets, and prints how many more sets 30,000 further values leave. */
const program = `
import { queryObjects } from "node:v8";
import { SecretValues } from "${new URL("./secret-values.ts", import.meta.url).href}";
const values = new SecretValues();
const learn = (count, name) => {
  for (let number = 0; number < count; number++) {
    const value = Buffer.from(number.toString(36).padStart(6, "0") + "-" + name + "-value").toString("base64");
    values.learn({ apiVersion: "v1", kind: "Secret", metadata: { name }, data: { value } });
  }
};
learn(10_000, "first");
const before = Number(queryObjects(Set, { format: "count" }));
learn(30_000, "second");
console.log(Number(queryObjects(Set, { format: "count" })) - before);
`;

// In a process of its own, because objects are counted slowly in the large memory of the other tests.
it("values of Secrets that rotate don't fill the memory", ({ task }) => {
  const args = ["--import", "tsx", "--input-type=module", "--eval", program];
  expect(Number(execFileSync(process.execPath, args, { encoding: "utf8" }))).toBeLessThan(1000);
  (task.meta as { attempts?: number }).attempts = 40_000;
});
