import { readFileSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { defaultUserAgent, RUNTIME_VERSION } from "./user-agent.ts";

it("RUNTIME_VERSION is the version of the package", () => {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(RUNTIME_VERSION).toBe(manifest.version);
});

afterEach(() => vi.unstubAllEnvs());

it("defaultUserAgent contains the name of the project in a bundle, or else that of the script", () => {
  vi.stubEnv("KUBEWRIGHT_PROGRAM", "mygame");
  expect(defaultUserAgent()).toMatch(/^mygame\/\d/);
  vi.stubEnv("KUBEWRIGHT_PROGRAM", "a/b c");
  expect(defaultUserAgent()).toMatch(/^a_b_c\/\d/);
  vi.stubEnv("KUBEWRIGHT_PROGRAM", "");
  expect(defaultUserAgent()).not.toMatch(/^(mygame|a_b_c)/);
});
