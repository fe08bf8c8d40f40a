// Builds the documentation site: `npm run docs:build` and `npm run docs:dev`. The site has its own packages.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { join } from "node:path";
import { install, root, run } from "../lib/run.mjs";

const site = join(root, "docs");
const [command = "build", ...args] = process.argv.slice(2);

try {
  await install(site);
  const vitepress = join(site, "node_modules/vitepress/bin/vitepress.js");
  const { code } = await run(process.execPath, [vitepress, command, ...args], { cwd: site, show: true });
  process.exitCode = code;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode ||= 1;
}
