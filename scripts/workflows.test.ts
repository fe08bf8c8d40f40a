// Checks this repository's workflows and the scaffolded ones: they call existing commands, pin what they use, and have
// minimal permissions.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { root } from "./lib/run.mjs";
import { type Job, readWorkflow } from "./test-support/workflow.ts";

const directory = join(root, ".github/workflows");
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const { scripts, engines } = JSON.parse(text("package.json")) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const files = readdirSync(directory);
const workflows = files.map((file) => [file, readWorkflow(join(directory, file))] as const);
const jobs = workflows.flatMap(([file, { jobs }]) => Object.entries(jobs).map(([name, job]) => ({ file, name, job })));

/** Returns all commands of a job: those of its steps, and those that it passes to actions. */
function commandsOf({ steps }: Job): string[] {
  const passed = steps.flatMap((step) => [step.with?.version, step.with?.publish].map((each) => String(each ?? "")));
  return [...steps.map((step) => step.run ?? ""), ...passed].flatMap((each) => each.split("\n")).filter(Boolean);
}

/** Returns the reason why a command can't be run in a fresh clone, or undefined. */
function problemOf(command: string): string | undefined {
  const [program, first = "", second = ""] = command.trim().split(/\s+/);
  if (program === "node") return existsSync(join(root, first)) ? undefined : `there is no ${first}`;
  // Packages of the system.
  if (program === "sudo" && first === "apt-get") return undefined;
  if (program !== "npm") return `this test doesn't support ${program}`;
  if (first === "ci" || first === "audit")
    return existsSync(join(root, "package-lock.json")) ? undefined : "there is no lock file";
  const script = first === "run" ? second : first;
  return Object.hasOwn(scripts, script) ? undefined : `there is no script ${script}`;
}

