import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildFromGo, cannotBuild } from "./go-build.ts";
import { createProgress } from "./progress.ts";

it("setup-envtest builds a server from the locked Go modules, and leaves no other files", async () => {
  expect(cannotBuild()).toBeUndefined();
  const directory = mkdtempSync(join(tmpdir(), "kubewright-go-build-"));
  try {
    await buildFromGo(["etcd"], directory, createProgress(), new AbortController().signal);
    expect(readdirSync(directory)).toEqual(["etcd"]);
    expect(execFileSync(join(directory, "etcd"), ["--version"], { encoding: "utf8" })).toContain("etcd Version: 3.6.8");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
