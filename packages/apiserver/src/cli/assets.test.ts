import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createAssets } from "./assets.ts";

it("the executables of a version serve it, and etcd has no version", () => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-assets-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  createAssets(directory, "1.36");
  expect(readFileSync(join(directory, "kube-apiserver"), "utf8")).toContain(" --kubernetes-version=1.36 ");
  expect(readFileSync(join(directory, "etcd"), "utf8")).not.toContain("kubernetes-version");
  createAssets(directory);
  expect(readFileSync(join(directory, "kube-apiserver"), "utf8")).not.toContain("kubernetes-version");
});
