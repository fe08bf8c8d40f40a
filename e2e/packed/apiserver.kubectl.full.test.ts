// Tests the published package of the API server: packed, installed into an empty directory, on a PATH with only Node,
// npm and kubectl.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";
import { narrowPath } from "../../scripts/test-support/tools.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-apiserver-packed-"));
const home = join(scratch, "home");
const path = narrowPath(join(scratch, "path"), ["sh", "node", "npm", "npx", "kubectl", "uname", "dirname"]);
const env = { PATH: path, HOME: home, KUBECONFIG: undefined, KUBEBUILDER_ASSETS: undefined };
const call = (...args: string[]) => run("npx", ["kubewright-apiserver", ...args], { cwd: home, env });

beforeAll(async () => {
  mkdirSync(home);
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", scratch];
  const { stdout } = await must("npm", packing, { cwd: join(checkout, "packages/apiserver") });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  await must("npm", ["install", "--no-audit", "--no-fund", join(scratch, filename)], { cwd: home, env });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("the command runs another command with its kubeconfig, and ends with its exit code", async () => {
  const namespaces = await call("--", "kubectl", "get", "ns", "-o", "name");
  expect(namespaces.stdout.trim().split("\n").sort()).toEqual(
    ["default", "kube-node-lease", "kube-public", "kube-system"].map((name) => `namespace/${name}`),
  );
  expect((await call("--", "sh", "-c", "exit 3")).code).toBe(3);
});

it("the command keeps objects with --data, and installs the definitions of --crd", async () => {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };
  writeFileSync(join(home, "crd.json"), JSON.stringify(definition));
  writeFileSync(
    join(home, "widget.json"),
    JSON.stringify({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } }),
  );
  const data = ["--data", "data.jsonl"];
  const created = await call(...data, "--crd", "crd.json", "--", "kubectl", "create", "-f", "widget.json");
  expect(created, created.stderr).toMatchObject({ code: 0, stdout: "widget.example.com/a created\n" });
  expect((await call(...data, "--", "kubectl", "get", "widgets", "-o", "name")).stdout).toBe("widget.example.com/a\n");
});

it("the command leaves neither credentials nor processes behind", async () => {
  const script = 'echo "$KUBECONFIG"; stat -c %a "$KUBECONFIG" 2>/dev/null || true; echo $PPID';
  const { stdout } = await call("--", "sh", "-c", script);
  const lines = stdout.trim().split("\n");
  expect(existsSync(lines[0] as string)).toBe(false);
  const parent = Number(lines.at(-1));
  expect(() => process.kill(parent, 0)).toThrow();
});

it("the command rejects invalid calls with a one-line error", async () => {
  const errorOf = async (...args: string[]) => {
    const { code, stderr } = await call(...args);
    return [
      code,
      ...stderr
        .trim()
        .split("\n")
        .filter((line) => !/^npm |never for production$/.test(line)),
    ];
  };
  expect(await errorOf("--port", "70000")).toEqual([
    2,
    "error: option '--port <port>' argument '70000' is invalid. must be a number from 0 to 65535.",
  ]);
  const missing = "error: missing.yaml: no such file or directory with CustomResourceDefinitions";
  expect(await errorOf("--crd", "missing.yaml", "--", "true")).toEqual([1, missing]);
  expect(await errorOf("--", "missing-command")).toEqual([1, "error: missing-command: command not found"]);
});

it("the command creates the executables for test environments", async () => {
  const { stdout } = await call("assets", "k8s");
  const directory = stdout.trim();
  expect(readdirSync(directory).sort()).toEqual(["etcd", "kube-apiserver"]);
  for (const name of ["etcd", "kube-apiserver"]) expect(statSync(join(directory, name)).mode & 0o111).not.toBe(0);
});

it("the package has few dependencies, and is small", () => {
  const { dependencies } = JSON.parse(readFileSync(join(checkout, "packages/apiserver/package.json"), "utf8"));
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(6);
  const files = readdirSync(join(home, "node_modules"), { recursive: true, withFileTypes: true });
  const bytes = files.filter((file) => file.isFile()).map((file) => statSync(join(file.parentPath, file.name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000_000);
});
