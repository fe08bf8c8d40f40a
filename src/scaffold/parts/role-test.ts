/** The test that creates all samples with the permissions of the operator's role. */
export const roleTest = "test/role.test.ts";

/** The function of Vitest for a test that is still to be written. */
const pending = "it.todo";
// Without "[" in the list, the time doesn't grow with the square of many unfinished lists.
const list = /^const rejectedSamples = \[([^[\]]*)\];\n/m;
const comment = "// The API server rejects these samples. If you correct one, remove it here, and its test below.\n";
const plainCalls = ['createObjects(["config/samples"])', 'createObjects(["config/samples"], { namespace })'] as const;
const otherCalls = [
  'createObjects(["config/samples"], { except: rejectedSamples })',
  'createObjects(["config/samples"], { namespace, except: rejectedSamples })',
] as const;

/**
 * Returns the test of the role without samples that the API server rejects, and with a test to do for each.
 *
 * @param rejected - the reasons by the paths of the samples
 * @returns undefined if the test has another form than the scaffolded one
 */
export function withoutSamples(text: string, rejected: ReadonlyMap<string, string>): string | undefined {
  const left = [...rejected].filter(([path]) => !rejectedIn(text).includes(path));
  if (left.length === 0) return text;
  const paths = listOf([...rejectedIn(text), ...left.map(([path]) => path)]);
  const listed = list.test(text)
    ? text.replace(list, () => paths)
    : text.replace(/^\/\/ Runs src\/main\.ts/m, (line) => `${comment}${paths}\n${line}`);
  const called = plainCalls.reduce((before, call, at) => before.replace(call, otherCalls[at] ?? call), listed);
  if (rejectedIn(called).length === 0 || !/\bexcept: rejectedSamples\b/.test(called)) return undefined;
  const toDo = left.map(
    ([path, why]) => `  ${pending}(${JSON.stringify(`creates ${path}, which the API server rejects: ${why}`)});\n`,
  );
  const blank = list.test(text) ? "" : "\n";
  // The end of the last suite.
  const end = called.lastIndexOf("\n});\n") + 1;
  return end === 0 ? called : `${called.slice(0, end)}${blank}${toDo.join("")}${called.slice(end)}`;
}

/** Returns the test of the role with a sample again that {@link withoutSamples} has left out. */
export function withSample(text: string, path: string): string {
  if (!rejectedIn(text).includes(path)) return text;
  const left = rejectedIn(text).filter((each) => each !== path);
  const name = path.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const toDo = new RegExp(`^ {2}${pending.replace(".", "\\.")}\\(\\s*"creates ${name}, .*",?\\s*\\);\\n`, "m");
  const without = text.replace(toDo, "");
  if (left.length > 0) return without.replace(list, () => listOf(left));
  const called = otherCalls.reduce((before, call, at) => before.replace(call, plainCalls[at] ?? call), without);
  return called
    .replace(comment, "")
    .replace(new RegExp(`${list.source}\\n?`, "m"), "")
    .replace(/\n\n\}\);\n$/, "\n});\n");
}

const rejectedIn = (text: string): string[] =>
  [...(list.exec(text)?.[1] ?? "").matchAll(/"([^"]*)"/g)].map(([, path = ""]) => path);

const listOf = (paths: readonly string[]): string =>
  `const rejectedSamples = ${JSON.stringify(paths, undefined, 2)};\n`;
