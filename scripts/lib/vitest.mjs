// Runs Vitest for test counts and the names of failed tests.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { bin, run } from "./run.mjs";

/**
 * Runs a Vitest project, or only the given files of it. Returns a Map of files to { passed, skipped, failed: [{ test, file,
 * message }] }, where `passed` is a count and `skipped` has names. A failure without a file, such as a missing report or an unhandled rejection, has the key `undefined`.
 */
export async function runProject(project, env, scratch, only = []) {
  const report = join(scratch, `${project}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["run", "--project", project, ...reporters, ...only];
  const { code, signal } = await run(process.execPath, [bin("vitest", "vitest.mjs"), ...args], { env, show: true });
  if (!existsSync(report)) return noFile(project, `no report was written (${signal ?? `exit code ${code}`})`);
  const files = new Map(JSON.parse(readFileSync(report, "utf8")).testResults.map(resultOf));
  const explained = [...files.values()].some(({ failed }) => failed.length > 0);
  return code === 0 || explained ? files : new Map([...files, ...noFile(project, `exit code ${code}, no test failed`)]);
}

function noFile(project, message) {
  return new Map([[undefined, { passed: 0, skipped: [], failed: [{ test: project, message }] }]]);
}

/** Converts one file of a report. A file that fails to load, or whose setup fails, counts as one failure. */
function resultOf({ name, status, message, assertionResults }) {
  const file = relative(process.cwd(), name);
  const having = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status));
  const nameOf = ({ fullName }) => `${file} > ${fullName}`;
  const failed = having("failed").map((test) => ({ test: nameOf(test), file, message: head(test.failureMessages[0]) }));
  if (status === "failed" && failed.length === 0) failed.push({ test: file, file, message: head(message) });
  const skipped = having("skipped", "pending", "todo").map(nameOf);
  return [file, { passed: having("passed").length, skipped, failed }];
}

function head(message = "") {
  return message.split("\n").slice(0, 12).join("\n  ");
}
