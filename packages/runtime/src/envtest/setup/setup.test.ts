import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { create } from "tar";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { main } from "./main.ts";

const platform = ["--os", "linux", "--arch", "amd64"];
let root: string;
let store: string;
let server: Server;
let url: string;
let files: Map<string, Buffer>;
let requests: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "kubewright-setup-"));
  store = join(root, "store");
  files = new Map();
  requests = [];
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const body = files.get(request.url ?? "");
    response.writeHead(body ? 200 : 404).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  rmSync(root, { recursive: true, force: true });
});

/** Publishes an archive with the directories that controller-tools uses. */
async function publish(version: string, names = ["etcd", "kube-apiserver", "kubectl"], hash?: string): Promise<void> {
  const tree = mkdtempSync(join(root, "tree-"));
  mkdirSync(join(tree, "controller-tools/envtest"), { recursive: true });
  for (const name of names) {
    const path = join(tree, "controller-tools/envtest", name);
    writeFileSync(path, `${name} ${version}`);
    chmodSync(path, 0o755);
  }
  const file = join(root, "made.tar.gz");
  await create({ gzip: true, file, cwd: tree }, ["controller-tools"]);
  const body = readFileSync(file);
  const name = `envtest-v${version}-linux-amd64.tar.gz`;
  files.set(`/${name}`, body);
  const sum = hash ?? createHash("sha512").update(body).digest("hex");
  const entry = `  v${version}:\n    ${name}:\n      hash: ${sum}\n      selfLink: ${url}/${name}\n`;
  files.set("/index.yaml", Buffer.from(`${files.get("/index.yaml") ?? "releases:\n"}${entry}`));
}

function install(version: string, ...names: string[]): string {
  const directory = join(store, `${version}-linux-amd64`);
  mkdirSync(directory, { recursive: true });
  for (const name of ["etcd", "kube-apiserver", ...names]) writeFileSync(join(directory, name), "");
  return directory;
}

const setup = (args: string[], env: NodeJS.ProcessEnv = {}, input?: Buffer) => setupAll([args], env, input);

