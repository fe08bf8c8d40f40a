// Runs and times the README's two commands on a fresh clone without Go: `node scripts/fresh-clone.mjs [--no-cache] [quickstart]
// [test]`. With --no-cache, npm and the test servers don't use earlier downloads.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { must, root, run, since } from "./lib/run.mjs";

/** @type {Record<string, readonly [string, ...string[]]>} */
const commands = { quickstart: ["npm", "run", "quickstart"], test: ["npm", "test"] };
const wanted = process.argv.slice(2).filter((argument) => argument !== "--no-cache");
const unknown = wanted.find((name) => !Object.hasOwn(commands, name));
const withoutCache = process.argv.includes("--no-cache");

/** Returns PATH without the directories that contain Go. */
function pathWithoutGo() {
  const places = (process.env.PATH ?? "").split(delimiter).filter((place) => !existsSync(join(place, "go")));
  const missing = ["node", "npm", "git"].find((name) => !places.some((place) => existsSync(join(place, name))));
  if (missing) throw new Error(`${missing} lies beside go: without the one the other is hidden too`);
  return places.join(delimiter);
}

async function main() {
  if (unknown !== undefined)
    throw new Error(`unknown command ${unknown}: must be one of ${Object.keys(commands).join(", ")}`);
  const scratch = mkdtempSync(join(tmpdir(), "kubewright-fresh-"));
  const [clone, cache] = [join(scratch, "clone"), join(scratch, "cache")];
  const nothing = {
    npm_config_cache: join(cache, "npm"),
    XDG_DATA_HOME: cache,
    XDG_CACHE_HOME: cache,
    KUBEBUILDER_ASSETS: "",
  };
  const env = { PATH: pathWithoutGo(), TMPDIR: scratch, ...(withoutCache ? nothing : {}) };
  /** @type {[string, string, number][]} */
  const rows = [];
  try {
    // The same permissions as /tmp, because some tests read the directory as other users.
    chmodSync(scratch, 0o755);
    mkdirSync(cache);
    for (const [name, [command, ...args]] of Object.entries(commands)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      rmSync(clone, { recursive: true, force: true });
      await must("git", ["clone", "--quiet", root, clone], { show: true });
      const start = performance.now();
      const { code } = await run(command, args, { cwd: clone, env, show: true });
      rows.push([[command, ...args].join(" "), since(start), code]);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.stdout.write(
    `\nOn a fresh clone, without Go, ${withoutCache ? "with nothing fetched before" : "with what was fetched before"}\n`,
  );
  for (const [command, time, code] of rows)
    process.stdout.write(`${command.padEnd(20)} ${time.padStart(9)}  exit code ${code}\n`);
  return rows.some(([, , code]) => code !== 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode ||= 1;
}
