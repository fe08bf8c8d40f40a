import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findBinary } from "./binaries.ts";
import { downloadedAssets } from "./download-assets.ts";
import { binaryName, goArch, goOs } from "./setup/store.ts";

function store(...versions: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const version of versions) {
    const release = join(directory, `${version}-${goOs()}-${goArch()}`);
    mkdirSync(release);
    for (const name of ["etcd", "kube-apiserver", "kubectl"]) writeFileSync(join(release, binaryName(name)), "");
  }
  return directory;
}

it("downloadedAssets uses an installed release that matches, and no other", async () => {
  const binaryAssetsDirectory = store("1.33.1", "1.34.2");
  const lookup = await downloadedAssets({ binaryAssetsDirectory, downloadBinaryAssetsVersion: "1.33" }, false);
  const release = join(binaryAssetsDirectory, `1.33.1-${goOs()}-${goArch()}`);
  expect(findBinary("etcd", lookup)).toBe(join(release, binaryName("etcd")));
});

it("downloadedAssets reports an invalid version and an unreachable index", async () => {
  const binaryAssetsDirectory = store();
  await expect(downloadedAssets({ binaryAssetsDirectory, downloadBinaryAssetsVersion: "new" }, false)).rejects.toThrow(
    "invalid downloadBinaryAssetsVersion new: it must be a version",
  );
  const nowhere = { downloadBinaryAssetsIndexURL: "http://127.0.0.1:1/releases.yaml" };
  await expect(
    downloadedAssets({ binaryAssetsDirectory, downloadBinaryAssetsVersion: "1.2.3", ...nowhere }, false),
  ).rejects.toThrow("127.0.0.1:1");
});
