import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { existingCluster } from "./existing.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-dev-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function read(server: string) {
  const config = {
    clusters: [{ name: "c", cluster: { server, "certificate-authority": "ca.crt" } }],
    users: [{ name: "u", user: { token: "x" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  writeFileSync(join(root, "config"), JSON.stringify(config));
  return existingCluster({ KUBECONFIG: "config" }, root);
}

it.each([
  ["https://127.0.0.1:6443", true],
  ["https://127.1.2.3:6443", true],
  ["https://localhost:6443", true],
  ["https://[::1]:6443", true],
  // k3d and Docker Desktop.
  ["https://0.0.0.0:39001", true],
  ["https://kubernetes.docker.internal:6443", true],
  ["https://10.0.0.1:6443", false],
  ["https://127.0.0.1.example.com", false],
  ["https://localhost.example.com", false],
  ["https://api.example.com", false],
  ["", false],
])("the server %s is on this machine: %s", (server, isLocal) => expect(read(server).isLocal).toBe(isLocal));

it("the kubeconfig for the manager has absolute paths", () => {
  expect(JSON.parse(read("https://10.0.0.1:6443").kubeconfig)).toMatchObject({
    clusters: [{ cluster: { "certificate-authority": join(root, "ca.crt") } }],
    users: [{ name: "u" }],
    "current-context": "x",
  });
});
