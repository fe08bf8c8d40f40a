// Builds and runs the operators of the articles and of kubebuilder's book against a real API server, as readers would: `npm
// run e2e`. With names, it runs only those operators: `npm run e2e memcached`.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { bin, install, run } from "./lib/run.mjs";
import { testServers } from "./lib/test-servers.mjs";

const operators = [
  "examples",
  "examplea",
  "memcached",
  "virtulmachine",
  "game",
  "mywebserver",
  "cronjob",
  "deploy-image",
];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !operators.includes(name));

async function main() {
  if (unknown.length > 0) {
    process.stderr.write(`unknown operator ${unknown.join(", ")}: must be one of ${operators.join(", ")}\n`);
    return 2;
  }
  await install();
  const built = await run(process.execPath, ["scripts/build.mjs"], { show: true });
  if (built.code !== 0) return built.code;
  const assets = await testServers();
  if (assets === undefined) return 1;
  const projects = ["e2e", "envtest", "full"].flatMap((name) => ["--project", name]);
  const folders = (wanted.length > 0 ? wanted : operators).map((name) => `e2e/${name}/`);
  const { code } = await run(process.execPath, [bin("vitest", "vitest.mjs"), "run", ...projects, ...folders], {
    env: { KUBEBUILDER_ASSETS: assets },
    show: true,
  });
  return code;
}

process.exitCode = await main();
