import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { RUNTIME_VERSION } from "./user-agent.ts";

it("knows the version of the package", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(RUNTIME_VERSION).toBe(manifest.version);
});
