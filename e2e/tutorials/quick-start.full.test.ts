// Follows the quick start (docs/quick-start.md) with the real `scaffold dev`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { quote } from "../../scripts/docs/quote.ts";
import { eventually } from "../lib/eventually.ts";
import { Walk } from "./walk.ts";

const walk = new Walk("quick-start", "mygame");

let created: string;

beforeAll(async () => {
  created = await walk.scaffold(
    "init --domain qingwave.github.io --repo qingwave.github.io/mygame",
    "create api --group myapp --version v1 --kind Game --resource --controller",
  );
  await walk.install();
});
afterAll(() => walk.end());

it("create api lists the files of the kind, and the next step", async () => {
  await walk.shows("create-api", Walk.lines(created, /(types|controller|main)\.ts|^Created/));
});

it("the project generates the manifests from the types of the page", async () => {
  const path = join(walk.root, "api/v1/game-types.ts");
  const before = readFileSync(path, "utf8");
  const spec = quote("examples/game/api/v1/game-types.ts#GameSpec");
  const after = before
    .replace(/\/\*\* GameSpec [\s\S]*?\n}\n/, () => spec)
    .replace("import type { Int64", "import type { Int32, Int64");
  expect(after).toContain(spec);
  expect(after).toContain("{ Int32,");
  writeFileSync(path, after);
  await walk.shows("manifests", Walk.lines(await walk.npm("manifests"), /^(create|update) /));
});

it("the project passes the scaffolded tests", async () => {
  await walk.shows("test", Walk.lines(await walk.npm("test"), /Tests /));
});

it("the session reconciles the sample, and explains the cause", async () => {
  await walk.dev();
  await eventually(() => expect(walk.output).toMatch(/reconciled Game default\/game-sample/));
  await walk.shows("dev", Walk.lines(walk.output, /^(?!.*(reconciled|debug))/));
  // The informer can also find the sample in its first list.
  const created = "because create Game default/game-sample by kubewright-dev";
  const why = async () =>
    (await walk.ask("why", "game/game-sample")).replace("because found Game default/game-sample", created);
  await walk.becomes("why", why, /because update Game [\s\S]*because create Game /);
  await walk.becomes("get", () => walk.kubectl("get", "games"), /game-sample/);
});

it("the session updates the CRD when a marker changes", async () => {
  const path = join(walk.root, "api/v1/game-types.ts");
  const text = readFileSync(path, "utf8");
  const output = await walk.during(/configured CustomResourceDefinition.*\n/, () =>
    writeFileSync(path, text.replace("Minimum:=1", "Minimum:=1\n  // +kubebuilder:validation:Maximum:=10")),
  );
  await walk.shows("change", Walk.lines(output, /changed|generated|breaking|CustomResourceDefinition/));
});
