import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fullTest } from "../../../scripts/test-support/full-test.ts";
import { testDirectory } from "../../../scripts/test-support/tree.ts";
import { checkMachine } from "./machine.ts";

/** Returns the check of make, which is this script. */
async function checkOfMake(script: string): Promise<object | undefined> {
  const path = testDirectory();
  writeFileSync(join(path, "make"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const context = { env: { PATH: path }, cwd: testDirectory(), signal: new AbortController().signal };
  return (await checkMachine(context)).find(({ id }) => id === "make");
}

it("a tool that fails isn't reported as missing", async () => {
  expect(await checkOfMake("exit 3")).toEqual({
    id: "make",
    status: "notice",
    message: "make not checked: it ends with exit code 3",
    hint: "run make --version to see why",
  });
});

fullTest("a tool that is too slow isn't reported as missing", async () => {
  const message = "make not checked: it doesn't answer within 6 s";
  expect(await checkOfMake(`exec '${process.execPath}' -e 'setTimeout(() => {}, 60_000)'`)).toMatchObject({ message });
});
