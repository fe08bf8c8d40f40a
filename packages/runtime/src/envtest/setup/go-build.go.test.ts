import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildFromGo, cannotBuild } from "./go-build.ts";
import { createProgress } from "./progress.ts";
import { BUILDABLE_VERSIONS } from "./versions.ts";

const etcdVersions: Readonly<Record<string, string>> = { "1.37.2": "3.7.0", "1.36.3": "3.6.8" };

it.each(BUILDABLE_VERSIONS)("setup-envtest builds %s from locked Go modules, and no other files", async (version) => {
  expect(cannotBuild()).toBeUndefined();
  const directory = mkdtempSync(join(tmpdir(), "kubewright-go-build-"));
  const versionOf = (name: string): string =>
    execFileSync(join(directory, name), ["--version"], { encoding: "utf8" }).split("\n")[0] as string;
  try {
    await buildFromGo(version, ["etcd", "kube-apiserver"], directory, createProgress(), new AbortController().signal);
    expect(readdirSync(directory)).toEqual(["etcd", "kube-apiserver"]);
    expect(versionOf("kube-apiserver")).toBe(`Kubernetes v${version}`);
    expect(versionOf("etcd")).toBe(`etcd Version: ${etcdVersions[version]}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
