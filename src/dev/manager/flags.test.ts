import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ManagerFlags } from "./flags.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kubewright-flags-"));
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src/main.ts"), "parseManagerFlags();");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const probes = "--health-probe-bind-address=127.0.0.1:0";

it("the manager serves webhooks at a free port of the loopback interface, whatever the user has set for the session", () => {
  const flags = (...args: string[]) => new ManagerFlags(root, args, undefined, () => "https://127.0.0.1:20001").all();
  const local = "--webhook-local-url=https://127.0.0.1:20001";
  expect(flags()).toEqual([probes, local, "--webhook-port=0"]);
  expect(flags("--webhook-port=9444")).toEqual([probes, local, "--webhook-port=9444", "--webhook-port=0"]);
});

it("the session listens on the port of the URL or of the flag", () => {
  const address = (url: string | undefined, ...args: string[]) => new ManagerFlags(root, args, url).webhookAddress;
  expect(address(undefined)).toEqual({});
  expect(address("https://host.internal:9555/")).toEqual({ url: "https://host.internal:9555", port: 9555 });
  expect(address("https://host.internal")).toEqual({ url: "https://host.internal", port: 443 });
  expect(address("https://host.internal:1", "--webhook-port=9444")).toMatchObject({ port: 9444 });
  expect(address(undefined, "-webhook-port=9444")).toEqual({ port: 9444 });
});

it.each([["--webhook-local-url=https://10.0.0.1:9443"], ["--webhook-port=-1"]])(
  "leaves webhooks to the manager with %s",
  (flag) => {
    const flags = new ManagerFlags(root, [flag], undefined, () => "https://127.0.0.1:20001");
    expect(flags.webhookAddress).toBeUndefined();
    expect(flags.all()).toEqual([probes, flag]);
  },
);

it("a program that parses its flags itself gets only those of the user", () => {
  writeFileSync(join(root, "src/main.ts"), "");
  const flags = new ManagerFlags(root, ["--own"], undefined, () => "https://127.0.0.1:20001");
  expect(flags.all()).toEqual(["--own"]);
  expect(flags.webhookAddress).toBeUndefined();
});
