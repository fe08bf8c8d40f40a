// Compares the responses of the embedded API server's executables with recorded responses of kube-apiserver.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestEnvironment } from "../../runtime/src/envtest/index.ts";
import knownDifferences from "./known-differences.json" with { type: "json" };
import { readRows } from "./runner/rows.mjs";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const known: Readonly<Record<string, string>> = knownDifferences;
const names = readRows().map(({ name }) => name);
const directory = mkdtempSync(join(tmpdir(), "kubewright-rows-"));
const tokens = join(directory, "tokens.csv");
const issuer = "https://kubernetes.default.svc.cluster.local";
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
  const args = [at("main.mjs"), "--json", "--url", host, "--ca", authority, "--token", "admin-token"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await new Promise((resolve) => child.on("close", resolve));
  for (const line of output.trim().split("\n")) {
    const row = JSON.parse(line) as { name: string; differences: string };
    differences.set(row.name, row.differences);
  }
}, 600_000);

afterAll(async () => {
  await environment.stop();
  rmSync(directory, { recursive: true });
});

describe("the same responses as from kube-apiserver", () => {
  it.each(names.filter((name) => known[name] === undefined))("%s", (name) => {
    expect(differences.get(name)).toBe("");
  });
});

describe("known differences that still exist", () => {
  it.each(Object.keys(known))("%s", (name) => {
    expect(names).toContain(name);
    expect(differences.get(name)).not.toBe("");
  });
});
