// Lints the Dockerfile, and checks the calls of the container tool by the targets. A script replaces the tool.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { load } from "js-yaml";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { must, run } from "../../scripts/lib/run.mjs";
import { checkout, scaffoldBin } from "../../scripts/test-support/scaffold.ts";

const project = mkdtempSync(join(tmpdir(), "kubewright-dockerfile-"));
const tool = join(project, "tool");
const calls = join(project, "calls");
const cross = join(project, "Dockerfile.cross");
const text = (path: string) => readFileSync(path, "utf8");
const task = (name: string, env: Record<string, string> = {}) =>
  [scaffoldBin, name, { cwd: project, env: { CONTAINER_TOOL: tool, IMG: "example.com/game:v1", ...env } }] as const;
const runTask = async (name: string, env?: Record<string, string>) => {
  const [script, target, options] = task(name, env);
  await must(process.execPath, [script, target], options);
  return text(calls).trim().split("\n");
};

/** Returns the images in the `FROM` instructions. */
const images = (dockerfile: string) =>
  DockerfileParser.parse(dockerfile)
    .getFROMs()
    .map((from) => ({ platform: from.getPlatformFlag()?.getValue(), image: from.getImage() }));

beforeAll(() => {
  cpSync(join(checkout, "testdata/projects/game"), project, { recursive: true });
});
beforeEach(() => {
  // Records its arguments and the current Dockerfile.
  writeFileSync(
    tool,
    `#!/bin/sh\necho "$@" >> '${calls}'\n[ ! -f Dockerfile.cross ] || cp Dockerfile.cross '${calls}.cross'\n`,
  );
  chmodSync(tool, 0o755);
  rmSync(calls, { force: true });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the Dockerfile", () => {
  it("passes its linter", () => {
    const problems = validate(text(join(project, "Dockerfile")));
    expect(problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
    // Shows that the linter can fail.
    expect(validate("FROM a\nENTRYPOINT node\nENTRYPOIN x\n")).not.toEqual([]);
  });

  it("adds only the bundle to a distroless Node image with a non-root user", () => {
    const dockerfile = DockerfileParser.parse(text(join(project, "Dockerfile")));
    expect(images(text(join(project, "Dockerfile"))).at(-1)).toEqual({
      platform: undefined,
      image: expect.stringMatching(/^gcr\.io\/distroless\/nodejs\d+-debian\d+:nonroot@sha256:[0-9a-f]{64}$/),
    });
    const last = dockerfile
      .getInstructions()
      .slice(dockerfile.getInstructions().lastIndexOf(dockerfile.getFROMs().at(-1)!));
    const argumentsOf = (keyword: string) =>
      last
        .filter((instruction) => instruction.getKeyword() === keyword)
        .map((instruction) => instruction.getArguments().join(" "));
    expect(argumentsOf("USER")).toEqual(["65532:65532"]);
    expect(argumentsOf("RUN")).toEqual([]);
    expect(argumentsOf("COPY")).toEqual([
      "/workspace/dist/main.js /workspace/dist/main.js.map /workspace/dist/package.json ./",
      "/workspace/dist/sbom.cdx.json /workspace/dist/THIRD-PARTY-LICENSES.txt ./",
    ]);
  });

  it("pins each image by tag and digest for Dependabot, and uses BASE_IMAGE as build image if set", () => {
    const dockerfile = text(join(project, "Dockerfile"));
    const froms = images(dockerfile).map(({ image }) => image);
    expect(froms[1]).toMatch(/^\$\{BASE_IMAGE\}$/);
    expect(dockerfile).toContain("\nARG BASE_IMAGE=build-image\n");
    expect(dockerfile).toMatch(/^FROM \S+ AS build-image$/m);
    // Dependabot needs the digest to update an image, and readers need the tag.
    for (const image of [froms[0], froms[2]]) expect(image).toMatch(/^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
    expect(froms).toHaveLength(3);
    const { updates } = load(text(join(project, ".github/dependabot.yml"))) as {
      updates: { "package-ecosystem": string; directory: string }[];
    };
    const ecosystems = updates.map((update) => [update["package-ecosystem"], update.directory]);
    expect(ecosystems).toEqual(["npm", "github-actions", "docker"].map((each) => [each, "/"]));
  });

  /** Returns the calls that a command of the Dockerfile or a workflow makes in a directory with these files. */
  async function called(command: string, files: readonly string[]): Promise<string> {
    const [directory, record] = [mkdtempSync(join(project, "lock-")), join(project, "installed")];
    const programs = join(directory, "bin");
    mkdirSync(programs);
    for (const name of ["npm", "corepack"]) {
      writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} "$@" >> '${record}'\n`);
      chmodSync(join(programs, name), 0o755);
    }
    for (const file of files) writeFileSync(join(directory, file), "");
    const env = { PATH: [programs, process.env.PATH].join(delimiter) };
    await must("sh", ["-ec", command], { cwd: directory, env });
    const calls = text(record);
    rmSync(record);
    return calls;
  }

  it.each([
    [["package-lock.json"], "npm ci --ignore-scripts"],
    [["pnpm-lock.yaml", "pnpm-workspace.yaml"], "corepack pnpm install --frozen-lockfile --ignore-scripts"],
    [["yarn.lock", ".yarnrc.yml"], "corepack yarn install --immutable --mode=skip-build"],
    [["yarn.lock"], "corepack yarn install --frozen-lockfile --ignore-scripts"],
    [[], "npm install --ignore-scripts"],
  ])("and the workflows install packages with the existing lock file: %j", async (files, call) => {
    const dockerfile = DockerfileParser.parse(text(join(project, "Dockerfile")));
    const [run] = dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === "RUN");
    expect(await called(run!.getArgumentsContent()!, files)).toBe(`${call}\n`);
    const brought = dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === "COPY");
    for (const file of files) {
      expect(brought[0]!.getArguments().map((argument) => argument.getValue().replace("*", ""))).toContain(file);
      expect(text(join(project, ".dockerignore"))).toContain(`\n!${file}\n`);
    }
    for (const name of ["test", "lint", "test-e2e"]) {
      const { jobs } = load(text(join(project, `.github/workflows/${name}.yml`))) as Workflow;
      const step = Object.values(jobs)[0]!.steps.find((step) => step.name === "Install packages");
      expect(await called(step!.run!, files), name).toBe(`${call}\n`);
    }
  });

  it("has the same command as the Deployment, which forbids root, writing and privilege escalation", () => {
    const entrypoint = /^ENTRYPOINT (.*)$/m.exec(text(join(project, "Dockerfile")))?.[1];
    const [, deployment] = text(join(project, "config/manager/manager.yaml")).split("\n---\n");
    const { spec } = (load(deployment!) as { spec: { template: { spec: Pod } } }).spec.template;
    expect(spec.containers[0]?.command).toEqual(JSON.parse(entrypoint!));
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    expect(spec.containers[0]?.securityContext).toEqual({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
    });
  });
});

interface Workflow {
  jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
}

interface Pod {
  securityContext: { runAsNonRoot: boolean };
  containers: { command: string[]; securityContext: object }[];
}

describe("the make targets", () => {
  // The project was scaffolded with --repo, which is the repository in package.json.
  const source = "https://qingwave.github.io/mygame";
  const labels = `--build-arg IMAGE_VERSION=v1 --build-arg IMAGE_SOURCE=${source}`;

  it("docker-build and docker-push call the container tool with the image and its labels", async () => {
    expect(await runTask("docker-build")).toEqual([`build ${labels} -t example.com/game:v1 .`]);
    rmSync(calls);
    expect(await runTask("docker-build", { BASE_IMAGE: "mirror/node:22" })).toEqual([
      `build --build-arg BASE_IMAGE=mirror/node:22 ${labels} -t example.com/game:v1 .`,
    ]);
    rmSync(calls);
    expect(await runTask("docker-build", { IMG: "localhost:5000/game" })).toEqual([
      `build --build-arg IMAGE_SOURCE=${source} -t localhost:5000/game .`,
    ]);
    rmSync(calls);
    expect(await runTask("docker-push")).toEqual(["push example.com/game:v1"]);
  });

  it("docker-build takes labels from the project or the environment", async () => {
    const git = (...args: string[]) => must("git", args, { cwd: project });
    const manifest = text(join(project, "package.json"));
    try {
      await git("init", "--quiet");
      await git("add", "package.json");
      const author = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"];
      await git(...author, "commit", "--quiet", "-m", "a");
      const commit = (await git("rev-parse", "HEAD")).stdout.trim();
      const given = async (env?: Record<string, string>) => {
        rmSync(calls, { force: true });
        return [...(await runTask("docker-build", env))[0]!.matchAll(/--build-arg (\S+)/g)].map(([, each]) => each);
      };
      expect(await given()).toEqual(["IMAGE_VERSION=v1", `IMAGE_REVISION=${commit}`, `IMAGE_SOURCE=${source}`]);
      const repository = { type: "git", url: "https://git.example.com/game.git" };
      const stated = { ...JSON.parse(manifest), license: "MIT", repository };
      writeFileSync(join(project, "package.json"), JSON.stringify(stated));
      expect(await given()).toEqual([
        "IMAGE_VERSION=v1",
        `IMAGE_REVISION=${commit}-dirty`,
        "IMAGE_SOURCE=https://git.example.com/game.git",
        "IMAGE_LICENSES=MIT",
      ]);
      expect(await given({ IMAGE_VERSION: "1.2.3", IMAGE_LICENSES: "Apache-2.0" })).toEqual([
        "IMAGE_VERSION=1.2.3",
        `IMAGE_REVISION=${commit}-dirty`,
        "IMAGE_SOURCE=https://git.example.com/game.git",
        "IMAGE_LICENSES=Apache-2.0",
      ]);
    } finally {
      rmSync(join(project, ".git"), { recursive: true, force: true });
      writeFileSync(join(project, "package.json"), manifest);
    }
  });

  it("docker-buildx builds the bundle once and the image for all platforms, and removes temporary files", async () => {
    const platforms = "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le";
    expect(await runTask("docker-buildx")).toEqual([
      "buildx create --name mygame-builder",
      `buildx build --builder mygame-builder --push --platform=${platforms} ${labels} --tag example.com/game:v1 -f Dockerfile.cross .`,
      "buildx rm mygame-builder",
    ]);
    const dockerfile = text(`${calls}.cross`);
    expect(validate(dockerfile)).toEqual([]);
    expect(images(dockerfile).map(({ platform }) => platform ?? undefined)).toEqual([
      "$BUILDPLATFORM",
      "$BUILDPLATFORM",
      undefined,
    ]);
    expect(existsSync(cross)).toBe(false);
  });

  it("docker-buildx fails if a build fails, and removes temporary files", async () => {
    writeFileSync(tool, `#!/bin/sh\necho "$@" >> '${calls}'\n[ "$2" != build ]\n`);
    const [script, target, options] = task("docker-buildx");
    const end = await run(process.execPath, [script, target], options);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("failed with exit code 1");
    expect(text(calls)).toContain("buildx rm mygame-builder");
    expect(existsSync(cross)).toBe(false);
  });
});
