import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { installTools } from "../../tasks/test-support/tools.ts";
import { runCli } from "../test-support/run-cli.ts";

it("waits as long as the manager takes to shut down", async () => {
  const root = testDirectory();
  await initProject(root);
  installTools(root).manager(`import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => setTimeout(() => { writeFileSync("told", "ended by itself"); process.exit(0); }, 7000));
setInterval(() => {}, 1000);
writeFileSync("told", "running");`);
  const told = join(root, "told");
  const controller = new AbortController();
  const env = { PATH: process.env.PATH ?? "" };
  const end = runCli(root, ["run"], { signal: controller.signal, env });
  await vi.waitUntil(() => existsSync(told), 30_000);
  controller.abort();
  expect(await end).toMatchObject({ code: 0 });
  expect(readFileSync(told, "utf8")).toBe("ended by itself");
}, 90_000);
