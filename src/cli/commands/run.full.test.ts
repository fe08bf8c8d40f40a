import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "../test-support/run-cli.ts";

it("gives a manager the time that it needs to end", async () => {
  const root = testDirectory();
  mkdirSync(join(root, "hack"));
  writeFileSync(join(root, "PROJECT"), "");
  writeFileSync(
    join(root, "hack/tasks.mjs"),
    `import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => setTimeout(() => { writeFileSync("told", "ended by itself"); process.exit(0); }, 7000));
setInterval(() => {}, 1000);
writeFileSync("told", "running");`,
  );
  const marker = join(root, "told");
  const controller = new AbortController();
  const end = runCli(root, ["run"], { signal: controller.signal });
  await vi.waitUntil(() => existsSync(marker), 30_000);
  controller.abort();
  expect(await end).toMatchObject({ code: 0 });
  expect(readFileSync(marker, "utf8")).toBe("ended by itself");
}, 90_000);
