// Replaces every file of a checkout that a tool could run by a trap. Only commands that run the project may run one.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countAttempts, gameProject, projectOf, Sandbox } from "./sandbox.ts";

let game: Awaited<ReturnType<typeof projectOf>>;
beforeAll(async () => {
  game = await projectOf(gameProject);
});
afterAll(() => game.remove());

const programs = [
  "kubectl",
  "docker",
  "make",
  "npm",
  "npx",
  "pnpm",
  "yarn",
  "bun",
  "git",
  "kustomize",
  "setup-envtest",
];
const packages = ["typescript", "ts-morph", "kubewright", "@kubewright/runtime", "handlebars", "execa"];
const more = ["commander", "yaml", "esbuild", "@biomejs/biome", "prettier", "@ts-morph/common", "inquirer", "vitest"];

/** Adds traps to a directory. Each writes its name to a file outside of the directory. */
function setTraps(root: string, mark: string): void {
  const put = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  const shell = (name: string) => `#!/bin/sh\necho '${name}' >> '${mark}'\nexit 1\n`;
  const script = (name: string) =>
    `require("node:fs").appendFileSync(${JSON.stringify(mark)}, ${JSON.stringify(`${name}\n`)});\n`;
  const module = (name: string) =>
    `import { appendFileSync } from "node:fs"; appendFileSync(${JSON.stringify(mark)}, ${JSON.stringify(`${name}\n`)});\n`;
  for (const name of [...programs, "node", "sh", "biome", "tsc", "scaffold"]) {
    for (const directory of ["node_modules/.bin", "bin", "."]) {
      if (directory !== "." || !existsSync(join(root, name)))
        put(join(directory, name), shell(`${directory}/${name}`), 0o755);
    }
  }
  for (const name of [...packages, ...more]) {
    put(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, version: "0.1.0", main: "index.js", exports: { ".": "./index.js", "./*": "./index.js" } }),
    );
    put(`node_modules/${name}/index.js`, script(name));
    put(`node_modules/${name}/index.d.ts`, "export type Metadata = unknown;\n");
  }
  put(
    ".npmrc",
    `script-shell=${root}/bin/sh\nnode-options=--require ${root}/evil.cjs\ngit=${root}/bin/git\nshell=${root}/bin/sh\n`,
  );
  put(".yarnrc.yml", "yarnPath: ./evil.cjs\nplugins:\n  - ./evil.cjs\n");
  put(".yarnrc", 'yarn-path "./evil.cjs"\n');
  put(".pnpmfile.cjs", script("pnpmfile"));
  put("bunfig.toml", 'preload = ["./evil.cjs"]\n');
  put(".env", `NODE_OPTIONS=--require ${root}/evil.cjs\nKUBECTL=${root}/bin/kubectl\nPATH=${root}/bin\n`);
  for (const name of [
    ".prettierrc.js",
    ".prettierrc.cjs",
    "prettier.config.js",
    "evil.cjs",
    "eslint.config.cjs",
    ".mocharc.cjs",
  ])
    put(name, script(name));
  for (const name of [
    "vitest.config.ts",
    "vite.config.ts",
    "scaffold.config.mjs",
    "kubewright.config.mjs",
    ".pnp.cjs",
    ".pnp.loader.mjs",
  ]) {
    put(name, name.endsWith(".cjs") ? script(name) : module(name));
  }
  put("Makefile", `$(shell echo Makefile >> '${mark}')\nall:\n\t${root}/bin/make\n`);
  put(
    "tsconfig.json",
    JSON.stringify({
      extends: ["./evil.cjs", "typescript/index.js"],
      compilerOptions: {
        plugins: [{ name: "ts-morph" }, { name: "./evil.cjs" }],
        rootDirs: ["/", "."],
        paths: { "*": ["./evil.cjs"] },
      },
    }),
  );
  put("biome.json", JSON.stringify({ plugins: ["./evil.cjs"], extends: ["./evil.cjs"] }));
  const scripts = ["preinstall", "install", "postinstall", "prepare", "prescaffold", "manifests", "generate", "run"];
  const manifest = existsSync(join(root, "package.json"))
    ? JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    : {};
  put(
    "package.json",
    JSON.stringify(
      {
        ...manifest,
        scripts: Object.fromEntries(scripts.map((name) => [name, `echo ${name} >> '${mark}'`])),
        imports: { "#*": "./evil.cjs" },
        exports: { ".": "./evil.cjs" },
        packageManager: "yarn@file:./evil.cjs",
      },
      undefined,
      2,
    ),
  );
  put(
    "kubeconfig",
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      users: [
        {
          name: "u",
          user: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command: `${root}/bin/kubectl`,
              interactiveMode: "Never",
            },
          },
        },
      ],
    }),
  );
  if (existsSync(join(root, ".git"))) {
    for (const hook of [
      "post-index-change",
      "reference-transaction",
      "fsmonitor-watchman",
      "pre-commit",
      "post-checkout",
    ])
      put(`.git/hooks/${hook}`, shell(`hook ${hook}`), 0o755);
    for (const [key, value] of [
      ["core.fsmonitor", `${root}/bin/git`],
      ["core.pager", `${root}/bin/git`],
      ["diff.external", `${root}/bin/git`],
      ["core.sshCommand", `${root}/bin/sh`],
      ["alias.show", `!${root}/bin/git`],
      ["core.hooksPath", `${root}/.git/hooks`],
    ]) {
      execFileSync("git", ["-C", root, "config", key as string, value as string]);
    }
  }
}

