import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { codeCacheDirectory } from "./cache-directory.ts";

beforeEach(() => vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", undefined));
afterEach(() => void vi.unstubAllEnvs());

it("lies in the user's cache directory", () => {
  vi.stubEnv("XDG_CACHE_HOME", "/somewhere/cache");
  expect(codeCacheDirectory("/a/dist")).toMatch(/^\/somewhere\/cache\/kubewright\/code\/[0-9a-f]{8}-v[0-9.]+-\w+$/);
});

it("is in the home directory if XDG_CACHE_HOME isn't set", () => {
  vi.stubEnv("XDG_CACHE_HOME", "relative");
  const below = process.platform === "darwin" ? "Library/Caches" : ".cache";
  expect(codeCacheDirectory("/a/dist")).toContain(join(homedir(), below, "kubewright"));
});

it("is another one for each installation", () => {
  expect(codeCacheDirectory("/a/dist")).not.toBe(codeCacheDirectory("/b/dist"));
});

it("is nowhere when Node's own switch turns it off", () => {
  vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", "1");
  expect(codeCacheDirectory("/a/dist")).toBeUndefined();
});
