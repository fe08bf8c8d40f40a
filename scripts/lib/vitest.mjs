// Runs Vitest for test counts and the names of failed tests.
// JavaScript with checked types, because scripts use it before they install packages.
// @ts-check
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { bin, run } from "./run.mjs";

/**
 * A failed test. Failures without a file are a missing report or an unhandled rejection, for example.
 *
 * @typedef {{ test: string, file?: string, message: string }} Failure
 */

/**
 * The results of a file: the number of passed tests, and the names of skipped ones.
 *
 * @typedef {{ passed: number, skipped: string[], failed: Failure[] }} FileResult
 */

/**
 * A test in a report of Vitest.
 *
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} ReportedTest
 */

/**
 * A file in a report of Vitest.
 *
 * @typedef {{ name: string, status: string, message?: string, assertionResults: ReportedTest[] }} ReportedFile
 */

/**
 * Runs Vitest projects, or only some files of them.
 *
 * @param {readonly string[]} projects
 * @param {Record<string, string | undefined>} env
 * @param {string} scratch - directory for the report
 * @param {readonly string[]} only - the files, and further arguments of Vitest
 * @returns {Promise<Map<string | undefined, FileResult>>} the results by file; those of failures without a file have the key `undefined`
 */
export async function runProjects(projects, env, scratch, only = []) {
  const name = projects.join(" ");
  const report = join(scratch, `${name}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", ...projects.flatMap((project) => ["--project", project]), ...reporters, ...only];
  const { code, signal } = await run(process.execPath, [bin("vitest", "vitest.mjs"), ...args], { env, show: true });
  if (!existsSync(report)) return noFile(name, `no report was written (${signal ?? `exit code ${code}`})`);
  /** @type {Map<string | undefined, FileResult>} */
  const files = new Map(JSON.parse(readFileSync(report, "utf8")).testResults.map(resultOf));
  const explained = [...files.values()].some(({ failed }) => failed.length > 0);
  return code === 0 || explained ? files : new Map([...files, ...noFile(name, `exit code ${code}, no test failed`)]);
}

/**
 * @param {string} project
 * @param {string} message
 * @returns {Map<string | undefined, FileResult>}
 */
function noFile(project, message) {
  return new Map([[undefined, { passed: 0, skipped: [], failed: [{ test: project, message }] }]]);
}

/**
 * Converts one file of a report. A file that fails to load, or whose setup fails, counts as one failure.
 *
 * @param {ReportedFile} reported
 * @returns {[string, FileResult]}
 */
function resultOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  /** @param {string[]} wanted */
  const having = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status));
  /** @param {ReportedTest} test */
  const nameOf = ({ fullName }) => `${file} > ${fullName}`;
  const failed = having("failed").map((test) => ({ test: nameOf(test), file, message: head(test.failureMessages[0]) }));
  if (status === "failed" && failed.length === 0) failed.push({ test: file, file, message: head(message) });
  const skipped = having("skipped", "pending", "todo").map(nameOf);
  return [file, { passed: having("passed").length, skipped, failed }];
}

function head(message = "") {
  return message.split("\n").slice(0, 12).join("\n  ");
}
