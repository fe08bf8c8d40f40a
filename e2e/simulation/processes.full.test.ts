import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const program = at("../../packages/runtime/dist/simulation/main.js");

it("a simulation has the same finding with any number of processes", async () => {
  const findings = [];
  for (const processes of [1, 3]) {
    const options = JSON.stringify({ seeds: 200, processes });
    const child = fork(program, [options], { cwd: at("testdata/defective"), stdio: "ignore" });
    const [outcome] = (await once(child, "message")) as [{ findings: object[] }];
    findings.push(outcome.findings);
  }
  expect(findings[1]).toEqual(findings[0]);
  expect(findings[0]).toHaveLength(1);
});
