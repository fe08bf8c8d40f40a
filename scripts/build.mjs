// Builds all packages: generated core types, bundles, declarations, and the data that the generator loads on demand.
// JavaScript with checked types, because it installs packages, or calls scripts that do.
// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin, install, must, root } from "./lib/run.mjs";

async function build() {
  await install();
  await must(process.execPath, ["--import", "tsx", "scripts/build-api.ts"], { show: true });
  for (const directory of ["dist", "packages/cel/dist", "packages/runtime/dist", "packages/apiserver/dist"])
    rmSync(join(root, directory), { recursive: true, force: true });
  // Each package contains the license, and the bundles need the texts of the packages that they contain.
  for (const directory of ["packages/cel", "packages/create-kubewright", "packages/runtime", "packages/apiserver"]) {
    for (const file of ["LICENSE", "NOTICE"]) cpSync(join(root, file), join(root, directory, file));
  }
  await must(process.execPath, [bin("tsdown", "dist/run.mjs")], { show: process.argv.includes("--verbose") });

  // The dashboard of `scaffold dev` is part of the command line's package.
  await must(process.execPath, [bin("vite", "bin/vite.js"), "build"], {
    show: true,
    cwd: join(root, "packages/dashboard"),
  });

  // The runtime package contains the Go modules from which test servers are built, including go.sum.
  const servers = join(root, "scripts/test-servers");
  for (const minor of readdirSync(servers)) {
    const target = join(root, "packages/runtime/dist/test-servers", minor);
    mkdirSync(target, { recursive: true });
    for (const file of ["go.mod", "go.sum"]) cpSync(join(servers, minor, file), join(target, `${file}.txt`));
  }

  // The resources of `scaffold mcp` are the pages of the installed version.
  await must(process.execPath, ["--import", "tsx", "scripts/docs/pack.ts"], { show: true });

  const coreTypes = join(root, "data/core-types");
  if (existsSync(coreTypes)) cpSync(coreTypes, join(root, "dist/core-types"), { recursive: true });

  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(
    join(root, "dist/build-info.json"),
    `${JSON.stringify({ version, published: process.env.KUBEWRIGHT_RELEASE === "true" }, null, 2)}\n`,
  );
}

try {
  await build();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode ||= 1;
}
