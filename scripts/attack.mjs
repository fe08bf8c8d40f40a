// Runs the attacks on the command line, the generator, the runtime and the embedded API server: every test whose file name contains `.attack.`.
// `npm run attack` runs all of them. `npm run attack -- webhook` runs those whose path contains "webhook". Prints a table at the end.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bin, install, root, run, since } from "./lib/run.mjs";
import { testServers } from "./lib/test-servers.mjs";

const projects = ["unit", "e2e", "envtest", "full", "full-faults"];
const started = performance.now();

/**
 * The attempts of a group of tests: a `describe`, or a file without one.
 *
 * @typedef {{ attack: string, tried: number, held: number, seconds: number, failed: string[] }} Row
 */

/**
 * A test in a report of Vitest. One that makes several attempts sets `task.meta.attempts`; other tests count as one.
 *
 * @typedef {object} ReportedTest
 * @property {string} fullName
 * @property {string} status
 * @property {string[]} ancestorTitles
 * @property {number} [duration]
 * @property {{ attempts?: number }} [meta]
 */

/**
 * Returns a row per group of tests.
 *
 * @param {{ testResults: { name: string, status: string, message?: string, assertionResults: ReportedTest[] }[] }} report
 * @returns {Row[]}
 */
function rowsOf(report) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name);
    /** @param {string} attack */
    const row = (attack) => {
      const group = rows.get(attack) ?? { attack, tried: 0, held: 0, seconds: 0, failed: [] };
      rows.set(attack, group);
      return group;
    };
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) {
      const broken = row(file);
      broken.tried++;
      broken.failed.push(`${file}: ${(message ?? "").split("\n")[0]}`);
    }
    for (const test of assertionResults) {
      const attempts = test.meta?.attempts ?? 1;
      const group = row(test.ancestorTitles.find((title) => title !== "") ?? file);
      group.tried += attempts;
      group.seconds += (test.duration ?? 0) / 1000;
      if (test.status === "passed") group.held += attempts;
      else group.failed.push(`${file} > ${test.fullName.trim()} (${test.status})`);
    }
  }
  return [...rows.values()].sort((a, b) => (a.attack < b.attack ? -1 : 1));
}

/** @param {readonly Row[]} rows */
function table(rows) {
  const width = Math.max(6, ...rows.map(({ attack }) => attack.length));
  /**
   * @param {string} attack
   * @param {number | string} tried
   * @param {number | string} held
   * @param {string} time
   */
  const line = (attack, tried, held, time) =>
    `${attack.padEnd(width)}  ${String(tried).padStart(7)}  ${String(held).padStart(7)}  ${time.padStart(8)}\n`;
  const lines = rows.map(({ attack, tried, held, seconds }) => line(attack, tried, held, `${seconds.toFixed(1)} s`));
  return line("attack", "tried", "held", "time") + lines.join("");
}

/**
 * Returns the tests whose paths contain one of some words; all without words.
 *
 * @param {readonly string[]} words
 */
function attackFiles(words) {
  const paths = ["src", "packages", "e2e", "scripts", "conformance", "bench"].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: "utf8" }).map(
      (path) => `${top}/${path.replaceAll("\\", "/")}`,
    ),
  );
  const tests = paths.filter((path) => /\.attack\.(\w+\.)*test\.ts$/.test(path) && !path.includes("node_modules"));
  return tests.filter((path) => words.length === 0 || words.some((word) => path.includes(word)));
}

async function main() {
  const files = attackFiles(process.argv.slice(2));
  if (files.length === 0) {
    process.stderr.write(`no attack found: ${process.argv.slice(2).join(" ")} matches no path\n`);
    return 2;
  }
  await install();
  const built = await run(process.execPath, ["scripts/build.mjs"], { show: true });
  if (built.code !== 0) return built.code;
  const assets = await testServers();
  if (assets === undefined) {
    process.stderr.write(
      "attacks not run: no etcd and kube-apiserver found\nhint: setup-envtest prints the reason above\n",
    );
    return 1;
  }
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-attack-"));
  const file = join(scratch, "report.json");
  try {
    const { code } = await run(
      process.execPath,
      [
        bin("vitest", "vitest.mjs"),
        "run",
        ...projects.flatMap((name) => ["--project", name]),
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${file}`,
        ...files,
      ],
      // All variants, each once (scripts/test-support/thorough.ts), and more random moments than test:full tries.
      {
        env: { KUBEBUILDER_ASSETS: assets, KUBEWRIGHT_FUZZ: "1", KUBEWRIGHT_SIGNALS: "40", KUBEWRIGHT_KILLS: "24" },
        show: true,
      },
    );
    const rows = rowsOf(JSON.parse(readFileSync(file, "utf8")));
    process.stdout.write(`\n${table(rows)}`);
    for (const failure of rows.flatMap(({ failed }) => failed)) process.stdout.write(`NOT HELD: ${failure}\n`);
    /** @param {"held" | "tried"} key */
    const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
    process.stdout.write(`\n${sum("held")} of ${sum("tried")} held, in ${since(started)}\n`);
    return code;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

process.exitCode = await main();
