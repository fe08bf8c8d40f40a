// This repository's own workflows: what they call exists, what they use is pinned, and they may do no more than they have to.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Job, readWorkflow } from "../e2e/lib/workflow.ts";
import { root } from "./lib/run.mjs";

const directory = join(root, ".github/workflows");
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const { scripts, engines } = JSON.parse(text("package.json")) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const files = readdirSync(directory);
const workflows = files.map((file) => [file, readWorkflow(join(directory, file))] as const);
const jobs = workflows.flatMap(([file, { jobs }]) => Object.entries(jobs).map(([name, job]) => ({ file, name, job })));

/** Every command of a job: those of its steps, and those that it hands to actions. */
function commandsOf({ steps }: Job): string[] {
  const handed = steps.flatMap((step) => [step.with?.version, step.with?.publish].map((each) => String(each ?? "")));
  return [...steps.map((step) => step.run ?? ""), ...handed].flatMap((each) => each.split("\n")).filter(Boolean);
}

/** Why a command can't be run in a fresh clone; undefined where it can. */
function problemOf(command: string): string | undefined {
  const [program, first = "", second = ""] = command.trim().split(/\s+/);
  if (program === "node") return existsSync(join(root, first)) ? undefined : `there is no ${first}`;
  if (program !== "npm") return `nobody has taught this test ${program}`;
  if (first === "ci" || first === "audit")
    return existsSync(join(root, "package-lock.json")) ? undefined : "there is no lock file";
  const script = first === "run" ? second : first;
  return Object.hasOwn(scripts, script) ? undefined : `there is no script ${script}`;
}

describe("the workflows", () => {
  it("are those that README and CONTRIBUTING tell of", () => {
    expect(files.sort()).toEqual(["ci.yml", "full.yml", "release.yml"]);
  });

  it("call only scripts and files that exist", () => {
    const problems = jobs.flatMap(({ file, job }) =>
      commandsOf(job).map((command) => [file, command, problemOf(command)] as const),
    );
    expect(problems.length).toBeGreaterThan(5);
    expect(problems.filter(([, , problem]) => problem !== undefined)).toEqual([]);
    expect(problemOf("npm run nothing")).toBe("there is no script nothing");
    expect(problemOf("node hack/nothing.mjs")).toBe("there is no hack/nothing.mjs");
  });

  it("run README's two commands on each version of Node, from the oldest that the packages allow", () => {
    const { test, quickstart } = readWorkflow(join(directory, "ci.yml")).jobs;
    expect(test?.strategy?.matrix.node).toEqual([engines.node.replace(">=", ""), "22", "24"]);
    expect(commandsOf(test!)).toEqual(["npm ci", "npm test"]);
    expect(commandsOf(quickstart!)).toEqual(["npm run quickstart"]);
    for (const command of ["npm test", "npm run quickstart"]) expect(text("README.md")).toContain(`\n${command} `);
    expect(text(".ci/run")).toContain("\nexec npm test\n");
  });

  it("look every night for packages with known holes: those that are bundled are in no published package.json", () => {
    expect(commandsOf(readWorkflow(join(directory, "full.yml")).jobs.audit!)).toEqual(["npm audit"]);
  });

  it("pin each action to a commit, and say which release that is", () => {
    const used = files.flatMap((file) => text(`.github/workflows/${file}`).match(/uses: .*/g) ?? []);
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const releases = new Map(used.map((line) => [line.split("@")[0], line]));
    expect(new Set(used).size, "one release of each action").toBe(releases.size);
  });

  it("may read the code and nothing else, but for the release", () => {
    for (const [file, { permissions }] of workflows) expect(permissions, file).toEqual({});
    const more = jobs.filter(({ job }) => JSON.stringify(job.permissions) !== '{"contents":"read"}');
    expect(more.map(({ file, name, job }) => [file, name, job.permissions])).toEqual([
      ["release.yml", "release", { contents: "write", "pull-requests": "write", "id-token": "write" }],
    ]);
  });

  it("leave no token in the checkout, and put nothing that others write into a command", () => {
    for (const { file, name, job } of jobs) {
      const checkout = job.steps.find((step) => step.uses?.startsWith("actions/checkout@"));
      expect(checkout?.with?.["persist-credentials"], `${file} ${name}`).toBe(false);
      for (const command of commandsOf(job)) expect(command).not.toContain("${{");
    }
  });

  it("end when something hangs", () => {
    for (const { file, name, job } of jobs) expect(job, `${file} ${name}`).toHaveProperty("timeout-minutes");
  });
});

it("every script of package.json starts a file that exists", () => {
  const started = Object.values(scripts).flatMap((script) => script.match(/\b[\w/.-]+\.(mjs|ts|json)\b/g) ?? []);
  expect(started.length).toBeGreaterThan(5);
  expect(started.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
