// Each command prints exactly one JSON object with `--json`, and it fits the command's published schema.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectOutput, outputSchema } from "../../scripts/test-support/output-schema.ts";
import { stubPackages } from "../../scripts/test-support/stub-packages.ts";
import { createApi, initProject } from "../scaffold/test-support/game.ts";
import { madeOnce, testDirectory } from "../scaffold/test-support/tree.ts";
import { commands } from "./commands.ts";
import { goProject, project as goProjectFile } from "./test-support/go-project.ts";
import { type CliEnd, type CliOptions, runCli } from "./test-support/run-cli.ts";
import { tools } from "./test-support/tools.ts";

const names = [...commands.map(({ words }) => words.join(" ")), "help"];

const makeGame = madeOnce(async (root) => {
  await initProject(root);
  await createApi(root);
});

/** Creates a project with a kind, and packages that do nothing. */
async function game(): Promise<string> {
  const root = testDirectory();
  await makeGame(root);
  stubPackages(root, "");
  return root;
}

const withChart = async () => {
  const root = await game();
  expect(await runCli(root, ["edit", "--helm"])).toMatchObject({ code: 0 });
  return root;
};

const migrated = () => {
  const parent = testDirectory();
  goProject({ PROJECT: goProjectFile() })(parent);
  mkdirSync(join(parent, "ts"));
  return join(parent, "ts");
};

const kind = ["--group", "myapp", "--version", "v1", "--kind", "Game"];
const webhook = [...kind, "--defaulting"];
const withWebhook = async () => {
  const root = await game();
  expect(await runCli(root, ["create", "webhook", ...webhook])).toMatchObject({ code: 0 });
  return root;
};

interface Call {
  readonly args?: readonly string[];
  readonly in?: () => Promise<string> | string;
  readonly env?: Readonly<Record<string, string>>;
}
const dry: Call = { args: ["--dry-run"], in: game };
const dryRelease: Call = { args: ["--dry-run"], in: withChart };
/** A running session is tested in e2e/dev. */
const session = "e2e/dev";

/** Successful calls of each command. */
const successes: Readonly<Record<string, readonly Call[] | typeof session>> = {
  init: [{ args: ["--fetch-deps=false", "--project-name", "game"] }, { args: ["--dry-run", "--project-name", "game"] }],
  "create project": [{ args: ["game", "--fetch-deps=false"] }, { args: ["game", "--dry-run"] }],
  "create api": [{ args: ["--group", "myapp", "--version", "v2", "--kind", "Team"], in: game }],
  "create webhook": [{ args: webhook, in: game }],
  "delete api": [{ args: kind, in: game }],
  "delete webhook": [{ args: kind, in: withWebhook }],
  edit: [
    { args: ["--multigroup"], in: game },
    { args: ["--helm", "--check"], in: withChart },
  ],
  upgrade: [{ args: ["--dry-run"], in: game }],
  migrate: [{ args: ["../go", "--fetch-deps=false"], in: migrated }],
  generate: [
    { in: game },
    { args: ["-w"] },
    { args: ["-h"] },
    { args: ["--version"] },
    { args: ["--dry-run"], in: game },
  ],
  manifests: [{ in: game }, { in: withChart }, { args: ["--dry-run"], in: withChart }],
  build: [dry, { in: game }],
  run: [dry, { in: game }],
  dev: [dry],
  plan: [dry],
  simulate: session,
  "dev status": session,
  "dev open": session,
  "dev why": session,
  "dev apply": session,
  "dev timeline": session,
  "dev objects": session,
  "dev queue": session,
  "dev delete": session,
  "dev reconcile": session,
  "dev fault": session,
  install: [dry],
  uninstall: [dry],
  deploy: [dry],
  undeploy: [dry],
  "build-installer": [dry],
  "docker-build": [dry],
  "docker-push": [dry, { in: game }],
  "docker-buildx": [dry],
  "setup-test-e2e": [dry],
  "test-e2e": [dry],
  "cleanup-test-e2e": [dry],
  "helm-deploy": [dryRelease],
  "helm-uninstall": [dryRelease],
  "helm-status": [dryRelease],
  "helm-history": [dryRelease],
  "helm-rollback": [dryRelease],
  "helm-package": [dryRelease],
  "helm-push": [{ ...dryRelease, env: { CHART_REPO: "oci://example.com/charts" } }],
  mcp: [{ args: ["--print-config", "claude"] }],
  doctor: [{ in: game }],
  completion: [{ args: ["bash"] }],
  version: [{}],
  help: [{}, { args: ["create", "api"] }, { args: ["dev"] }],
};

