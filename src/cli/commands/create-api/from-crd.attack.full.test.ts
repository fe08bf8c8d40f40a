// Attacks on the command line as a process, as users start it.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { scaffoldBin } from "../../../../scripts/test-support/scaffold.ts";
import { initProject } from "../../../scaffold/test-support/game.ts";
import { snapshot, testDirectory } from "../../../scaffold/test-support/tree.ts";

const crd = readFileSync(join(import.meta.dirname, "../../../../testdata/from-crd/everything.yaml"), "utf8");

/** A comment that is written completely only when a reader has read a part of it, and so handles signals. */
const moreThanAPipe = `#${"x".repeat(2_000_000)}`;

interface End {
  readonly code: number | null;
  readonly stderr: string;
}

function start(root: string, argv: readonly string[]): { process: ChildProcess; end: Promise<End> } {
  const child = spawn(process.execPath, [scaffoldBin, ...argv], {
    cwd: root,
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  const end = new Promise<End>((resolve) => {
    child.on("close", (code) => resolve({ code, stderr }));
  });
  return { process: child, end };
}

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = testDirectory();
  await initProject(root);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
  return root;
}

const levels = Array.from({ length: 60 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`);
const property = (schema: object) =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"evils.example.org"},"spec":{"group":"example.org","scope":"Namespaced","names":{"kind":"Evil","plural":"evils"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":${JSON.stringify({ type: "object", required: ["x"], properties: { x: schema } })}}}}}]}}`;

describe("create api --from-crd with excessive input", () => {
  it.for<[string, string, number]>([
    ["a pattern", property({ type: "string", pattern: "^(a+)+b$", minLength: 30 }), 0],
    ["a list", property({ type: "array", minItems: 2_000_000_000, items: { type: "string" } }), 0],
    ["aliases", `a0: &a0 [x, x]\n${levels.join("")}${crd}`, 2],
    ["depth", "[".repeat(2_000_000), 2],
    ["size", `# ${"x".repeat(20_000_000)}`, 2],
  ])("ends for: %s", async ([, text, code], { task }) => {
    const root = await project({ "crd.yaml": text });
    const end = await start(root, ["create", "api", "--from-crd", "crd.yaml"]).end;
    expect(end.stderr).not.toContain("this is a bug");
    expect(end.code).toBe(code);
    Object.assign(task.meta, { attempts: 1 });
  });

  it("rejects an endless standard input and ends on SIGTERM while stdin is silent", async () => {
    const root = await project({});
    const before = snapshot(root);
    const endless = start(root, ["create", "api", "--from-crd", "-"]);
    const feed = (): void => {
      if (endless.process.stdin?.writable)
        endless.process.stdin.write("x".repeat(1_000_000), (error) => error ?? feed());
    };
    feed();
    expect(await endless.end).toMatchObject({ code: 2, stderr: expect.stringContaining("is too large: the limit is") });
    const silent = start(root, ["create", "api", "--from-crd", "-"]);
    await new Promise((read) => silent.process.stdin?.write(moreThanAPipe, read));
    silent.process.kill("SIGTERM");
    expect((await silent.end).code).toBe(130);
    expect(snapshot(root)).toEqual(before);
  });

  it.skipIf(process.platform === "win32")(
    "rejects a device, reads a pipe, and ends on SIGTERM while a pipe is silent",
    async () => {
      const root = await project({ "crd.yaml": crd });
      const device = await start(root, ["create", "api", "--from-crd", "/dev/zero"]).end;
      expect(device).toMatchObject({ code: 2, stderr: expect.stringContaining("is too large") });
      execFileSync("mkfifo", [join(root, "pipe")]);
      const writer = spawn("sh", ["-c", "cat crd.yaml > pipe"], { cwd: root, stdio: "ignore" });
      onTestFinished(() => void writer.kill("SIGKILL"));
      expect(await start(root, ["create", "api", "--from-crd", "pipe", "--dry-run"]).end).toMatchObject({ code: 0 });
      // The pipe is also open for writing: the reader waits for a writer that never writes.
      const file = await open(join(root, "pipe"), "r+");
      onTestFinished(() => file.close());
      const pipe = start(root, ["create", "api", "--from-crd", "pipe"]);
      await file.write(moreThanAPipe);
      pipe.process.kill("SIGTERM");
      expect((await pipe.end).code).toBe(130);
    },
  );

  it("rejects an endless HTTP response", async () => {
    const server = createServer((_, answer) => {
      const feed = (): void => {
        while (!answer.destroyed && answer.write("x".repeat(1_000_000)));
      };
      answer.on("drain", feed);
      answer.on("error", () => undefined);
      feed();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const root = await project({});
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const end = await start(root, ["create", "api", "--from-crd", address]).end;
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("is too large") });
  });
});
