/*
Copyright 2026.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/
// Implements the make targets and the npm scripts of the same names. Requires only Node and the tools that it calls.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

const root = join(import.meta.dirname, "..");
const { env } = process;
// Executables of packages are in this project, or in a workspace that contains it. Only npm adds them to PATH itself.
const bins = [];
for (let directory = root; bins.length === 0 || directory !== dirname(directory); directory = dirname(directory)) {
  bins.push(join(directory, "node_modules", ".bin"));
}
env.PATH = [...bins, env.PATH].join(delimiter);

const image = env.IMG || "controller:latest";
const kubectl = env.KUBECTL || "kubectl";
const kustomize = (env.KUSTOMIZE || `${kubectl} kustomize`).trim().split(/\s+/);
const containerTool = env.CONTAINER_TOOL || "docker";
const kind = env.KIND || "kind";
const cluster = env.KIND_CLUSTER || "webhooks-test-e2e";
const platforms = env.PLATFORMS || "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le";
const ignoreNotFound =
  env.IGNORE_NOT_FOUND === "true" || process.argv.some((argument) => /^(--)?ignore-not-found(=true)?$/.test(argument));

class TaskError extends Error {}

/** Runs a program and waits for it to exit. Returns its stdout if `capture` is set, and rejects if the program fails. */
function run(command, args, { input, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    // On Windows the executables of packages are scripts, which only a shell can start.
    const script = process.platform === "win32" && bins.some((bin) => existsSync(join(bin, `${command}.cmd`)));
    const child = spawn(script ? `${command}.cmd` : command, args, {
      cwd: root,
      env,
      shell: script,
      stdio: [input === undefined ? "inherit" : "pipe", capture ? "pipe" : "inherit", "inherit"],
    });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("error", (error) => reject(new TaskError(`can't run ${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new TaskError(`${command} ${args.join(" ")} failed with ${signal ?? `exit code ${code}`}`));
    });
    child.stdin?.on("error", () => undefined).end(input);
  });
}

const build = (directory) => run(kustomize[0], [...kustomize.slice(1), directory], { capture: true });

/** Builds the manifests of config/default with the image IMG. Uses an overlay in dist/, so that tracked files don't change. */
async function deployment() {
  const directory = join(root, "dist", "deploy");
  mkdirSync(directory, { recursive: true });
  const patch = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: image }];
  const overlay = {
    resources: ["../../config/default"],
    patches: [{ target: { kind: "Deployment", name: "controller-manager" }, patch: JSON.stringify(patch) }],
  };
  writeFileSync(join(directory, "kustomization.yaml"), JSON.stringify(overlay, null, 2));
  return build("dist/deploy");
}

/** Builds the manifests of the CRDs. Returns an empty string if the project has none. */
async function crds() {
  const list = "config/crd/kustomization.yaml";
  if (existsSync(join(root, list))) return build("config/crd");
  const bases = join(root, "config", "crd", "bases");
  if (existsSync(bases) && readdirSync(bases).length > 0) {
    throw new TaskError(`can't build the CRDs: ${list} is missing\nhint: restore it from version control`);
  }
  console.error("No CRDs found. To add one, run: npx scaffold create api");
  return "";
}

const callKubectl = (args, options) => run(kubectl, args, options);

/** Applies manifests and returns the objects from the API server. */
async function apply(manifests) {
  if (manifests === "") return [];
  await run(kubectl, ["apply", "--server-side", "--force-conflicts", "-f", "-"], { input: manifests });
  const text = await run(kubectl, ["get", "-f", "-", "-o", "json"], { input: manifests, capture: true });
  const got = JSON.parse(text);
  return got.kind === "List" ? got.items : [got];
}

async function remove(manifests) {
  if (manifests === "") return;
  await run(kubectl, ["delete", `--ignore-not-found=${ignoreNotFound}`, "-f", "-"], { input: manifests });
}

const program = "webhooks";
const bundleOptions = {
  absWorkingDir: root,
  entryPoints: ["src/main.ts"],
  outfile: "dist/main.js",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  // For logged stack traces. The content of the sources would be two thirds of the source map.
  sourcemap: true,
  sourcesContent: false,
  logLevel: "warning",
  // Less whitespace and no comments: Node starts faster and uses less memory. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 120,
  // The name of the manager in the API server's records: field manager and audit log.
  define: { "process.env.KUBEWRIGHT_PROGRAM": JSON.stringify(program) },
  // CommonJS packages need require, __filename and __dirname.
  banner: {
    js: [
      'import { createRequire as bundleCreateRequire } from "node:module";',
      'import { dirname as bundleDirname } from "node:path";',
      'import { fileURLToPath as bundleFileURLToPath } from "node:url";',
      "const require = bundleCreateRequire(import.meta.url);",
      "const __filename = bundleFileURLToPath(import.meta.url);",
      "const __dirname = bundleDirname(__filename);",
    ].join("\n"),
  },
};

/** Returns the build arguments for the Dockerfile. Environment variables override the defaults from package.json and Git. */
async function buildArguments() {
  const { repository, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const found = {
    BASE_IMAGE: undefined,
    // A port before the path isn't a tag.
    IMAGE_VERSION: /:([^:/@]+)$/.exec(image)?.[1],
    IMAGE_REVISION: await revision(),
    IMAGE_SOURCE: repository?.url ?? repository,
    IMAGE_LICENSES: license,
  };
  const values = Object.entries(found).map(([name, value]) => [name, env[name] || value]);
  return values.filter(([, value]) => value).flatMap(([name, value]) => ["--build-arg", `${name}=${value}`]);
}

/** Returns the current commit, with "-dirty" if files differ from it, or undefined without Git. */
const revision = () =>
  new Promise((resolve) => {
    const args = ["describe", "--always", "--dirty", "--abbrev=40", "--match="];
    execFile("git", args, { cwd: root }, (error, output) => resolve(error ? undefined : output.trim()));
  });

function prepareDist() {
  mkdirSync(join(root, "dist"), { recursive: true });
  // Node needs it in the image to load main.js as a module.
  writeFileSync(join(root, "dist", "package.json"), '{ "type": "module" }\n');
}

async function bundle() {
  const { build: esbuild } = await import("esbuild");
  // Writes a bill of materials of the bundled packages, and their licenses.
  const { billOfMaterials } = await import("kubewright/sbom");
  prepareDist();
  await esbuild({ ...bundleOptions, plugins: [billOfMaterials()] });
}

/** Rebuilds the bundle on each change. Starts the new manager as soon as the previous one has exited. */
async function dev(args) {
  const { context } = await import("esbuild");
  prepareDist();
  let child;
  let next;
  const start = () => {
    next = undefined;
    // In its own process group, so that it receives only the signal from here on Ctrl-C, and can shut down gracefully.
    const detached = process.platform !== "win32";
    child = spawn(process.execPath, ["dist/main.js", ...args], { cwd: root, stdio: "inherit", detached });
    child.once("exit", () => {
      child = undefined;
      next?.();
    });
  };
  const restart = () => {
    if (child === undefined) return start();
    // A second signal would force an immediate exit.
    if (next === undefined) child.kill("SIGTERM");
    next ??= start;
  };
  const plugin = {
    name: "restart",
    setup: ({ onEnd }) => onEnd(({ errors }) => (errors.length === 0 ? restart() : undefined)),
  };
  const watcher = await context({ ...bundleOptions, minifyWhitespace: false, plugins: [plugin] });
  await watcher.watch();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, async () => {
      next = () => process.exit(0);
      if (child === undefined) next();
      child.kill("SIGTERM");
      await watcher.dispose();
    });
  }
}

const manifestsOptions = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

const manifests = () => run("scaffold", ["generate", ...manifestsOptions]);

/** Regenerates the manifests, unless the make target already did. */
const upToDate = async () => {
  if (env.MANIFESTS_MADE !== "true") await manifests();
};

const tasks = {
  generate: () => console.log("Nothing to generate: plain objects need no generated code."),
  bundle,
  async build() {
    await manifests();
    await run("tsc", ["--noEmit"]);
    await bundle();
  },
  async run(args) {
    await manifests();
    await bundle();
    // Runs in this process, so that the manager receives signals and its exit code is returned.
    process.argv = [process.execPath, join(root, "dist", "main.js"), ...args];
    await import("../dist/main.js");
  },
  dev,
  async install() {
    await upToDate();
    await apply(await crds());
  },
  async uninstall() {
    await upToDate();
    await remove(await crds());
  },
  async deploy() {
    await upToDate();
    const objects = await apply(await deployment());
    const { waitUntilReady } = await import("./deploy.mjs");
    const failed = await waitUntilReady(callKubectl, objects, env.DEPLOY_TIMEOUT || "3m");
    if (failed.length > 0) throw new TaskError(`rollout failed: ${failed.join(", ")}`);
  },
  async undeploy(args) {
    const text = await deployment();
    const { heldObjects, release } = await import("./deploy.mjs");
    const names = text.matchAll(/^kind: CustomResourceDefinition\nmetadata:\n(?: {2}.*\n)*? {2}name: (.+)$/gm);
    const crds = Array.from(names, ([, name]) => name);
    const held = crds.length === 0 ? [] : await heldObjects(callKubectl, crds);
    if (held.length > 0 && env.FORCE !== "true" && !args.includes("--force")) {
      const list = held.map(
        ({ resource, name, namespace, finalizers }) =>
          `  ${resource} ${namespace ? `${namespace}/` : ""}${name}: ${finalizers.join(", ")}`,
      );
      throw new TaskError(
        `can't undeploy: these objects have finalizers, which only the manager can remove:\n${list.join("\n")}\nhint: delete the objects first (kubectl delete), or set FORCE=true (--force) to remove the finalizers`,
      );
    }
    await release(callKubectl, held);
    await remove(text);
  },
  async "build-installer"() {
    await upToDate();
    writeFileSync(join(root, "dist", "install.yaml"), await deployment());
  },
  "docker-build": async () => run(containerTool, ["build", ...(await buildArguments()), "-t", image, "."]),
  "docker-push": () => run(containerTool, ["push", image]),
  async "docker-buildx"() {
    // The bundle is the same on all platforms, so it is built on the platform of this machine.
    const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
    const cross = dockerfile.replace(/^FROM (?=.* AS )/gm, "FROM --platform=$BUILDPLATFORM ");
    writeFileSync(join(root, "Dockerfile.cross"), cross);
    const builder = "webhooks-builder";
    try {
      await run(containerTool, ["buildx", "create", "--name", builder]);
      await run(containerTool, [
        "buildx",
        "build",
        "--builder",
        builder,
        "--push",
        `--platform=${platforms}`,
        ...(await buildArguments()),
        "--tag",
        image,
        "-f",
        "Dockerfile.cross",
        ".",
      ]);
    } finally {
      rmSync(join(root, "Dockerfile.cross"), { force: true });
      await run(containerTool, ["buildx", "rm", builder]).catch(() => undefined);
    }
  },
  async "setup-test-e2e"() {
    const clusters = (await run(kind, ["get", "clusters"], { capture: true })).split(/\s+/);
    if (clusters.includes(cluster)) console.log(`The Kind cluster ${cluster} already exists.`);
    else await run(kind, ["create", "cluster", "--name", cluster]);
  },
  async "test-e2e"() {
    await tasks["setup-test-e2e"]();
    await run("vitest", ["run", "--config", "test/e2e/vitest.config.ts"]);
    await tasks["cleanup-test-e2e"]();
  },
  "cleanup-test-e2e": () => run(kind, ["delete", "cluster", "--name", cluster]),
  help() {
    const makefile = readFileSync(join(root, "Makefile"), "utf8");
    for (const line of makefile.split("\n")) {
      const [, section] = /^##@ (.*)$/.exec(line) ?? [];
      const [, target, text] = /^([a-z0-9-]+):.*?## (.*)$/.exec(line) ?? [];
      if (section) console.log(`\n${section}`);
      if (target) console.log(`  ${target.padEnd(18)} ${text}`);
    }
  },
};

const [name = "help", ...args] = process.argv.slice(2);
if (!Object.hasOwn(tasks, name)) {
  console.error(`unknown task: ${name}\nhint: use one of ${Object.keys(tasks).join(", ")}`);
  process.exit(2);
}
try {
  await tasks[name](args);
} catch (error) {
  console.error(error instanceof TaskError ? error.message : error);
  process.exit(1);
}
