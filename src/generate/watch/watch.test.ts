import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GeneratedOutput } from "../generators/run-generators.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";
import { watch } from "./watch.ts";

const thing = (field: string, name = "Thing") => `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";
import type { Shared } from "../../shared/types.ts";

/** ${name}. */
export interface ${name} extends KubernetesObject {
  ${field}?: Shared;
}
`;
const files = {
  PROJECT: 'version: "3"\n',
  "api/v1/thing.ts": thing("a"),
  "shared/types.ts": "export interface Shared {\n  b: string;\n}\n",
  "head.txt": "# Head.\n",
};

const defaultOptions = "crd:headerFile=head.txt paths=./api/... output:dir=out";

/** Watches a project until the test ends, and records its runs. */
async function watched({ options = defaultOptions, more = {} } = {}) {
  const cwd = project({ ...files, ...more });
  const stop = new AbortController();
  const runs: GeneratedOutput[] = [];
  const problems: unknown[] = [];
  let listener: () => void = () => undefined;
  let levels: "error" | "warn" = "error";
  let ready = () => undefined as undefined;
  const isReady = new Promise<void>((resolve) => {
    ready = () => void resolve() as undefined;
  });
  const end = watch({
    signal: stop.signal,
    requestFiles: [join(cwd, "PROJECT")],
    request: async () => requestOf(cwd, options.split(" "), { unknownMarkers: levels }),
    onOutput: async (made) => {
      runs.push(made);
      listener();
    },
    onReady: ready,
    onProblem: (error) => void problems.push(error),
  });
  onTestFinished(async () => {
    stop.abort();
    await end;
  });
  await isReady;
  return {
    cwd,
    runs,
    problems,
    stop: async () => {
      stop.abort();
      await end;
    },
    turnDown: () => {
      levels = "warn";
    },
    write(path: string, text: string) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    },
    /** Resolves with the last run as soon as `wanted` accepts it. */
    async until(wanted: (made: GeneratedOutput) => boolean): Promise<GeneratedOutput> {
      for (;;) {
        const last = runs.at(-1);
        if (last && wanted(last)) return last;
        await new Promise<void>((resolve) => {
          listener = resolve;
        });
      }
    },
  };
}

const yaml = (made: GeneratedOutput) => made.files.map(({ text }) => text).join("");
const errors = (made: GeneratedOutput) => made.diagnostics.filter(({ severity }) => severity === "error").length;

describe("watch runs again if", () => {
  type Session = Awaited<ReturnType<typeof watched>>;
  it.each<[string, (session: Session) => void | Promise<void>, (made: GeneratedOutput) => boolean]>([
    ["a file is saved", ({ write }) => write("api/v1/thing.ts", thing("c")), (made) => yaml(made).includes("c:")],
    [
      "a file is saved under another name and renamed, as by editors",
      ({ cwd, write }) => {
        write("api/v1/.thing.ts.swp", thing("c"));
        renameSync(join(cwd, "api/v1/.thing.ts.swp"), join(cwd, "api/v1/thing.ts"));
      },
      (made) => yaml(made).includes("c:"),
    ],
    [
      "a file is moved aside and written in its place, as by vim",
      ({ cwd, write }) => {
        write("api/v1/4913", "");
        rmSync(join(cwd, "api/v1/4913"));
        renameSync(join(cwd, "api/v1/thing.ts"), join(cwd, "api/v1/thing.ts~"));
        write("api/v1/thing.ts", thing("c"));
        rmSync(join(cwd, "api/v1/thing.ts~"));
      },
      (made) => yaml(made).includes("c:"),
    ],
    [
      "many files change at once, as in a git checkout",
      ({ cwd, write }) => {
        for (let index = 0; index < 100; index++) write(`api/v1/more${index}.ts`, thing("a", `More${index}`));
        rmSync(join(cwd, "api/v1/thing.ts"));
        write("api/v1/thing.ts", thing("c"));
      },
      (made) => yaml(made).includes("c:") && made.files.length === 101,
    ],
    [
      "a file is deleted and written again",
      ({ cwd, write }) => {
        rmSync(join(cwd, "api/v1/thing.ts"));
        write("api/v1/thing.ts", thing("c"));
      },
      (made) => yaml(made).includes("c:"),
    ],
    [
      "a file is emptied and written a little later",
      async ({ write }) => {
        write("api/v1/thing.ts", "");
        await new Promise((resolve) => setImmediate(resolve));
        write("api/v1/thing.ts", thing("c"));
      },
      (made) => made.files.length === 0 || yaml(made).includes("c:"),
    ],
    ["a file is added", ({ write }) => write("api/v1/more.ts", thing("a", "More")), (made) => made.files.length === 2],
    [
      "a directory is added",
      ({ write }) => write("api/v2/x/y/more.ts", thing("a", "More").replaceAll("../../", "../../../../")),
      (made) => made.files.length === 2,
    ],
    ["a file is removed", ({ cwd }) => rmSync(join(cwd, "api/v1/thing.ts")), (made) => made.files.length === 0],
    [
      "all directories are removed",
      ({ cwd }) => rmSync(join(cwd, "api"), { recursive: true }),
      (made) => made.files.length === 0,
    ],
    [
      "an imported package changes",
      ({ write }) => write("shared/types.ts", "export interface Shared {\n  d: string;\n}\n"),
      (made) => yaml(made).includes("d:"),
    ],
    ["the header changes", ({ write }) => write("head.txt", "# Other.\n"), (made) => yaml(made).startsWith("# Other.")],
  ])("%s", async (what, change, wanted) => {
    const session = await watched();
    expect(session.runs).toHaveLength(1);
    await change(session);
    const made = await session.until(wanted);
    // A save in two steps must not cause output for the first step.
    if (what.includes("written")) {
      expect(made.files).toHaveLength(1);
      expect(session.runs.every(({ files }) => files.length === 1)).toBe(true);
    }
    expect(session.problems).toEqual([]);
  });

  it("PROJECT changes, which affects the request", async () => {
    const session = await watched();
    session.write("api/v1/bad.ts", "export interface Bad {\n  // +kubebuilder:nope\n  a: string;\n}\n");
    await session.until((made) => errors(made) === 1);
    session.turnDown();
    session.write("PROJECT", 'version: "3"\n\n');
    await session.until((made) => errors(made) === 0);
  });

  it("a removed directory is created again, and if its content changes", async () => {
    const session = await watched();
    rmSync(join(session.cwd, "api"), { recursive: true });
    await session.until((made) => made.files.length === 0);
    session.write("api/v1/thing.ts", thing("c"));
    await session.until((made) => yaml(made).includes("c:"));
    session.write("api/v1/thing.ts", thing("e"));
    await session.until((made) => yaml(made).includes("e:"));
  });
});

