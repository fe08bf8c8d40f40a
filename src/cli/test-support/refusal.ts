import { expect } from "vitest";
import { snapshot, testDirectory } from "../../scaffold/test-support/tree.ts";
import { runCli } from "./run-cli.ts";

/** Creates the tree in which a call is invalid. */
export type Prepare = (root: string) => unknown;
/**
 * The name of an invalid call, its arguments, its exit code and a part of its message. ␣ is a space inside an
 * argument.
 */
export type Row = readonly [what: string, argv: string, code: number, message: string | RegExp];

/** Expects that an invalid call ends with one clear line and the right exit code, and leaves the tree unchanged. */
export async function expectRefusal(prepare: Prepare, [, argv, code, message]: Row): Promise<void> {
  const root = testDirectory();
  await prepare(root);
  const before = snapshot(root);
  const words = argv.split(" ").map((word) => word.replaceAll("␣", " "));
  const end = await runCli(root, words);
  const [line = "", ...hints] = end.stderr.trimEnd().split("\n");
  expect(line).toMatch(/^error: /);
  if (typeof message === "string") expect(`${line}\n`).toContain(message);
  else expect(line).toMatch(message);
  if (hints.length > 0) expect(hints[0]).toMatch(/^ {2}hint: /);
  for (const hint of hints) expect(hint).toMatch(/^ {2}/);
  expect(end.stdout).toBe("");
  expect(end.code).toBe(code);
  expect(snapshot(root)).toEqual(before);

  const json = await runCli(root, [...words, "--json"]);
  expect(json.code).toBe(code);
  expect(JSON.parse(json.stdout).diagnostics).toMatchObject([{ severity: "error", id: expect.any(String) }]);
}