/** Commands that must not run the project, in an order in which each of them changes something. */
const commands = [
  "",
  "--help",
  "version",
  "completion bash",
  "__complete -- create api --group ",
  "create api --help",
  "generate --help",
  "doctor",
  "doctor --json",
  "generate",
  "generate --check --against HEAD",
  "generate --check --against 0123456789012345678901234567890123456789",
  "create api --group shop --version v1 --kind Chess",
  "create webhook --group shop --version v1 --kind Chess --programmatic-validation",
  "create webhook --group apps --version v1 --kind Deployment --defaulting",
  "upgrade --check",
  "upgrade",
  "edit --owner Acme",
  "edit --multigroup",
  "edit --helm",
  "generate",
  "delete webhook --group shop --version v1 --kind Chess --programmatic-validation",
  "delete api --group shop --version v1 --kind Chess",
  "run --dry-run",
];

describe("code in a checkout", () => {
  it("isn't run by commands that don't document it", async ({ task }) => {
    const sandbox = new Sandbox(game.path);
    const { project, base } = sandbox;
    const git = (...args: string[]) => execFileSync("git", ["-C", project, ...args], { stdio: "pipe" });
    await sandbox.scaffold(["generate"]);
    git("init", "-q");
    git("add", "-A");
    git("-c", "user.name=n", "-c", "user.email=e@example.com", "commit", "-qm", "x");
    const mark = join(base, "canary");
    setTraps(project, mark);
    const machine = process.env.PATH ?? "";
    const paths = [[join(project, "node_modules/.bin"), "", "bin", "./node_modules/.bin", machine], [machine]];
    let ended = 0;
    for (const PATH of paths) {
      for (const command of PATH.length > 1 ? commands : commands.filter((command) => /doctor|against/.test(command))) {
        const env = { PATH: PATH.join(delimiter), KUBECONFIG: "kubeconfig" };
        const { code, stderr } = await sandbox.scaffold(command === "" ? [] : command.split(" "), env);
        const ran = existsSync(mark) ? readFileSync(mark, "utf8") : "nothing";
        expect({ command, ran }).toEqual({ command, ran: "nothing" });
        expect(stderr).not.toContain("this is a bug");
        if (code === 0) ended++;
      }
    }
    // Most commands succeeded: a command that fails early couldn't trigger a trap.
    expect(ended).toBeGreaterThan(commands.length - 8);
    countAttempts(task, commands.length + 4);
  });

  it("isn't run by migrate, which only reads the project in Go", async () => {
    const sandbox = new Sandbox();
    const source = join(sandbox.base, "beside");
    const mark = join(sandbox.base, "canary");
    const text =
      'domain: example.com\nlayout:\n- go.kubebuilder.io/v4\nprojectName: mygame\nrepo: example.com/mygame\nversion: "3"\n';
    writeFileSync(join(source, "PROJECT"), text);
    writeFileSync(join(source, "go.mod"), "module example.com/mygame\n");
    setTraps(source, mark);
    const env = { PATH: [join(source, "node_modules/.bin"), "../beside/bin", process.env.PATH].join(delimiter) };
    const end = await sandbox.scaffold(["migrate", "../beside", "--fetch-deps=false"], env);
    expect(end).toMatchObject({ code: 0 });
    expect(existsSync(mark)).toBe(false);
  });

  it("isn't run as the package manager by init", async () => {
    const sandbox = new Sandbox();
    const mark = join(sandbox.base, "canary");
    const bin = join(sandbox.project, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "npm"), `#!/bin/sh\n: > '${mark}'\n`, { mode: 0o755 });
    const args = ["init", "--domain", "example.com", "--project-name", "mygame", "--yes"];
    const end = await sandbox.scaffold(args, { PATH: [bin, ""].join(delimiter) });
    expect(existsSync(mark)).toBe(false);
    expect(end.code).toBe(1);
    expect(end.stderr).toContain("npm was found only in this directory");
  });
});
