// The credentials of the cluster's administrator must not stay in the project.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { existingCluster } from "./existing.ts";

const runtime = vi.hoisted(() => ({ current: undefined as unknown }));
vi.mock("../client/packages.ts", async (original) => ({
  ...(await original<object>()),
  runtimeOf: () => runtime.current,
}));

it("the kubeconfig is removed at the end of a session, and if the cluster can't be used", async () => {
  runtime.current = await import("@kubewright/runtime");
  const root = mkdtempSync(join(tmpdir(), "kubewright-dev-"));
  const server = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = join(root, "dev.kubeconfig");
  const open = () => {
    const config = {
      clusters: [{ name: "c", cluster: { server: url } }],
      users: [{ name: "u", user: { token: "x" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    writeFileSync(join(root, "config"), JSON.stringify(config));
    const existing = existingCluster({ KUBECONFIG: "config" }, root);
    writeFileSync(path, existing.kubeconfig);
    return existing.open(root, path, new AbortController().signal);
  };
  try {
    const cluster = await open();
    expect(existsSync(path)).toBe(true);
    await cluster.stop();
    expect(existsSync(path)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    await expect(open()).rejects.toThrow("can't be used");
    expect(existsSync(path)).toBe(false);
  } finally {
    server.close();
    rmSync(root, { recursive: true, force: true });
  }
});
