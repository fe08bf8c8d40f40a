// Runs all checks of CI on a machine that only has Node and npm: `npm test`. With --full, also runs soak tests, large fuzz
// runs and full matrices. The last line is `N passed, N failed, N skipped`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, install, run, since } from "./lib/run.mjs";
import { testServers } from "./lib/test-servers.mjs";
import { runProject } from "./lib/vitest.mjs";

const full = process.argv.includes("--full");
const started = performance.now();
const scratch = mkdtempSync(join(tmpdir(), "kubewright-test-"));
const total = { passed: 0, failed: 0, skipped: 0 };
const notTested = [];
/** Failures are repeated at the end, because the log is long. */
const failures = [];
/** Tests that passed only when repeated. */
const unsteady = [];
const mayRunAgain = 3;

function heading(text) {
  process.stdout.write(`\n== ${text} (after ${since(started)})\n`);
}

function fail(what) {
  total.failed++;
  failures.push(what);
  process.stdout.write(`FAILED: ${what}\n`);
}

/** Runs a check that passes or fails as a whole, and prints its output at the end. Returns whether it passed. */
async function check(name, command, args) {
  const { code, output } = await run(command, args);
  heading(name);
  process.stdout.write(output);
  if (code === 0) total.passed++;
  else fail(`${name} (exit code ${code})`);
  return code === 0;
}

/**
 * Runs one Vitest project and adds its results. If a few tests fail, their files run once more, alone: a busy machine must
 * not fail the whole run. Tests that pass only then are listed at the end. --full repeats none.
 */
async function vitest(project, env = {}) {
  heading(`tests: ${project}`);
  const files = await runProject(project, env, scratch);
  const failed = failuresOf(files);
  const again = [...new Set(failed.map(({ file }) => file))];
  if (!full && failed.length > 0 && failed.length <= mayRunAgain && !again.includes(undefined)) {
    heading(`tests: ${project}, again: ${again.join(" ")}`);
    for (const [file, result] of await runProject(project, env, scratch, again)) files.set(file, result);
    const failedAgain = new Set(failuresOf(files).map(({ test }) => test));
    unsteady.push(...failed.filter(({ test }) => !failedAgain.has(test)));
  }
  for (const { passed, skipped } of files.values()) {
    total.passed += passed;
    total.skipped += skipped;
  }
  for (const { test, message } of failuresOf(files)) fail(`${project}: ${test}\n  ${message}`);
}

function failuresOf(files) {
  return [...files.values()].flatMap(({ failed }) => failed);
}

/** Counts the tests of a project that can't run here, and prints the reason. */
async function skip(project, why) {
  const { stdout } = await run(process.execPath, [bin("vitest", "vitest.mjs"), "list", "--project", project, "--json"]);
  const tests = JSON.parse(stdout.slice(stdout.indexOf("[")));
  total.skipped += tests.length;
  notTested.push(`${tests.length} tests of "${project}": ${why}`);
}

async function haveGo() {
  try {
    return (await run("go", ["version"])).code === 0;
  } catch {
    return false;
  }
}

async function main() {
  await install();
  if (!(await check("build", process.execPath, ["scripts/build.mjs"]))) return;
  const typecheck = (project) =>
    check(`typecheck ${project}`, process.execPath, [bin("typescript-native", "bin/tsc"), "-p", project]);
  const layers = [
    bin("dependency-cruiser", "bin/dependency-cruise.mjs"),
    "src",
    "runtime/src",
    "apiserver/src",
    "dev-ui/src",
    "e2e",
    "bench",
    "conformance",
    "scripts",
  ];
  // In parallel: the first one takes as long as the others together.
  await Promise.all([
    typecheck("tsconfig.json"),
    (async () => {
      await typecheck("runtime/tsconfig.json");
      await typecheck("apiserver/tsconfig.json");
      await typecheck("dev-ui/tsconfig.json");
      await check("layers", process.execPath, layers);
      await check("lint", process.execPath, [bin("@biomejs/biome", "bin/biome"), "ci", "."]);
      await check("prose", process.execPath, ["--import", "tsx", "scripts/docs/prose/lint.ts"]);
    })(),
  ]);
  const thorough = full ? { KUBEWRIGHT_FUZZ: "20" } : {};
  await vitest("unit", thorough);
  await vitest("e2e");
  await vitest("e2e-timed");
  heading("test servers");
  const assets = await testServers();
  if (assets) process.stdout.write(`${assets}\n`);
  const go = await haveGo();
  for (const project of ["envtest", ...(full ? ["full", "full-faults", "full-timed"] : [])]) {
    if (assets) await vitest(project, { KUBEBUILDER_ASSETS: assets, ...thorough });
    else await skip(project, "etcd and kube-apiserver aren't available (setup-envtest printed the reason above)");
  }
  if (full) {
    // The same tests on the embedded API server.
    await vitest("envtest", {
      ...(assets ? { KUBEBUILDER_ASSETS: assets } : {}),
      KUBEWRIGHT_ENVTEST_ENGINE: "embedded",
    });
    if (go) await vitest("go");
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
