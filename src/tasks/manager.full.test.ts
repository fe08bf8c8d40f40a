import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { stubPackages } from "../../scripts/test-support/stub-packages.ts";
import { runCli } from "../cli/test-support/run-cli.ts";
import { initProject } from "../scaffold/test-support/game.ts";
import { testDirectory } from "../scaffold/test-support/tree.ts";

it.runIf(process.platform !== "win32")("run waits until the manager has shut down", async () => {
  const root = testDirectory();
  await initProject(root);
  stubPackages(
    root,
    `import { writeFileSync } from "node:fs";
process.on("SIGTERM", () => setTimeout(() => { writeFileSync("told", "ended by itself"); process.exit(0); }, 7000));
setInterval(() => {}, 1000);
writeFileSync("told", "running");`,
  );
  const marker = join(root, "told");
  const controller = new AbortController();
  const end = runCli(root, ["run"], { signal: controller.signal, env: { PATH: process.env.PATH ?? "" } });
  await vi.waitUntil(() => existsSync(marker), 60_000);
  controller.abort();
  expect(await end).toMatchObject({ code: 0 });
  expect(readFileSync(marker, "utf8")).toBe("ended by itself");
});
