// The tutorials must contain everything that readers need in addition to their scaffolded project.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApi, createWebhook, initProject } from "../../src/scaffold/test-support/game.ts";
import { testDirectory } from "../../src/scaffold/test-support/tree.ts";
import { allPages, root } from "./pages.ts";

const pages = allPages();
const blocksOf = (path: string) => pages.find((page) => page.path === path)?.blocks ?? [];

const tutorials: readonly [page: string, ...examples: string[]][] = [
  ["website", "website"],
  ["game", "game", "game-webhook"],
  ["deploy-image", "deploy-image"],
  ["cronjob", "cronjob", "cronjob-v2"],
  ["dns", "dnsrecord"],
];

it.each(tutorials)("the tutorial %s contains all files of its example completely", (name, ...examples) => {
  const quoted = blocksOf(`docs/tutorials/${name}.md`).flatMap(({ quoted }) => quoted ?? []);
  const files = examples.flatMap((example) => filesUnder(`examples/${example}`));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => !quoted.includes(file))).toEqual([]);
});

/** The commands of the tutorials. Their pages highlight the lines of a file that a reader adds to the scaffolded one. */
const scaffolded: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  game: async (root) => {
    await initProject(root);
    await createApi(root, { kstatus: false });
    await createWebhook(root, { defaulting: true, validation: true });
  },
  "deploy-image": async (root) => {
    await initProject(root, { domain: "testproject.org" });
    await createApi(root, { group: "example.com", version: "v1alpha1", kind: "Memcached", kstatus: false });
  },
  cronjob: async (root) => {
    const kind = { group: "batch", kind: "CronJob" };
    await initProject(root, { domain: "tutorial.kubebuilder.io" });
    await createApi(root, { ...kind, kstatus: false });
    await createWebhook(root, { ...kind, defaulting: true, validation: true });
    await createApi(root, { ...kind, version: "v2", controller: false });
    await createWebhook(root, { ...kind, conversion: true, spokes: ["v2"] });
  },
  dns: async (root) => {
    await initProject(root, { domain: "example.com" });
    await createApi(root, { group: "dns", kind: "DnsRecord", kstatus: false });
  },
};

it.each(Object.keys(scaffolded))("the tutorial %s highlights the new lines of each whole file", async (name) => {
  const project = testDirectory();
  await scaffolded[name]?.(project);
  const missing: string[] = [];
  for (const { line, notes, quoted: reference = "" } of blocksOf(`docs/tutorials/${name}.md`)) {
    const path = reference
      .replace(/^testdata\/tutorials\/[^/]+\/[^/]+\//, "src/controller/")
      .replace(/^examples\/[^/]+\//, "");
    // Tests replace the scaffolded ones, so nearly all their lines are new.
    if (reference.includes("#") || !/(?<!\.test)\.ts$/.test(path)) continue;
    if (notes.since?.includes("/scaffolded/")) {
      const text = readFileSync(join(project, path), "utf8");
      await expect(text).toMatchFileSnapshot(join(root, notes.since));
    }
    if (existsSync(join(project, path)) && notes.since === undefined) missing.push(`${line}: ${path}`);
  }
  expect(missing).toEqual([]);
});

function filesUnder(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: "utf8" })
    .map((path) => `${directory}/${path.replaceAll("\\", "/")}`)
    .filter((path) => statSync(join(root, path)).isFile() && !path.endsWith("/README.md"));
}
