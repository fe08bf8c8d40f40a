import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../test-support/run-cli.ts";

it.each([
  ["op#1", true],
  ["op%25", true],
  ["op-1 é", false],
])("init warns about a directory %s in which Vite finds no files: %s", async (name, warns) => {
  const root = mkdtempSync(join(tmpdir(), "kubewright-init-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, name);
  mkdirSync(directory);
  const call = "init --domain example.com --repo example.com/op --project-name op --fetch-deps=false --dry-run";
  const end = await runCli(directory, call.split(" "));
  expect(end.code).toBe(0);
  expect(/^warning: the path of the directory contains .*Vite/m.test(end.stderr)).toBe(warns);
});
