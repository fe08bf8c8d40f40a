// Checks the types of all workspaces, or of the given ones: npm run typecheck [-- packages/runtime …]
// JavaScript with checked types, because `npm test` calls it as it calls the scripts that install packages.
// @ts-check
import { bin, run } from "./lib/run.mjs";
import { typedWorkspaces } from "./lib/workspaces.mjs";

const chosen = process.argv.slice(2);
for (const workspace of chosen.length > 0 ? chosen : typedWorkspaces()) {
  const args = [bin("typescript-native", "bin/tsc"), "-p", workspace];
  const { code } = await run(process.execPath, args, { show: true });
  if (code !== 0) process.exitCode = 1;
}
