import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { packedPackages } from "./packed-packages.ts";

const { home, env, npm, install } = packedPackages();
beforeAll(() => install());

it("npx runs the packed tarballs in the directory into which they were installed", async () => {
  await must("npx", ["--no-install", "scaffold", "init", "--domain", "example.com", "--project-name", "here"], {
    cwd: home,
    env,
  });
  expect(existsSync(join(home, "PROJECT"))).toBe(true);
  await npm(home, "run", "build");
});