/** Runs a command with `--json`. */
function call(root: string, name: string, args: readonly string[] = [], options: CliOptions = {}): Promise<CliEnd> {
  const env = { PATH: [tools("docker"), process.env.PATH].join(delimiter) };
  return runCli(root, [...name.split(" "), ...args, "--json"], { env, ...options });
}

/** Expects one JSON object in one line. */
function onlyObject({ stdout }: CliEnd): Record<string, unknown> {
  expect(stdout.endsWith("\n"), stdout).toBe(true);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(stdout);
}

/** A project for calls that change nothing. */
let unchanged: string | undefined;

it("the table of successful calls has each command", () => {
  expect(Object.keys(successes).sort()).toEqual([...names].sort());
});

describe.each(names)("%s", (name) => {
  it("has a schema whose $id is its URL on the site", () => {
    expect(outputSchema(name)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: `https://kubewright.github.io/kubewright/schemas/${name.replaceAll(" ", "-")}.json`,
    });
  });

  const calls = successes[name] ?? [];
  it.skipIf(calls === session)("prints one object if it succeeds", async () => {
    for (const { args, in: prepare = testDirectory, env } of calls as readonly Call[]) {
      const end = await call(await prepare(), name, args, env === undefined ? {} : { env });
      const output = onlyObject(end);
      expect([0, name === "doctor" ? 1 : 0], end.stderr).toContain(end.code);
      expectOutput(name, output);
    }
  });

  it("prints one object if it is called with an unknown flag", async () => {
    if (name === "help") return expectFailure(name, await call(testDirectory(), name, ["nonsense"]), 2);
    expectFailure(name, await call(testDirectory(), name, ["--nonsense"]), 2);
  });

  it("prints one object if it fails", async () => {
    const root = testDirectory();
    // In a file, no command can work.
    writeFileSync(join(root, "PROJECT"), "]: not YAML");
    const end = await call(root, name, failing[name]);
    if (infallible.includes(name)) return expectOutput(name, onlyObject(end));
    expectFailure(name, end, end.code);
    expect([1, 2]).toContain(end.code);
  });

  it("prints one object if it is interrupted", async () => {
    const signal = AbortSignal.abort();
    unchanged ??= await game();
    const end = await call(unchanged, name, failing[name], { signal });
    expectOutput(name, onlyObject(end));
  });
});

/** Arguments with which a command fails in a directory with an invalid PROJECT file. */
const failing: Readonly<Record<string, readonly string[]>> = {
  init: ["--fetch-deps=false"],
  "create project": [".", "--fetch-deps=false"],
  "create api": ["--group", "shop", "--version", "v1", "--kind", "Shop"],
  "create webhook": webhook,
  "delete api": kind,
  "delete webhook": kind,
  edit: ["--multigroup"],
  migrate: ["missing"],
  generate: ["nonsense"],
  "dev why": ["game/chess"],
  "dev timeline": ["game/chess"],
  "dev delete": ["game/chess"],
  "dev reconcile": ["game/chess"],
  "dev fault": ["conflict"],
  "dev apply": ["--accept-loss"],
  completion: ["tcsh"],
  help: ["nonsense"],
};

/** Commands that read nothing. */
const infallible = ["version"];

function expectFailure(name: string, end: CliEnd, code: number): void {
  const output = onlyObject(end);
  expect(end.code, end.stdout).toBe(code);
  expectOutput(name, output);
  expectOutput(name, output, "Failed");
  expect(output.diagnostics).toContainEqual(
    expect.objectContaining({ severity: "error", message: expect.stringMatching(/./) }),
  );
}

describe("commands that call others", () => {
  it("print the diagnostics of the generator in their only object", async () => {
    const root = await game();
    writeFileSync(
      join(root, "api/v1/broken-types.ts"),
      "/** +kubebuilder:validation:Minimum=many */\nexport interface Broken { a: string }\n",
    );
    for (const name of ["build", "deploy", "manifests", "install"]) {
      const end = await call(root, name);
      const output = onlyObject(end);
      expect(end.code, name).toBe(1);
      expectOutput(name, output);
      expect(output.diagnostics, name).toMatchObject([{ file: "api/v1/broken-types.ts", severity: "error" }]);
    }
  });

  it("list the changes of the chart, too", async () => {
    const root = await withChart();
    await runCli(root, ["manifests"]);
    const manager = join(root, "config/manager/manager.yaml");
    writeFileSync(manager, readFileSync(manager, "utf8").replace("cpu: 500m", "cpu: 600m"));
    const output = onlyObject(await call(root, "manifests"));
    expect(output.files).toContainEqual({ path: "chart/values.yaml", action: "update" });
  });
});
