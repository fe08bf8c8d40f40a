// Runs all checks of CI on a machine that only has Node and npm: `npm test`. With --full, also runs soak tests, large fuzz
// runs and full matrices. The last line is `N passed, N failed, N skipped`.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bin, install, run, since } from "./lib/run.mjs";
import { testServers } from "./lib/test-servers.mjs";
import { runProjects } from "./lib/vitest.mjs";
import { typedWorkspaces } from "./lib/workspaces.mjs";

/** @typedef {import("./lib/vitest.mjs").Failure} Failure */
/** @typedef {Record<string, string | undefined>} Env */

/** The parts of a run, in their order. The last three need --full. */
const parts = ["checks", "unit", "e2e", "envtest", "servers", "full", "full-faults", "go"];
const usage = `npm run test:full [-- FLAGS]

Several machines can share a full run:

  --part PART   one of ${parts.join(", ")}
  --shard 2/3   a third of its test files
`;
const { full, part, shard, help } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    part: { type: "string" },
    shard: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
}).values;
if (help) {
  process.stdout.write(usage);
  process.exit(0);
}
if (part !== undefined && !parts.slice(0, full ? undefined : -3).includes(part)) {
  process.stderr.write(`--part ${part}: doesn't exist${full ? "" : " without --full"}\n\n${usage}`);
  process.exit(2);
}
/** @param {string} name */
const has = (name) => part === undefined || part === name;
const haveKubectl = await runs("kubectl", "version", "--client");
const started = performance.now();
const scratch = scratchDirectory();
// All temporary files of the tests.
process.env.TMPDIR = scratch;
// vitest.config.ts keeps transformed modules there for the next run.
process.env.KUBEWRIGHT_TEST_MODULES = join(scratch, "modules");
// The tests install the same packages several times: 8 s instead of 22 s without asking the registry each time.
process.env.npm_config_prefer_offline = "true";
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} */
const notTested = [];
/**
 * Failures are repeated at the end, because the log is long.
 *
 * @type {string[]}
 */
const failures = [];
/**
 * Tests that passed only when repeated.
 *
 * @type {Failure[]}
 */
const unsteady = [];
const mayRunAgain = 3;

/**
 * Creates the directory of all temporary files: in memory if there is enough of it, because tests write many small files and
 * wait until these are on the disk. In memory, the tests of src/scaffold take 17 s instead of 28 s, those of e2e 193 s
 * instead of 220 s.
 */
function scratchDirectory() {
  /** @param {string} parent */
  const create = (parent) => mkdtempSync(join(parent, "kubewright-test-"));
  const needed = 8 * 2 ** 30;
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    if (bavail * bsize < needed || freemem() < needed) return create(tmpdir());
    const directory = create("/dev/shm");
    // The same permissions as /tmp, because some tests run programs as other users.
    chmodSync(directory, 0o755);
    // Containers often mount it with noexec.
    const program = join(directory, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (spawnSync(program).status === 0) return directory;
    rmSync(directory, { recursive: true });
  } catch {
    // The file exists only on Linux.
  }
  return create(tmpdir());
}

/** @param {string} text */
function heading(text) {
  process.stdout.write(`\n== ${text} (after ${since(started)})\n`);
}

/** @param {string} what */
function fail(what) {
  total.failed++;
  failures.push(what);
  process.stdout.write(`FAILED: ${what}\n`);
}

/**
 * Runs a check that passes or fails as a whole, and prints its output at the end. Returns whether it passed.
 *
 * @param {string} name
 * @param {string} command
 * @param {readonly string[]} args
 */
async function check(name, command, args) {
  const { code, output } = await run(command, args);
  heading(name);
  process.stdout.write(output);
  if (code === 0) total.passed++;
  else fail(`${name} (exit code ${code})`);
  return code === 0;
}

/**
 * Runs Vitest projects and adds their results. If a few tests fail, their files run once more, alone: a busy machine must
 * not fail the whole run. Tests that pass only then are listed at the end. --full repeats none.
 *
 * @param {readonly string[]} projects
 * @param {Env} env
 * @param {readonly string[]} only
 */
async function vitest(projects, env = {}, only = []) {
  if (projects.length === 0) return;
  const name = projects.join(" and ");
  heading(`tests: ${[name, ...only].join(" ")}`);
  const sharded = shard === undefined ? only : [...only, `--shard=${shard}`];
  const files = await runProjects(projects, env, scratch, sharded);
  const failed = failuresOf(files);
  const again = [...new Set(failed.flatMap(({ file }) => file ?? []))];
  const haveFiles = failed.every(({ file }) => file !== undefined);
  if (!full && failed.length > 0 && failed.length <= mayRunAgain && haveFiles) {
    heading(`tests: ${name}, again: ${again.join(" ")}`);
    for (const [file, result] of await runProjects(projects, env, scratch, again)) files.set(file, result);
    const failedAgain = new Set(failuresOf(files).map(({ test }) => test));
    unsteady.push(...failed.filter(({ test }) => !failedAgain.has(test)));
  }
  for (const { passed, skipped } of files.values()) {
    total.passed += passed;
    total.skipped += skipped.length;
    notTested.push(...skipped);
  }
  for (const { test, message } of failuresOf(files)) fail(`${test}\n  ${message}`);
}

