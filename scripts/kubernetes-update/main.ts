// Prepares an update to another release of Kubernetes: lists what changed upstream, and extracts the data of the release.
//
//   npm run kubernetes:update -- 1.38.0-beta.0 [--out DIRECTORY] [--list-only]
//
// Needs Go and the Go module proxy. A release that needs a newer Go than the installed one needs GOTOOLCHAIN, such as
// GOTOOLCHAIN=go1.27.0. In the repository, only the locked modules of the release are added, such as scripts/api-data/1.38.mod.
// CONTRIBUTING.md describes the steps of an update.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { KUBERNETES_VERSION } from "../../packages/runtime/src/api/kubernetes-version.ts";
import { downloadSources } from "./modules.ts";
import { formatWorkList, type Release, workList } from "./work-list.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: "string" }, "list-only": { type: "boolean", default: false } },
});
const [version] = positionals;
if (version === undefined || !/^1\.\d+\.\d+(-[a-z]+\.\d+)?$/.test(version)) {
  console.error(`${version ?? "no release"}: must be a release of Kubernetes, such as 1.38.0-beta.0`);
  process.exit(2);
}

const release = (name: string): Release => ({ version: name, sources: downloadSources(name) });
const [before, after] = [release(KUBERNETES_VERSION.replace(/^v/, "")), release(version)];
const directory = values.out === undefined ? mkdtempSync(join(tmpdir(), "kubernetes-update-")) : resolve(values.out);
mkdirSync(directory, { recursive: true });

const sections = workList(before, after);
const list = join(directory, "work-list.md");
writeFileSync(list, formatWorkList(before, after, sections));
for (const { title, changes } of sections) console.log(`${String(changes.length).padStart(5)}  ${title}`);
console.log(`\nThe list with all changes: ${list}`);

if (!values["list-only"]) {
  const run = (command: string, args: readonly string[], cwd: string): void => {
    const { status } = spawnSync(command, args, { cwd: join(import.meta.dirname, "..", cwd), stdio: "inherit" });
    if (status === 0) return;
    console.error(`scripts/${cwd}: the data of ${version} could not be extracted; the list above is complete`);
    process.exit(1);
  };
  const data = join(directory, "data");
  console.log(`Data of the release: ${data}`);
  run("go", ["run", ".", "-kubernetes", `v${version}`, "-out", data], "core-types");
  run(
    process.execPath,
    ["--import", "tsx", "extract.ts", join(data, "apiserver"), "--release", `v${version}`],
    "api-data",
  );
}
