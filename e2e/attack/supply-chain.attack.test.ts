// Simulates attackers who control a download of a scaffolded project: a package, or the server of kind.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { must } from "../../scripts/lib/run.mjs";
import { fullTest } from "../../scripts/test-support/full-test.ts";
import { readWorkflow, runJob, type Step } from "../../scripts/test-support/workflow.ts";
import { goldens } from "../lib/golden.ts";

const project = join(goldens, "game");
let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "kubewright-supply-"));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

function stepOf(workflow: string, name: string): Step {
  const jobs = Object.values(readWorkflow(join(project, ".github/workflows", workflow)).jobs);
  const step = jobs.flatMap(({ steps }) => steps).find((step) => step.name === name);
  if (step === undefined) throw new Error(`${workflow} has no step ${name}`);
  return step;
}

describe("a hijacked download", () => {
  fullTest("of a package can't run install scripts in the image's build or in workflows", async ({ task }) => {
    const hijacked = join(scratch, "hijacked");
    const marker = join(scratch, "ran");
    mkdirSync(hijacked);
    const scripts = Object.fromEntries(
      ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, `echo ${name} >> '${marker}'`]),
    );
    writeFileSync(join(hijacked, "package.json"), JSON.stringify({ name: "hijacked", version: "1.0.0", scripts }));
    await must("npm", ["pack", "--ignore-scripts"], { cwd: hijacked });
    const manifest = {
      name: "operator",
      private: true,
      dependencies: { hijacked: "file:hijacked/hijacked-1.0.0.tgz" },
    };
    writeFileSync(join(scratch, "package.json"), JSON.stringify(manifest));
    await must("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit"], { cwd: scratch });

    const dockerfile = DockerfileParser.parse(readFileSync(join(project, "Dockerfile"), "utf8"));
    const [inImage] = dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === "RUN");
    const workflows = ["test.yml", "lint.yml", "test-e2e.yml"];
    const commands = [
      inImage?.getArgumentsContent(),
      ...workflows.map((workflow) => stepOf(workflow, "Install packages").run),
    ];
    (task.meta as { attempts?: number }).attempts = commands.length;
    for (const command of commands) {
      await must("sh", ["-ec", command ?? "exit 1"], { cwd: scratch });
      expect(existsSync(join(scratch, "node_modules/hijacked/package.json")), command ?? "").toBe(true);
      expect(existsSync(marker), command ?? "").toBe(false);
    }
    // Without --ignore-scripts they run, so the test can fail.
    await must("npm", ["ci", "--no-audit"], { cwd: scratch });
    expect(readFileSync(marker, "utf8")).toContain("postinstall");
  });

  it("of kind with another checksum is neither installed nor run", async ({ task }) => {
    const programs = join(scratch, "bin");
    mkdirSync(programs);
    const program = (name: string, script: string) => {
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
      chmodSync(join(programs, name), 0o755);
    };
    program("sudo", 'echo "$@" >> calls');
    const downloads = ["echo kind > kind", ": > kind", "exit 22", "echo '<html>' > kind; exit 0"];
    (task.meta as { attempts?: number }).attempts = downloads.length;
    const env = { PATH: [programs, process.env.PATH].join(delimiter) };
    for (const download of downloads) {
      program("curl", download);
      const job = { steps: [stepOf("test-e2e.yml", "Install kind")] };
      const [end] = await runJob(job, { cwd: scratch, env, actions: {} });
      expect(end?.code, download).not.toBe(0);
      expect(existsSync(join(scratch, "calls")), download).toBe(false);
    }
  });
});
