// Compares the responses of the embedded API server's executables with recorded responses of kube-apiserver.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRows, versions } from "./runner/rows.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const issuer = "https://kubernetes.default.svc.cluster.local";
/** The rows of older versions that contain rules which have changed since: servers have those of the newest version. */
const newerRules = new Set<string>(JSON.parse(readFileSync(at("testdata/1.36/newer-rules.json"), "utf8")));
const cases = versions.flatMap((version) => {
  const rows = readRows(version);
  return [...new Set(rows.map(({ area }) => area))].map((area) => ({
    version,
    area,
    names: rows.filter((row) => row.area === area).map(({ name }) => name),
  }));
});

// Each area has its own server, because servers forget old versions after five minutes.
describe.each(cases)("the same responses as from kube-apiserver $version: $area", ({ version, area, names }) => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-rows-"));
  const tokens = join(directory, "tokens.csv");
  // The settings of the server whose responses were recorded.
  const environment = new TestEnvironment({
    engine: "embedded",
    kubernetesVersion: version,
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

  it.each(names)("%s", (name) => {
    if (version === "1.36" && newerRules.has(name)) expect(differences.get(name)).toMatch(/./);
    else expect(differences.get(name)).toBe("");
  });
});
