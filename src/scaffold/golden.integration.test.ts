// The complete scaffolded trees, for reviews. Regenerate: npx vitest run src/scaffold/golden.integration.test.ts -u
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { variants } from "../../scripts/test-support/thorough.ts";
import { installPackages } from "./test-support/formatted.ts";
import { createApi, createWebhook, initProject, newProject } from "./test-support/game.ts";
import { testDirectory } from "./test-support/tree.ts";

const projects = fileURLToPath(new URL("../../testdata/projects", import.meta.url));
const updating = process.argv.includes("-u") || process.argv.includes("--update");

function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .filter((path) => !path.startsWith(".kubewright"))
    .sort();
}

const pod = { group: "core", kind: "Pod", core: { plural: "pods", namespaced: true } };
const issuer = {
  group: "cert-manager",
  kind: "Issuer",
  external: { path: "@kubernetes-models/cert-manager/cert-manager.io/v1", domain: "io" },
};

/** The projects in testdata/projects, and the commands that create them. */
const made: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
  game: async (root) => {
    await initProject(root);
    await createApi(root);
  },
  children: async (root) => {
    await initProject(root, { projectName: "children", repo: "children", domain: "example.com" });
    await createApi(root, { group: "crew", kind: "Captain", children: true });
    const named = { kstatus: false, controllerName: "fleet-log" };
    await createApi(root, { group: "crew", kind: "Fleet", namespaced: false, ...named, children: true });
  },
  website: (root) => newProject(root, "example.com"),
  webhooks: async (root) => {
    await initProject(root, { projectName: "webhooks", repo: "webhooks", domain: "example.com" });
    const own = { group: "crew" };
    await createApi(root, { ...own, kind: "Captain" });
    await createWebhook(root, { ...own, kind: "Captain", defaulting: true });
    await createWebhook(root, { ...own, kind: "Captain", validation: true, validationPath: "/check-captain" });
    await createApi(root, { ...own, kind: "FirstMate" });
    await createApi(root, { ...own, kind: "FirstMate", version: "v2", controller: false });
    await createWebhook(root, { ...own, kind: "FirstMate", conversion: true, spokes: ["v2"] });
    await createWebhook(root, { ...issuer, defaulting: true });
    await createWebhook(root, { ...pod, defaulting: true, validation: true });
  },
  multigroup: async (root) => {
    await initProject(root, {
      projectName: "multigroup",
      repo: "@acme/multigroup",
      multigroup: true,
      namespaced: true,
    });
    for (const group of ["ship", "crew.pay"]) {
      await createApi(root, { group, kind: "Log", namespaced: group === "ship", kstatus: false });
      await createWebhook(root, { group, kind: "Log", validation: true });
    }
    await createApi(root, { group: "ship", kind: "Log", version: "v2", controller: false });
    await createWebhook(root, { group: "ship", kind: "Log", version: "v1", conversion: true, spokes: ["v2"] });
    await createWebhook(root, { ...pod, validation: true });
  },
  self: async (root) => {
    await initProject(root, { projectName: "self", repo: "self", domain: "example.com", webhookCerts: "self" });
    await withEveryWebhook(root);
  },
};

async function withEveryWebhook(root: string): Promise<void> {
  await createApi(root, { group: "crew" });
  await createApi(root, { group: "crew", version: "v2", controller: false });
  await createWebhook(root, { group: "crew", defaulting: true, validation: true });
  await createWebhook(root, { group: "crew", conversion: true, spokes: ["v2"] });
}

it("the project with files equals testdata/webhook-certs/files, for files that differ from cert-manager's", async () => {
  const [root, other] = [testDirectory(), testDirectory()];
  const name = { projectName: "files", repo: "files", domain: "example.com" };
  await initProject(root, { ...name, webhookCerts: "files" });
  await initProject(other, name);
  for (const project of [root, other]) await withEveryWebhook(project);
  const same = (path: string) =>
    existsSync(join(other, path)) && readFileSync(join(other, path), "utf8") === readFileSync(join(root, path), "utf8");
  const files = filesBelow(root).filter((path) => !same(path));
  const golden = join(projects, "../webhook-certs/files");
  for (const path of files) {
    await expect(readFileSync(join(root, path), "utf8")).toMatchFileSnapshot(join(golden, path));
  }
  expect(filesBelow(golden).filter((path) => !files.includes(path))).toEqual([]);
});

it.each(Object.keys(made))("the project equals testdata/projects/%s", async (name) => {
  const root = testDirectory();
  const golden = join(projects, name);
  await made[name]?.(root);
  const files = filesBelow(root);
  const stale = filesBelow(golden).filter((path) => !files.includes(path));
  if (updating) for (const path of stale) rmSync(join(golden, path));
  else expect(stale).toEqual([]);
  for (const path of files) {
    await expect(readFileSync(join(root, path), "utf8")).toMatchFileSnapshot(join(golden, path));
  }
});

