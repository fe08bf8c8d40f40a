// Runs the image's files as in a cluster: read-only, as the user 65532, with only Node.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { TestEnvironment } from "@kubewright/runtime/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Kubectl } from "../../scripts/test-support/kubectl.ts";
import { checkout, scaffold } from "../../scripts/test-support/scaffold.ts";
import { eventually } from "../lib/eventually.ts";
import { Background } from "../lib/process.ts";
import { buildImage, type Image } from "./image.ts";

const nobody = 65532;
const parent = mkdtempSync(join(tmpdir(), "kubewright-image-"));
const project = join(parent, "project");
const empty = join(parent, "empty");
const controller = "src/controller/game-controller.ts";
const kubeconfig = join(parent, "kubeconfig");
let environment: TestEnvironment | undefined;
let image: Image;
let operator: Background | undefined;

beforeAll(async () => {
  cpSync(join(checkout, "testdata/projects/game"), project, { recursive: true });
  symlinkSync(join(checkout, "node_modules"), join(project, "node_modules"));
  const source = readFileSync(join(project, controller), "utf8");
  writeFileSync(
    join(project, controller),
    source.replace("    // Your code goes here.", '    if (req.name === "bad") throw new Error("thrown on purpose");'),
  );
  await scaffold(project, "generate");
  image = await buildImage(project, parent);
  mkdirSync(empty);
  environment = new TestEnvironment({ crdDirectoryPaths: [join(project, "config/crd/bases")] });
  await environment.start();
  copyFileSync(environment.kubeconfigPath, kubeconfig);
  // All users can read the files, and no user can write them.
  for (const path of [kubeconfig, ...below(image.root)]) chmodSync(path, 0o444);
  for (const path of [parent, empty, image.root, join(image.root, "app")]) chmodSync(path, 0o555);
});

afterAll(async () => {
  await operator?.end("SIGKILL");
  await environment?.stop();
  for (const path of [parent, empty, image.root, join(image.root, "app")]) chmodSync(path, 0o755);
  rmSync(parent, { recursive: true, force: true });
});

const below = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Starts the operator without environment variables of this process and without a temporary directory. */
function start(): Background {
  const nothing = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  return new Background(
    process.execPath,
    [
      ...image.entrypoint.slice(1, -1),
      join(image.root, image.entrypoint.at(-1)!),
      "--health-probe-bind-address=127.0.0.1:0",
      "--metrics-bind-address=127.0.0.1:0",
    ],
    {
      cwd: empty,
      env: {
        ...nothing,
        NODE_ENV: "production",
        KUBECONFIG: kubeconfig,
        TMPDIR: join(empty, "no"),
      },
      ...(process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}),
    },
  );
}

describe("the image", { sequential: true }, () => {
  it("contains only the bundle, its map, its package.json, the bill of materials and the license texts", () => {
    expect(
      below(image.root)
        .map((path) => path.slice(image.root.length))
        .sort(),
    ).toEqual([
      "/app/THIRD-PARTY-LICENSES.txt",
      "/app/main.js",
      "/app/main.js.map",
      "/app/package.json",
      "/app/sbom.cdx.json",
    ]);
    expect(image.user).toBe(`${nobody}:${nobody}`);
    const map = JSON.parse(readFileSync(join(image.root, "app/main.js.map"), "utf8"));
    expect(map.sourcesContent ?? []).toEqual([]);
  });

  it("has a valid bill of materials with each package in the bundle, and their license texts", async () => {
    const text = readFileSync(join(image.root, "app/sbom.cdx.json"), "utf8");
    expect(await new JsonStrictValidator(Version.v1dot6).validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: { group?: string; name: string; version: string }[] };
    const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    const map = JSON.parse(readFileSync(join(image.root, "app/main.js.map"), "utf8")) as { sources: string[] };
    const sources = map.sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    // The map can name more packages, because only a comment of a source may remain.
    expect(sources).toEqual(expect.arrayContaining(names.filter((name) => name !== "@kubewright/runtime")));
    expect(names).toEqual(expect.arrayContaining(["@kubewright/runtime", "js-yaml", "pino", "prom-client"]));
    expect(names).not.toEqual(expect.arrayContaining(["kubewright"]));
    const licenses = readFileSync(join(image.root, "app/THIRD-PARTY-LICENSES.txt"), "utf8");
    for (const { group, name, version } of components) {
      expect(licenses).toContain(`\n${group === undefined ? "" : `${group}/`}${name} ${version} (`);
    }
    expect(licenses).not.toContain("no license text");
  });

  it("has the labels that registries and scanners read", () => {
    const { "org.opencontainers.image.title": title, ...others } = image.labels;
    expect(title).toBe("mygame");
    const keys = ["version", "revision", "source", "licenses"];
    const expected = keys.map((key) => [`org.opencontainers.image.${key}`, `\${IMAGE_${key.toUpperCase()}}`]);
    expect(Object.entries(others)).toEqual(expected);
  });

  it("responds to both probes with only Node, and without a writable directory", async () => {
    operator = start();
    const address = await eventually(() => {
      expect(operator?.running, operator?.output).toBe(true);
      const match = /"name":"health probe","addr":"([^"]+)"/.exec(operator?.output ?? "");
      expect(match, operator?.output).not.toBeNull();
      return match![1];
    });
    for (const path of ["healthz", "readyz"]) {
      await eventually(async () => expect((await fetch(`http://${address}/${path}`)).status).toBe(200));
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  it("runs as the user in the Dockerfile, who owns none of its files", () => {
    if (process.getuid?.() !== 0) return expect(operator?.running).toBe(true);
    const status = readFileSync(`/proc/${operator?.pid}/status`, "utf8");
    expect(/^Uid:\s+(.*)$/m.exec(status)?.[1]?.split("\t")).toEqual(Array(4).fill(String(nobody)));
  });

  it("logs the position of an error in the sources", async () => {
    const game = { apiVersion: "myapp.qingwave.github.io/v1", kind: "Game", metadata: { name: "bad" }, spec: {} };
    await new Kubectl(environment!.kubeconfigPath).apply(JSON.stringify(game));
    const line = await eventually(() => {
      const logged = operator?.output.split("\n").find((line) => line.includes("thrown on purpose"));
      expect(logged).toBeDefined();
      return JSON.parse(logged!) as { msg: string; stacktrace: string };
    });
    expect(line.msg).toBe("Reconciler error");
    const sources = readFileSync(join(project, controller), "utf8").split("\n");
    const at = sources.findIndex((source) => source.includes("thrown on purpose"));
    const column = sources[at]!.indexOf("new Error") + 1;
    expect(line.stacktrace.split("\n")[1]).toBe(`    at GameReconciler.reconcile (${controller}:${at + 1}:${column})`);
    expect(line.stacktrace).not.toContain("main.js");
  });

  it("ends with 0 on a signal", async () => {
    expect(await operator?.end("SIGTERM")).toBe(0);
  });
});
