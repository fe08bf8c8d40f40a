import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Formatted, RunFormatter } from "./format.ts";
import { runFormatter } from "./run-formatter.ts";

/** A program that formats all files of its input as `prettier --write` does: its command starts a process per file. */
const program = `
let input = "";
for await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;
const { url, files } = JSON.parse(input);
const module = await import(url);
const prettier = module.format === undefined ? module.default : module;
const results = [];
for (const { path, text } of files) {
  try {
    const { ignored } = await prettier.getFileInfo(path, { ignorePath: ".prettierignore", withNodeModules: true });
    const config = ignored ? {} : await prettier.resolveConfig(path, { editorconfig: true });
    results.push({ text: ignored ? text : await prettier.format(text, { ...config, filepath: path }) });
  } catch (error) {
    results.push({ problem: String(error?.message ?? error) });
  }
}
process.stdout.write(JSON.stringify(results));
`;

/** Formats texts with Prettier, in one process. */
export const runPrettier: RunFormatter = async (files, { directory, ...project }) => {
  const url = pathToFileURL(createRequire(import.meta.url).resolve(directory)).href;
  const absolute = files.map(({ path, text }) => ({ path: join(project.root, path), text }));
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr, failure } = await runFormatter(
    process.execPath,
    args,
    JSON.stringify({ url, files: absolute }),
    project,
  );
  if (failure !== undefined) {
    const problem = firstLine(/^\w*Error: .*$/m.exec(stderr)?.[0] ?? stderr) || failure;
    return files.map(() => ({ problem }));
  }
  const results = JSON.parse(stdout) as Formatted[];
  return results.map((result) => ("problem" in result ? { problem: firstLine(result.problem) } : result));
};

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] ?? "";