it("watch continues after syntax errors, and returns the right result after their removal", async () => {
  const session = await watched();
  session.write("api/v1/thing.ts", thing("a").replace("Shared;", ";"));
  await session.until((made) => errors(made) > 0);
  session.write("api/v1/thing.ts", thing("c"));
  await session.until((made) => errors(made) === 0 && yaml(made).includes("c:"));
});

it("watch ignores other files, its own output and a save without a change", async () => {
  const session = await watched({ options: "crd paths=./... output:dir=out" });
  session.write("README.md", "x");
  session.write("out/example.com_things.yaml", "x");
  session.write("api/v1/thing.test.ts", "x");
  session.write("node_modules/x/index.ts", "x");
  session.write("api/v1/thing.ts", thing("a"));
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(session.runs).toHaveLength(1);
  session.write("api/v1/thing.ts", thing("c"));
  await session.until((made) => yaml(made).includes("c:"));
});

it("watch runs few times for a burst of saves", async () => {
  const session = await watched();
  for (let index = 0; index < 20; index++) session.write("api/v1/thing.ts", thing(`f${index}`));
  await session.until((made) => yaml(made).includes("f19:"));
  expect(session.runs.length).toBeLessThanOrEqual(4);
});

it("watch waits for paths that don't exist yet", async () => {
  const session = await watched({ options: "crd paths=./later/... output:dir=out" });
  expect(session.runs[0]?.diagnostics).toMatchObject([{ id: "no-such-path" }]);
  session.write("later/v1/thing.ts", thing("a").replace("../../shared", "../../shared"));
  await session.until((made) => made.files.length === 1);
});

it("watch returns the same as a new run after several changes", async () => {
  const session = await watched({ more: { "api/v1/other.ts": thing("a", "Other") } });
  for (const field of ["first", "second", "third"]) {
    session.write("api/v1/thing.ts", thing(field));
    const warm = await session.until((made) => yaml(made).includes(`${field}:`));
    const { runGenerators } = await import("../generators/run-generators.ts");
    const { disk } = await import("../source/files.ts");
    const request = requestOf(session.cwd, defaultOptions.split(" "));
    expect(warm).toEqual(await runGenerators(request, { files: disk }));
  }
});

it("watch ends on its signal and runs no more", async () => {
  const session = await watched();
  await session.stop();
  session.write("api/v1/thing.ts", thing("c"));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(session.runs).toHaveLength(1);
});

it("watch runs after each of many saves", async () => {
  const session = await watched();
  for (let index = 0; index < 21; index++) {
    session.write("api/v1/thing.ts", thing(`g${index}`));
    await session.until((made) => yaml(made).includes(`g${index}:`));
  }
});

describe("a hostile file", () => {
  it.each<[string, string]>([
    ["syntax errors", "export interface {{{"],
    ["bytes that aren't text", "\0".repeat(10_000)],
    ["types that are nested too deeply", `export type A = ${"[".repeat(100_000)}`],
    ["infinitely growing types", "export type A<T> = { a: A<T[]> };\nexport interface B { b: A<string> }"],
  ])("with %s doesn't end the watch", async (_, text) => {
    const { runs, problems, write, until } = await watched();
    const before = runs.length;
    write("api/v1/hostile.ts", text);
    await until(() => runs.length > before);
    write("api/v1/hostile.ts", "export {};\n");
    write("api/v1/thing.ts", thing("c"));
    await until((made) => yaml(made).includes("c:") && errors(made) === 0);
    expect(problems).toEqual([]);
  });
});