/** @param {Map<unknown, { failed: Failure[] }>} files */
function failuresOf(files) {
  return [...files.values()].flatMap(({ failed }) => failed);
}

/**
 * @param {string} project
 * @param {string | undefined} assets - the directory of the servers
 * @param {Env} env
 * @param {readonly string[]} only
 */
async function vitestOnServers(project, assets, env, only = []) {
  if (assets) await vitest([project], { KUBEBUILDER_ASSETS: assets, ...env }, only);
  else await skip(project, "etcd and kube-apiserver aren't available (setup-envtest printed the reason above)", only);
}

/**
 * Counts the tests of a project that can't run here, and prints the reason.
 *
 * @param {string} project
 * @param {string} why
 * @param {readonly string[]} only
 */
async function skip(project, why, only = []) {
  const list = [bin("vitest", "vitest.mjs"), "list", "--project", project, ...only, "--json"];
  const { stdout } = await run(process.execPath, list);
  const tests = JSON.parse(stdout.slice(stdout.indexOf("[")));
  total.skipped += tests.length;
  notTested.push(`${tests.length} tests of "${[project, ...only].join(" ")}": ${why}`);
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function runs(program, ...args) {
  try {
    return (await run(program, args)).code === 0;
  } catch {
    return false;
  }
}

/** Builds, and checks types, layers, formatting and prose. Returns whether the build succeeded, which all tests need. */
async function checks() {
  /** @param {string} workspace */
  const typecheck = (workspace) =>
    check(`typecheck ${workspace}`, process.execPath, ["scripts/typecheck.mjs", workspace]);
  /** @type {{ scripts: Record<string, string> }} */
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  // The same folders as in `npm run lint`.
  const [, ...folders] = (scripts.layers ?? "").split(" ");
  const layers = [bin("dependency-cruiser", "bin/dependency-cruise.mjs"), ...folders];
  const build = check("build", process.execPath, ["scripts/build.mjs"]);
  if (!has("checks")) return build;
  // Two run at a time. Both halves take about the same time. Only these two don't read what the build writes.
  const beside = (async () => {
    await check("prose", process.execPath, ["--import", "tsx", "scripts/docs/prose/lint.ts"]);
    await check("lint", process.execPath, [bin("@biomejs/biome", "bin/biome"), "ci", "."]);
  })();
  if (!(await build)) {
    await beside;
    return false;
  }
  const [commandLine = ".", ...packages] = typedWorkspaces();
  await Promise.all([
    typecheck(commandLine),
    (async () => {
      await beside;
      await check("layers", process.execPath, layers);
      for (const workspace of packages) await typecheck(workspace);
    })(),
  ]);
  return true;
}

/**
 * Runs the parts that need etcd and kube-apiserver.
 *
 * @param {Env} env
 */
async function serverParts(env) {
  const wanted = ["servers", ...(full ? ["full", "full-faults"] : [])].filter(has);
  if (wanted.length === 0) return;
  heading("test servers");
  const assets = await testServers({ controllerManager: full });
  if (assets) process.stdout.write(`${assets}\n`);
  for (const name of wanted) {
    if (name !== "servers") await vitestOnServers(name, assets, env);
    // Without --full, only those that compare with the real servers.
    else await vitestOnServers("envtest", assets, env, full ? [] : ["same-as-server"]);
  }
}

async function main() {
  await install();
  if (!(await checks())) return;
  /** @type {Env} */
  const thorough = full ? { KUBEWRIGHT_FUZZ: "20" } : {};
  if (!haveKubectl) {
    for (const project of ["e2e", "envtest"].filter(has)) await skip(project, "kubectl isn't on PATH", [".kubectl."]);
    // vitest.config.ts excludes these tests.
    process.env.KUBEWRIGHT_WITHOUT_KUBECTL = "true";
  }
  const packages = has("e2e") && run(process.execPath, ["--import", "tsx", "e2e/lib/install-packages.ts"]);
  if (has("unit")) await vitest(["unit"], thorough);
  // If it has failed, the tests that need the packages fail, too.
  await packages;
  // At the same time, because both often wait. Without servers, envtest runs on the embedded API server, with which comparisons
  // say little. vitest.config.ts excludes them.
  const env = {
    KUBEBUILDER_ASSETS: undefined,
    ...(full ? {} : { KUBEWRIGHT_WITHOUT_COMPARISONS: "true" }),
    ...thorough,
  };
  await vitest(["e2e", "envtest"].filter(has), env);
  await serverParts(thorough);
  if (full && has("go")) {
    if (await runs("go", "version")) await vitest(["go"]);
    else await skip("go", "Go is not on PATH");
  }
}

try {
  await main();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const line of notTested) process.stdout.write(`\n!!! NOT TESTED: ${line}\n`);
for (const { test, message } of unsteady) {
  process.stdout.write(`\nUNSTEADY, passed when it ran again: ${test}\n  ${message}\n`);
}
for (const failure of failures) process.stdout.write(`\nFAILED: ${failure}\n`);
process.stdout.write(
  `\nin ${since(started)}\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`,
);
process.exitCode ||= total.failed > 0 || total.passed === 0 ? 1 : 0;
