import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadSources, sourcesEnv } from "../../../../scripts/test-support/from-sources.ts";
import { variants } from "../../../../scripts/test-support/thorough.ts";
import { ServerFlags } from "./server-flags.ts";

const parse = (...args: string[]) => {
  const ignored: string[] = [];
  const flagTypes = { "data-dir": "text", urls: "text", port: "integer", fast: "boolean" } as const;
  return { flags: new ServerFlags(args, flagTypes, (name) => ignored.push(name)), ignored };
};

it("reads values after a space and after an equals sign", () => {
  const { flags } = parse("--data-dir", "a b", "--urls=x,y", "--urls=z");
  expect(flags.text("data-dir")).toBe("a b");
  expect(flags.list("urls")).toEqual(["x", "y", "z"]);
});

it("reports flags that it ignores", () => {
  expect(parse("--other", "--data-dir=x").ignored).toEqual(["other"]);
});

it.each(["-h", "--help"])("prints one flag per line for %s, because test environments search for them", (flag) => {
  const { flags, ignored } = parse(flag);
  expect(flags.help("etcd")).toMatch(
    /^Usage:\n {2}etcd \[flags\]\n[\s\S]*^ {2}--data-dir\n {2}--fast\n {2}--port\n {2}--urls\n$/m,
  );
  expect(ignored).toEqual([]);
});

it("prints no help for other arguments", () => {
  expect(parse("--data-dir=x").flags.help("etcd")).toBeUndefined();
});

it("reads a flag without a value as true only if it is a boolean, and its value only after an equals sign", () => {
  const { flags } = parse("--fast", "false", "--data-dir", "--urls", "--fast=false");
  expect(flags.list("fast")).toEqual(["true", "false"]);
  // Like pflag, which doesn't look at the content of the next argument.
  expect(flags.text("data-dir")).toBe("--urls");
  expect(parse("--other", "--fast").flags.text("fast")).toBe("true");
});

it.each([
  [["--data-dir"], "flag needs an argument: --data-dir"],
  [["--fast", "--port"], "flag needs an argument: --port"],
  [["--port="], 'invalid argument "" for "--port" flag: must be an integer'],
  [["--port", "64a"], 'invalid argument "64a" for "--port" flag: must be an integer'],
  [["--fast=maybe"], 'invalid argument "maybe" for "--fast" flag: must be true or false'],
])("rejects %j", (args, message) => {
  const ignored: string[] = [];
  const flagTypes = { "data-dir": "text", port: "integer", fast: "boolean" } as const;
  expect(() => new ServerFlags(["--other", ...args], flagTypes, (name) => ignored.push(name))).toThrow(
    new Error(message),
  );
  // The error is the only output.
  expect(ignored).toEqual([]);
});

const wrongCalls: readonly (readonly [command: string, args: readonly string[], error: string, status: number])[] = [
  [
    "kube-apiserver",
    ["--kubernetes-version=1.35"],
    "kube-apiserver: error: invalid Kubernetes version 1.35: it must be 1.37 or 1.36\n",
    2,
  ],
  ["kube-apiserver", ["--feature-gates=Foo=true"], "kube-apiserver: error: unrecognized feature gate: Foo\n", 2],
  [
    "kube-apiserver",
    ["--feature-gates", "ShardedListAndWatch"],
    "kube-apiserver: error: missing bool value for ShardedListAndWatch\n",
    2,
  ],
  ["main", ["--feature-gates", "Foo=true"], "error: unrecognized feature gate: Foo\n", 1],
  ["kube-apiserver", ["--bogus", "--secure-port"], "kube-apiserver: error: flag needs an argument: --secure-port\n", 1],
  ["etcd", ["--data-dir"], "etcd: error: flag needs an argument: --data-dir\n", 1],
  [
    "etcd",
    ["--listen-client-urls=x"],
    'etcd: error: invalid argument "x" for "--listen-client-urls" flag: must be URLs\n',
    1,
  ],
  ["kube-apiserver", ["--etcd-servers"], "kube-apiserver: error: flag needs an argument: --etcd-servers\n", 1],
  [
    "main",
    ["--kubernetes-version=1.35"],
    "error: option '--kubernetes-version <version>' argument '1.35' is invalid. Allowed choices are 1.37, 1.36.\n",
    2,
  ],
];
it.each(variants(wrongCalls, 0))("%s %j prints one line of error", async (command, args, expected, code) => {
  const directory = mkdtempSync(join(tmpdir(), "kubewright-flags-"));
  try {
    const script = fileURLToPath(new URL(`./${command}.ts`, import.meta.url));
    const { status, stderr } = await new Promise<{ status: number | null; stderr: string }>((resolve) => {
      const child = spawn(process.execPath, [...loadSources, script, ...args], {
        cwd: directory,
        env: sourcesEnv(),
      });
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += chunk));
      child.on("close", (status) => resolve({ status, stderr }));
    });
    expect(stderr).toBe(expected);
    expect(status).toBe(code);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
