// Compares the responses of the embedded API server's executables with recorded responses of kube-apiserver.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRows } from "./runner/rows.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const issuer = "https://kubernetes.default.svc.cluster.local";
const rows = readRows();

// Each area has its own server, because servers forget old versions after five minutes.
describe.each([...new Set(rows.map(({ area }) => area))])("the same responses as from kube-apiserver: %s", (area) => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-rows-"));
  const tokens = join(directory, "tokens.csv");
  // The settings of the server whose responses were recorded.
  const environment = new TestEnvironment({
    engine: "embedded",
    apiServerFlags: {
      "token-auth-file": tokens,
      "service-cluster-ip-range": "10.0.0.0/24",
      "service-account-issuer": issuer,
      "api-audiences": issuer,
    },
  });
  const differences = new Map<string, string>();

  beforeAll(async () => {
    writeFileSync(tokens, "admin-token,admin,admin,system:masters\n");
    const { host, ca } = await environment.start();
    const authority = join(directory, "ca.crt");
    writeFileSync(authority, ca as string);
    const args = ["--json", "--area", area, "--url", host, "--ca", authority, "--token", "admin-token"];
    const child = spawn(process.execPath, ["--import", "tsx", at("main.ts"), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    await new Promise((resolve) => child.on("close", resolve));
    for (const line of output.trim().split("\n")) {
      const row = JSON.parse(line) as { name: string; differences: string };
      differences.set(row.name, row.differences);
    }
  });

  afterAll(async () => {
    await environment.stop();
    rmSync(directory, { recursive: true });
  });

  it.each(rows.filter((row) => row.area === area).map(({ name }) => name))("%s", (name) => {
    expect(differences.get(name)).toBe("");
  });
});