/** Runs several commands at the same time. Returns the highest of their exit codes. */
async function setupAll(commands: string[][], env: NodeJS.ProcessEnv = {}, input: Buffer = Buffer.alloc(0)) {
  let stdout = "";
  let stderr = "";
  const out = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    stdout += text;
    return true;
  });
  const err = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    stderr += text;
    return true;
  });
  try {
    const options = ["--bin-dir", store, "--index", `${url}/index.yaml`, ...platform];
    const variables = { KUBEWRIGHT_KUBERNETES_DOWNLOADS: url, ...env };
    const codes = await Promise.all(
      commands.map((args) => main([...options, ...args], variables, Readable.from([input]))),
    );
    return { code: Math.max(...codes), stdout, stderr };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

describe("setup-envtest use", () => {
  it("uses an installed release without a request to the index", async () => {
    const directory = install("1.37.1");
    expect(await setup(["use"])).toEqual({ code: 0, stdout: `${directory}\n`, stderr: "" });
    expect(requests).toEqual([]);
  });

  it("downloads the newest release that matches, and uses it without a request afterwards", async () => {
    await publish("1.37.0");
    await publish("1.37.2");
    await publish("1.35.9");
    const directory = join(store, "1.37.2-linux-amd64");
    expect(await setup(["use", "1.37"])).toMatchObject({ code: 0, stdout: `${directory}\n` });
    expect(readdirSync(directory).sort()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
    expect(readFileSync(join(directory, "etcd"), "utf8")).toBe("etcd 1.37.2");
    expect(statSync(join(directory, "etcd")).mode & 0o111).not.toBe(0);
    expect(readdirSync(store)).toEqual(["1.37.2-linux-amd64"]);
    requests.length = 0;
    expect((await setup(["use", "1.37.x"])).code).toBe(0);
    expect(requests).toEqual([]);
  });

  it("requests the index if the version ends with an exclamation mark, and prefers a newer local release", async () => {
    install("1.37.1");
    await publish("1.37.2");
    expect((await setup(["use", "1.37!"])).stdout).toContain("1.37.2");
    const newer = install("1.38.0");
    expect((await setup(["use", "latest-on-disk"])).stdout).toBe(`${newer}\n`);
  });

  it("rejects an archive with a wrong checksum, and leaves no files", async () => {
    await publish("1.30.0", undefined, "ab".repeat(64));
    const { code, stdout, stderr } = await setup(["use", "1.30"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /setup-envtest: no test servers for 1\.30 .*: its SHA-512 is .* as published; building: only/,
    );
    expect(readdirSync(store)).toEqual([]);
    expect((await setup(["use", "1.30", "--no-verify"])).code).toBe(0);
  });

  it("rejects an archive that lacks a server, and a file that isn't an archive", async () => {
    await publish("1.30.0", ["etcd"]);
    expect((await setup(["use", "1.30"])).stderr).toContain("holds no kube-apiserver");
    files.clear();
    await publish("1.31.0");
    files.set("/envtest-v1.31.0-linux-amd64.tar.gz", Buffer.from("no archive"));
    expect((await setup(["use", "1.31", "--no-verify"])).code).toBe(1);
    expect(readdirSync(store)).toEqual([]);
  });

  it("reports all failed attempts in one line", async () => {
    const { code, stderr } = await setup(["use", "1.20"], {});
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^setup-envtest: no test servers for 1\.20 on linux\/amd64: release archives: .* answered 404 .*; building: only .*\n$/,
    );
  });

  it("fails if the index can't be reached", async () => {
    const { code, stderr } = await setup(["use", "1.20", "--index", "http://127.0.0.1:1/index.yaml"]);
    expect(code).toBe(1);
    expect(stderr).toContain("cannot reach http://127.0.0.1:1/index.yaml");
  });

  it("sends no request with --installed-only", async () => {
    await publish("1.37.2");
    const { code, stderr } = await setup(["use", "-i"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^setup-envtest: no installed release matches 1\.37\.x on linux\/amd64/);
    expect((await setup(["use"], { ENVTEST_INSTALLED_ONLY: "1" })).code).toBe(1);
    expect(requests).toEqual([]);
  });

  it("downloads an archive once if several commands run at the same time", async () => {
    await publish("1.37.2");
    const { code, stdout } = await setupAll([["use"], ["use"], ["use"]]);
    expect(code).toBe(0);
    expect(stdout).toBe(`${join(store, "1.37.2-linux-amd64")}\n`.repeat(3));
    expect(requests.filter((path) => path.endsWith(".tar.gz"))).toHaveLength(1);
  });

  it("removes the files and the lock of a killed command", async () => {
    mkdirSync(join(store, ".new-abc"), { recursive: true });
    writeFileSync(join(store, ".lock"), "2000000000");
    await publish("1.37.2");
    expect((await setup(["use"])).code).toBe(0);
    expect(readdirSync(store)).toEqual(["1.37.2-linux-amd64"]);
  });

  it("adds kube-controller-manager from the binaries of the Kubernetes release if requested", async () => {
    await publish("1.30.0");
    const path = "/v1.30.0/bin/linux/amd64/kube-controller-manager";
    files.set(path, Buffer.from("manager"));
    files.set(`${path}.sha512`, Buffer.from(createHash("sha512").update("manager").digest("hex")));
    const directory = join(store, "1.30.0-linux-amd64");
    expect((await setup(["use", "1.30"])).code).toBe(0);
    expect(existsSync(join(directory, "kube-controller-manager"))).toBe(false);
    expect(await setup(["use", "1.30", "--controller-manager"])).toMatchObject({ code: 0, stdout: `${directory}\n` });
    expect(readFileSync(join(directory, "kube-controller-manager"), "utf8")).toBe("manager");
  });

  it("reports why kube-controller-manager is missing", async () => {
    install("1.30.0");
    const { code, stderr } = await setup(["use", "1.30", "--controller-manager"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^setup-envtest: no kube-controller-manager 1\.30\.0: .* answered 404 Not Found; only 1\.37\.2 and 1\.36\.3 are built\n$/,
    );
  });

  it("prints the path, a shell command, or an overview", async () => {
    const directory = install("1.37.3");
    expect((await setup(["use", "-p", "path"])).stdout).toBe(`${directory}\n`);
    expect((await setup(["use", "-p", "env"])).stdout).toBe(`export KUBEBUILDER_ASSETS='${directory}'\n`);
    expect((await setup(["use", "-p", "overview"])).stdout).toBe(
      `Version: v1.37.3\nOS/Arch: linux/amd64\nPath: ${directory}\n`,
    );
  });

  it("returns KUBEBUILDER_ASSETS with --use-env", async () => {
    const assets = install("0.0.1");
    expect((await setup(["use", "--use-env"], { KUBEBUILDER_ASSETS: assets })).stdout).toBe(`${assets}\n`);
  });

  it.each([
    [[], "no command"],
    [["fetch"], "unknown command fetch"],
    [["use", "soon"], "invalid version soon"],
    [["use", "1.36", "1.37"], "one version at most"],
    [["use", "-p", "yaml"], "--print yaml"],
    [["use", "--bogus"], "Unknown option '--bogus'"],
    [["use", "-i", "--force"], "exclude each other"],
    [["use", "--os", "*"], "not *"],
    [["sideload"], "sideload needs the archive's whole version"],
    [["sideload", "1.36"], "sideload needs the archive's whole version"],
    [["sideload", "1.37.1", "--arch", "*"], "sideload needs one system and processor"],
  ])("exits with 2 and prints one line for %j", async (args, message) => {
    const { code, stdout, stderr } = await setup(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("setup-envtest list", () => {
  it("prints installed and available releases", async () => {
    install("1.37.3");
    await publish("1.37.2");
    expect((await setup(["list"])).stdout).toBe(
      "(installed)  v1.37.3  linux/amd64\n(available)  v1.37.2  linux/amd64\n",
    );
    expect((await setup(["list", "-i"])).stdout).toBe("(installed)  v1.37.3  linux/amd64\n");
    expect((await setup(["list", "1.35", "--os", "*", "--arch", "*"])).stdout).toBe("");
  });

  it("prints installed releases even if the index can't be read", async () => {
    install("1.37.3");
    const { code, stdout, stderr } = await setup(["list"]);
    expect([code, stdout]).toEqual([0, "(installed)  v1.37.3  linux/amd64\n"]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("setup-envtest cleanup", () => {
  it("removes the installed releases that match, and prints them", async () => {
    for (const version of ["1.34.1", "1.35.2", "1.37.3"]) install(version);
    // Go's setup-envtest removes the write permission from its releases.
    chmodSync(join(store, "1.34.1-linux-amd64"), 0o555);
    mkdirSync(join(store, "1.34.0-darwin-arm64"));
    for (const name of ["etcd", "kube-apiserver"]) writeFileSync(join(store, "1.34.0-darwin-arm64", name), "");
    expect((await setup(["cleanup", "1.33"])).stdout).toBe("");
    expect((await setup(["cleanup", "<1.35"])).stdout).toBe("(removed)  v1.34.1  linux/amd64\n");
    expect((await setup(["cleanup", "<1.35", "--os", "*", "--arch", "*"])).stdout).toBe(
      "(removed)  v1.34.0  darwin/arm64\n",
    );
    expect((await setup(["cleanup"])).stdout).toBe(
      "(removed)  v1.37.3  linux/amd64\n(removed)  v1.35.2  linux/amd64\n",
    );
    expect(readdirSync(store)).toEqual([]);
  });
});

describe("setup-envtest sideload", () => {
  it("adds an archive from standard input to the store, and replaces an older one", async () => {
    await publish("1.37.2");
    const archive = files.get("/envtest-v1.37.2-linux-amd64.tar.gz");
    const directory = install("1.37.2");
    expect(await setup(["sideload", "v1.37.2"], {}, archive)).toEqual({
      code: 0,
      stdout: `${directory}\n`,
      stderr: "",
    });
    expect(readFileSync(join(directory, "etcd"), "utf8")).toBe("etcd 1.37.2");
    expect(requests).toEqual([]);
    expect((await setup(["use", "-i"])).stdout).toBe(`${directory}\n`);
  });

  it("rejects input that isn't an archive, and leaves no files", async () => {
    const { code, stderr } = await setup(["sideload", "1.37.2"], {}, Buffer.from("nothing"));
    expect([code, stderr.trim().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("the archive on the standard input");
    expect(readdirSync(store)).toEqual([]);
  });
});

it("setup-envtest version prints the version of the package", async () => {
  expect((await setup(["version"])).stdout).toMatch(/^setup-envtest version: \d+\.\d+\.\d+\n$/);
});

it("setup-envtest accepts Boolean flags in the format of Go", async () => {
  await publish("1.35.2", undefined, "ab".repeat(64));
  expect((await setup(["use", "1.35", "--verify=true"])).code).toBe(1);
  expect((await setup(["use", "1.35", "--verify=false"])).code).toBe(0);
});