const require = createRequire(import.meta.url);
const biome = join(dirname(require.resolve("@biomejs/biome/package.json")), "bin/biome");

/** Returns Biome's output for a project; an empty text if it finds nothing. */
function lint(root: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [biome, "check", "--colors=off", "."], {
    cwd: root,
    encoding: "utf8",
  });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

describe("a scaffolded project is formatted and lint-clean", () => {
  const longest = "the longest names, with its formatter";
  const long = `L${"o".repeat(61)}g`;

  const examples: readonly (readonly [string, object, readonly object[]])[] = [
    ["several groups", { multigroup: true }, [{}, { group: "other", kind: "Game" }, { group: "other", kind: "Chess" }]],
    ["one kind", {}, [{}]],
    ["a cluster-scoped kind with its own plural", {}, [{ namespaced: false, plural: "gamez" }]],
    ["a namespaced project", { namespaced: true }, [{}]],
    ["several kinds and versions", {}, [{}, { kind: "Chess" }, { kind: "Go", version: "v2alpha1" }]],
    [
      longest,
      {
        projectName: "p".repeat(44),
        repo: `@acme/${"r".repeat(180)}`,
        domain: `${"d".repeat(60)}.io`,
        multigroup: true,
      },
      [{ group: "g".repeat(60), kind: long, version: "v123456789alpha123456789" }],
    ],
    ["the shortest names", { projectName: "p", repo: "r", domain: "d" }, [{ group: "g", kind: "K" }]],
  ];
  it.each(variants(examples.toReversed(), 2))("with %s", async (title, project, kinds) => {
    const root = testDirectory();
    await initProject(root, project);
    if (title === longest) installPackages(root, "@biomejs/biome");
    for (const kind of kinds) await createApi(root, kind);
    expect(lint(root)).toBe("");
  });
});

it.each(variants([`${"d".repeat(60)}.io`, "d", "example.com"], 1))(
  "the example is formatted and lint-clean in %s",
  async (domain) => {
    const root = testDirectory();
    await newProject(root, domain);
    expect(lint(root)).toBe("");
  },
);

describe("scaffolded webhooks are formatted and lint-clean", () => {
  const long = `L${"o".repeat(61)}g`;
  const names = {
    projectName: "p".repeat(44),
    repo: `@acme/${"r".repeat(180)}`,
    domain: `${"d".repeat(60)}.io`,
    multigroup: true,
  };
  const group = "g".repeat(60);
  const version = "v123456789alpha123456789";
  const all = { defaulting: true, validation: true };
  const path = { defaultingPath: `/${"d".repeat(150)}`, validationPath: `/${"v".repeat(150)}` };

  const commands: readonly (readonly [string, (root: string) => Promise<unknown>])[] = [
    ["all webhooks", async (root) => made.webhooks?.(root)],
    ["several groups", async (root) => made.multigroup?.(root)],
    [
      "the longest names, with its formatter",
      async (root) => {
        await initProject(root, names);
        installPackages(root, "@biomejs/biome");
        for (const apiVersion of [version, "v123456789beta123456789"]) {
          await createApi(root, { group, kind: long, version: apiVersion, controller: false });
        }
        await createWebhook(root, { group, kind: long, version, ...all, ...path });
        await createWebhook(root, {
          group,
          kind: long,
          version,
          conversion: true,
          spokes: ["v123456789beta123456789"],
        });
        await createWebhook(root, { group, kind: long, version: "v123456789beta123456789", ...all });
      },
    ],
    [
      "long names in two commands, with its formatter",
      async (root) => {
        await initProject(root, names);
        installPackages(root, "@biomejs/biome");
        await createApi(root, { group, kind: long, version });
        await createWebhook(root, { group, kind: long, version, defaulting: true });
        await createWebhook(root, { group, kind: long, version, validation: true });
      },
    ],
    [
      "the shortest names",
      async (root) => {
        await initProject(root, { projectName: "p", repo: "r", domain: "d" });
        for (const name of ["v1", "v2"])
          await createApi(root, { group: "g", kind: "K", version: name, controller: false });
        await createWebhook(root, { group: "g", kind: "K", ...all, conversion: true, spokes: ["v2"] });
        await createWebhook(root, { ...issuer, ...all });
      },
    ],
  ];
  it.each(variants(commands.toReversed(), 1))("with %s", async (_, make) => {
    const root = testDirectory();
    await make(root);
    expect(lint(root)).toBe("");
  });
});

it("testdata also contains the files that git would ignore", () => {
  expect(filesBelow(join(projects, "game"))).toContain(".gitignore");
});
