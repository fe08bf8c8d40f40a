import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findBinary } from "./binaries.ts";
import { binaryName, defaultStoreDirectory, goArch, goOs, storedReleases } from "./setup/store.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-binaries-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(directory: string, ...names: string[]): string {
  mkdirSync(join(root, directory), { recursive: true });
  for (const name of names) writeFileSync(join(root, directory, binaryName(name)), "");
  return join(root, directory);
}
const platform = `${goOs()}-${goArch()}`;

it("findBinary searches TEST_ASSET_<NAME>, KUBEBUILDER_ASSETS, the option and the store, in this order", () => {
  const store = join(root, "store");
  const stored = put(`store/1.36.3-${platform}`, "etcd", "kube-apiserver");
  const option = put("option", "kube-apiserver");
  const assets = put("assets", "kube-apiserver");
  const own = join(put("own", "mine"), binaryName("mine"));
  const name = "kube-apiserver";
  const file = binaryName(name);
  const env = { TEST_ASSET_KUBE_APISERVER: own, KUBEBUILDER_ASSETS: assets };
  expect(findBinary(name, { env, binaryAssetsDirectory: option, store })).toBe(own);
  const { KUBEBUILDER_ASSETS } = env;
  expect(findBinary(name, { env: { KUBEBUILDER_ASSETS }, binaryAssetsDirectory: option, store })).toBe(
    join(assets, file),
  );
  expect(findBinary(name, { env: {}, binaryAssetsDirectory: option, store })).toBe(join(option, file));
  expect(findBinary(name, { env: {}, store })).toBe(join(stored, file));
});

it("findBinary returns setup-envtest's default release, or else the newest release that has the binary", () => {
  const store = join(root, "store");
  const required = ["etcd", "kube-apiserver"] as const;
  put(`store/1.99.0-${platform}`, ...required);
  const manager = put(`store/1.98.0-${platform}`, ...required, "kube-controller-manager");
  expect(findBinary("etcd", { env: {}, store })).toContain("1.99.0");
  expect(findBinary("kube-controller-manager", { env: {}, store })).toContain(manager);
  put(`store/1.37.2-${platform}`, ...required);
  expect(findBinary("etcd", { env: {}, store })).toContain("1.37.2");
});

it("findBinary takes only releases of the requested minor version", () => {
  const store = join(root, "store");
  put(`store/1.37.2-${platform}`, "etcd", "kube-apiserver");
  const options = { env: {}, store, kubernetesVersion: "1.36" };
  expect(() => findBinary("etcd", options)).toThrow("run `npx setup-envtest use 1.36`");
  put(`store/1.36.3-${platform}`, "etcd", "kube-apiserver");
  expect(findBinary("etcd", options)).toContain("1.36.3");
});

it("findBinary reports the variable whose path doesn't exist, and a command that installs the servers", () => {
  const env = { KUBEBUILDER_ASSETS: join(root, "none") };
  expect(() => findBinary("etcd", { env })).toThrow(
    /etcd not found: KUBEBUILDER_ASSETS refers to .*setup-envtest use`/,
  );
  expect(() => findBinary("kube-controller-manager", { env: {}, store: join(root, "empty") })).toThrow(
    /TEST_ASSET_KUBE_CONTROLLER_MANAGER .*setup-envtest use --controller-manager`/,
  );
});

it("storedReleases skips incomplete releases, and sorts by number", () => {
  put(`store/1.9.0-${platform}`, "etcd", "kube-apiserver");
  put(`store/1.10.0-${platform}`, "etcd", "kube-apiserver");
  put(`store/1.11.0-${platform}`, "etcd");
  put("store/other", "etcd", "kube-apiserver");
  expect(storedReleases(join(root, "store")).map(({ version }) => version)).toEqual(["1.10.0", "1.9.0"]);
});

it("defaultStoreDirectory returns the store of Go's setup-envtest", () => {
  expect(defaultStoreDirectory({ XDG_DATA_HOME: "/data" }, "linux")).toBe(join("/data", "kubebuilder-envtest", "k8s"));
  expect(defaultStoreDirectory({}, "darwin")).toMatch(/io\.kubebuilder\.envtest.k8s$/);
  expect(defaultStoreDirectory({ LocalAppData: "/local" }, "win32")).toBe(join("/local", "kubebuilder-envtest", "k8s"));
});
