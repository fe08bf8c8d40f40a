import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ManagerFlags } from "./flags.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-flags-"));
  for (const directory of ["src", "config/webhook"]) mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, "src/main.ts"), "parseManagerFlags();");
  writeFileSync(join(root, "config/webhook/manifests.yaml"), "");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const portOf = (args: readonly string[]): number =>
  Number(args.find((arg) => arg.startsWith("--webhook-port="))?.split("=")[1]);

it("the webhooks keep a port that the operating system gives to no other server", async () => {
  const flags = new ManagerFlags(root, [], undefined);
  const port = portOf(await flags.all());
  // Linux, macOS and Windows choose ports from 32768 on.
  expect(port).toBeGreaterThan(1024);
  expect(port).toBeLessThan(32_768);
  expect(portOf(await flags.all())).toBe(port);
  expect(await flags.all()).toContain(`--webhook-local-url=https://127.0.0.1:${port}`);
});

it("the webhooks use the port of their URL, and flags of the user take precedence", async () => {
  expect(portOf(await new ManagerFlags(root, [], "https://host.internal:9555").all())).toBe(9555);
  const flags = await new ManagerFlags(root, ["--webhook-port=9444"], undefined).all();
  expect(flags.filter((flag) => flag.startsWith("--webhook-"))).toEqual([
    "--webhook-local-url=https://127.0.0.1:9444",
    "--webhook-port=9444",
  ]);
});

it("a program that parses its flags itself gets only those of the user", async () => {
  writeFileSync(join(root, "src/main.ts"), "");
  expect(await new ManagerFlags(root, ["--own"], undefined).all()).toEqual(["--own"]);
});