describe("the workflows", () => {
  it("are the workflows that CONTRIBUTING describes", () => {
    expect(files.sort()).toEqual(["ci.yml", "docs.yml", "full.yml", "release.yml"]);
  });

  it("call only scripts and files that exist", () => {
    const problems = jobs.flatMap(({ file, job }) =>
      commandsOf(job).map((command) => [file, command, problemOf(command)] as const),
    );
    expect(problems.length).toBeGreaterThan(5);
    expect(problems.filter(([, , problem]) => problem !== undefined)).toEqual([]);
    expect(problemOf("npm run nothing")).toBe("there is no script nothing");
    expect(problemOf("node scripts/nothing.mjs")).toBe("there is no scripts/nothing.mjs");
  });

  it("run README's two commands on each supported version of Node", () => {
    const { test, quickstart } = readWorkflow(join(directory, "ci.yml")).jobs;
    expect(test?.strategy?.matrix.node).toEqual([engines.node.replace(">=", ""), "22", "24"]);
    expect(commandsOf(test!)).toEqual(["npm ci --ignore-scripts", "npm test"]);
    expect(commandsOf(quickstart!)).toEqual(["npm run quickstart"]);
    for (const command of ["npm test", "npm run quickstart"]) expect(text("README.md")).toContain(`\n${command} `);
    expect(text(".ci/run")).toContain("\nexec npm test\n");
  });

  it("run each part of the full tests every night", () => {
    const job = readWorkflow(join(directory, "full.yml")).jobs.full as Job;
    expect(commandsOf(job)).toContain("npm run test:full -- --part $PART");
    const run = job.strategy?.matrix.part as string[];
    const [, list = ""] = /^const parts = \[(.*)\];$/m.exec(text("scripts/test.mjs")) ?? [];
    const names = new Set(run.map((part) => part.replace(/ --shard .*/, "")));
    expect([...names]).toEqual(list.split(", ").map((name) => JSON.parse(name)));
    const shards = run.flatMap((part) => / --shard (.*)/.exec(part)?.[1] ?? []);
    expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`));
  });

  it("audit all packages every night, because bundled ones aren't in a published package.json", () => {
    expect(commandsOf(readWorkflow(join(directory, "full.yml")).jobs.audit!)).toEqual(["npm audit"]);
  });

  it("have only permission to read the code, except for the release and the site", () => {
    for (const [file, { permissions }] of workflows) expect(permissions, file).toEqual({});
    const more = jobs.filter(({ job }) => JSON.stringify(job.permissions) !== '{"contents":"read"}');
    expect(more.map(({ file, name, job }) => [file, name, job.permissions])).toEqual([
      ["docs.yml", "deploy", { pages: "write", "id-token": "write" }],
      ["release.yml", "release", { contents: "write", "pull-requests": "write", "id-token": "write" }],
    ]);
  });

  it("have a time limit per job", () => {
    for (const { file, name, job } of jobs) expect(job, `${file} ${name}`).toHaveProperty("timeout-minutes");
  });
});

const goldens = join(root, "testdata/projects");
const places = [root, ...readdirSync(goldens).map((name) => join(goldens, name))];
const everywhere = places.flatMap((place) =>
  readdirSync(join(place, ".github/workflows")).map((file) => join(place, ".github/workflows", file)),
);

describe("each workflow of this repository and of scaffolded projects", () => {
  it("pins each action to a commit, and names its release", () => {
    const used = everywhere.flatMap((path) => readFileSync(path, "utf8").match(/uses: .*/g) ?? []);
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const releases = new Map(used.map((line) => [line.split("@")[0], line]));
    expect(new Set(used).size, "one release of each action").toBe(releases.size);
  });

  it.each(everywhere.map((path) => [relative(root, path), readWorkflow(path)] as const))(
    "in %s doesn't expose credentials to pull requests, and doesn't run their text",
    (path, { on = {}, permissions, jobs }) => {
      // Workflows for this event run with the secrets of the repository, for any fork.
      expect(Object.keys(on)).not.toContain("pull_request_target");
      expect(permissions).toEqual({});
      for (const [name, job] of Object.entries(jobs)) {
        expect(Object.keys(job.permissions ?? {}), `${path} ${name}`).not.toEqual([]);
        const checkouts = job.steps.filter((step) => step.uses?.startsWith("actions/checkout@"));
        expect(checkouts.map((step) => step.with?.["persist-credentials"])).toEqual(checkouts.map(() => false));
        // Otherwise the text of a pull request, such as its title, could become part of the command.
        for (const command of commandsOf(job)) expect(command).not.toContain("${{");
      }
    },
  );

  it("runs no install scripts of packages", () => {
    const installs = everywhere.flatMap(
      (path) => readFileSync(path, "utf8").match(/^.*\b(npm (ci|install|i)|pnpm install|yarn install)\b.*$/gm) ?? [],
    );
    expect(installs.length).toBeGreaterThan(10);
    expect(installs.filter((line) => !/--ignore-scripts|--mode=skip-build/.test(line))).toEqual([]);
  });

  it("checks the checksum of each program that it downloads", () => {
    const steps = everywhere.flatMap((path) => Object.values(readWorkflow(path).jobs).flatMap((job) => job.steps));
    const downloads = steps.filter(({ run }) => /\b(curl|wget)\b/.test(run ?? ""));
    expect(downloads.length).toBeGreaterThanOrEqual(places.length - 1);
    for (const { run = "", env = {} } of downloads) {
      const [before = "", after = ""] = run.split("sha256sum --check");
      expect(before.match(/\b(curl|wget)\b/g), run).toHaveLength(1);
      expect(after, "it is installed after the check").toContain("install");
      expect(Object.values(env)).toContainEqual(expect.stringMatching(/^[0-9a-f]{64}$/));
      expect(run, "a fixed release instead of the newest").not.toContain("latest");
    }
  });

  it.each(places.map((place) => [relative(root, place) || "this repository", place]))(
    "in %s has its actions and packages updated by Dependabot",
    (_, place) => {
      const { updates } = load(readFileSync(join(place, ".github/dependabot.yml"), "utf8")) as {
        updates: Record<string, unknown>[];
      };
      const ecosystems = updates.map((update) => update["package-ecosystem"]);
      expect(ecosystems).toEqual(expect.arrayContaining(["npm", "github-actions"]));
      expect(ecosystems.includes("docker")).toBe(existsSync(join(place, "Dockerfile")));
    },
  );
});

it("every script of package.json starts a file that exists", () => {
  const started = Object.values(scripts).flatMap((script) => script.match(/\b[\w/.-]+\.(mjs|ts|json)\b/g) ?? []);
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
