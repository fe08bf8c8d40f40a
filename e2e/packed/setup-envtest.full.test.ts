// Tests setup-envtest of the published package, which bundles its dependencies, so an operator doesn't install them.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { create } from "tar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { checkout } from "../../scripts/test-support/scaffold.ts";

const scratch = mkdtempSync(join(tmpdir(), "kubewright-setup-"));
// A self-signed certificate that is valid for a hundred years.
const testdata = join(import.meta.dirname, "testdata");
const certificate = join(testdata, "localhost.crt");
const home = join(scratch, "home");
const installed = join(home, "node_modules");
const files = new Map<string, Buffer>();
const sockets = new Set<Socket>();
const servers: Server[] = [];
/** The hosts that the proxy connected to. */
const tunnels: string[] = [];
let index = "";
let proxy = "";

/** Listens on a free port of this machine. */
async function listen(server: Server): Promise<number> {
  servers.push(server.on("connection", (socket: Socket) => sockets.add(socket)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const packing = ["pack", "--ignore-scripts", "--json", "--pack-destination", scratch];
  const { stdout } = await must("npm", packing, { cwd: join(checkout, "packages/runtime") });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  mkdirSync(home);
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "operator", private: true }));
  const options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  await must("npm", ["install", ...options, join(scratch, filename)], { cwd: home });

  const serving = { cert: readFileSync(certificate), key: readFileSync(join(testdata, "localhost.key")) };
  const port = await listen(
    createServer(serving, (request, response) => {
      const body = files.get(request.url ?? "");
      response.writeHead(body === undefined ? 404 : 200).end(body);
    }),
  );
  index = `https://localhost:${port}/index.yaml`;
  await publish(`https://localhost:${port}`);
  const forwarding = createProxy((_, response) => response.writeHead(500).end());
  forwarding.on("connect", ({ url = "" }, client: Socket) => {
    tunnels.push(url);
    const server = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      server.pipe(client).pipe(server);
    });
    for (const socket of [client, server]) sockets.add(socket.on("error", () => {}));
  });
  proxy = `http://127.0.0.1:${await listen(forwarding)}`;
});
afterAll(() => {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
  rmSync(scratch, { recursive: true, force: true });
});

/** Publishes a release as controller-tools does. */
async function publish(base: string): Promise<void> {
  const tree = join(scratch, "tree");
  mkdirSync(join(tree, "controller-tools/envtest"), { recursive: true });
  for (const name of ["etcd", "kube-apiserver", "kubectl"]) {
    writeFileSync(join(tree, "controller-tools/envtest", name), name, { mode: 0o755 });
  }
  const archive = join(scratch, "archive.tar.gz");
  await create({ gzip: true, file: archive, cwd: tree }, ["controller-tools"]);
  const name = "envtest-v1.30.0-linux-amd64.tar.gz";
  const hash = createHash("sha512").update(readFileSync(archive)).digest("hex");
  files.set(`/${name}`, readFileSync(archive));
  const entry = `  v1.30.0:\n    ${name}:\n      hash: ${hash}\n      selfLink: ${base}/${name}\n`;
  files.set("/index.yaml", Buffer.from(`releases:\n${entry}`));
}

const use = (store: string, env: Record<string, string>) => {
  const platform = ["--os", "linux", "--arch", "amd64"];
  const variables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  const none = Object.fromEntries(variables.map((name) => [name, undefined]));
  const args = ["use", "1.30.0", "--index", index, "--bin-dir", join(scratch, store), ...platform];
  return run(process.execPath, [join(installed, "@kubewright/runtime/bin/setup-envtest.js"), ...args], {
    cwd: home,
    env: { ...none, NODE_EXTRA_CA_CERTS: certificate, ...env },
  });
};

describe("setup-envtest of the published package", () => {
  it("downloads and unpacks without additional packages", async () => {
    expect(readdirSync(installed)).toContain("pino");
    for (const name of ["undici", "tar", "minipass"]) expect(existsSync(join(installed, name)), name).toBe(false);
    const directory = join(scratch, "direct/1.30.0-linux-amd64");
    expect(await use("direct", {})).toMatchObject({ code: 0, stdout: `${directory}\n` });
    expect(readdirSync(directory).sort()).toEqual(["etcd", "kube-apiserver", "kubectl"]);
    expect(tunnels).toEqual([]);
  });

  it("uses HTTPS_PROXY except for hosts in NO_PROXY", async () => {
    expect((await use("excepted", { HTTPS_PROXY: proxy, NO_PROXY: "localhost" })).code).toBe(0);
    expect(tunnels).toEqual([]);
    expect((await use("proxied", { HTTPS_PROXY: proxy })).code).toBe(0);
    expect(new Set(tunnels)).toEqual(new Set([new URL(index).host]));
    const { code, stderr } = await use("unreachable", { HTTPS_PROXY: "http://127.0.0.1:1" });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`cannot reach ${index}`) });
  });

  it("has a bill of materials and the license texts of bundled packages", async () => {
    const dist = join(installed, "@kubewright/runtime/dist");
    const text = readFileSync(join(dist, "sbom.cdx.json"), "utf8");
    expect(await new JsonStrictValidator(Version.v1dot6).validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: { group?: string; name: string; version: string }[] };
    const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    expect(names).toEqual([
      "@isaacs/fs-minipass",
      "@kubewright/cel",
      "@peculiar/asn1-schema",
      "@peculiar/asn1-x509",
      "@peculiar/utils",
      "asn1js",
      "chownr",
      "minipass",
      "minizlib",
      "pvtsutils",
      "pvutils",
      "re2js",
      "tar",
      "tslib",
      "undici",
    ]);
    const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const [at, { version }] of components.entries()) expect(licenses).toContain(`\n${names[at]} ${version} (`);
  });
});
