import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GeneratedOutput } from "../run-generators.ts";
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

/** Watches a project until the test ends, and tells of its runs. */
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
    /** Resolves when the last run is one that `wanted` accepts. */
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

describe("runs again when", () => {
  type Session = Awaited<ReturnType<typeof watched>>;
  it.each<[string, (session: Session) => void | Promise<void>, (made: GeneratedOutput) => boolean]>([
    ["a file is saved", ({ write }) => write("api/v1/thing.ts", thing("c")), (made) => yaml(made).includes("c:")],
    [
      "a file is saved as editors do, under another name and moved",
      ({ cwd, write }) => {
        write("api/v1/.thing.ts.swp", thing("c"));
        renameSync(join(cwd, "api/v1/.thing.ts.swp"), join(cwd, "api/v1/thing.ts"));
      },
      (made) => yaml(made).includes("c:"),
    ],
    [
      "a file is saved as vim does, its old text moved aside and the new written in its place",
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
      "many files change at once, as git checks them out",
      ({ cwd, write }) => {
        for (let index = 0; index < 100; index++) write(`api/v1/more${index}.ts`, thing("a", `More${index}`));
        rmSync(join(cwd, "api/v1/thing.ts"));
        write("api/v1/thing.ts", thing("c"));
      },
      (made) => yaml(made).includes("c:") && made.files.length === 101,
    ],
    [
      "a file is deleted and written anew",
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
    ["a file comes", ({ write }) => write("api/v1/more.ts", thing("a", "More")), (made) => made.files.length === 2],
    [
      "a directory comes",
      ({ write }) => write("api/v2/x/y/more.ts", thing("a", "More").replaceAll("../../", "../../../../")),
      (made) => made.files.length === 2,
    ],
    ["a file goes", ({ cwd }) => rmSync(join(cwd, "api/v1/thing.ts")), (made) => made.files.length === 0],
    [
      "all directories go",
      ({ cwd }) => rmSync(join(cwd, "api"), { recursive: true }),
      (made) => made.files.length === 0,
    ],
    [
      "a package that is imported changes",
      ({ write }) => write("shared/types.ts", "export interface Shared {\n  d: string;\n}\n"),
      (made) => yaml(made).includes("d:"),
    ],
    ["the header changes", ({ write }) => write("head.txt", "# Other.\n"), (made) => yaml(made).startsWith("# Other.")],
  ])("%s", async (what, change, wanted) => {
    const session = await watched();
    expect(session.runs).toHaveLength(1);
    await change(session);
    const made = await session.until(wanted);
    // A save in two steps is no state to write anything for.
    if (what.includes("written")) {
      expect(made.files).toHaveLength(1);
      expect(session.runs.every(({ files }) => files.length === 1)).toBe(true);
    }
    expect(session.problems).toEqual([]);
  });

  it("PROJECT changes, which what is asked for depends on", async () => {
    const session = await watched();
    session.write("api/v1/bad.ts", "export interface Bad {\n  // +kubebuilder:nope\n  a: string;\n}\n");
    await session.until((made) => errors(made) === 1);
    session.turnDown();
    session.write("PROJECT", 'version: "3"\n\n');
    await session.until((made) => errors(made) === 0);
  });

  it("a directory that was gone is back, and when what is in it changes", async () => {
    const session = await watched();
    rmSync(join(session.cwd, "api"), { recursive: true });
    await session.until((made) => made.files.length === 0);
    session.write("api/v1/thing.ts", thing("c"));
    await session.until((made) => yaml(made).includes("c:"));
    session.write("api/v1/thing.ts", thing("e"));
    await session.until((made) => yaml(made).includes("e:"));
  });
});

it("goes on after syntax errors, and is right again when they are gone", async () => {
  const session = await watched();
  session.write("api/v1/thing.ts", thing("a").replace("Shared;", ";"));
  await session.until((made) => errors(made) > 0);
  session.write("api/v1/thing.ts", thing("c"));
  await session.until((made) => errors(made) === 0 && yaml(made).includes("c:"));
});

it("doesn't run for what no run reads: other files, what it writes itself, a save without a change", async () => {
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

it("takes a burst of saves for one", async () => {
  const session = await watched();
  for (let index = 0; index < 20; index++) session.write("api/v1/thing.ts", thing(`f${index}`));
  await session.until((made) => yaml(made).includes("f19:"));
  expect(session.runs.length).toBeLessThanOrEqual(4);
});

it("waits for paths that aren't there yet", async () => {
  const session = await watched({ options: "crd paths=./later/... output:dir=out" });
  expect(session.runs[0]?.diagnostics).toMatchObject([{ id: "no-such-path" }]);
  session.write("later/v1/thing.ts", thing("a").replace("../../shared", "../../shared"));
  await session.until((made) => made.files.length === 1);
});

it("makes what a run from scratch makes, over many changes", async () => {
  const session = await watched({ more: { "api/v1/other.ts": thing("a", "Other") } });
  for (const field of ["first", "second", "third"]) {
    session.write("api/v1/thing.ts", thing(field));
    const warm = await session.until((made) => yaml(made).includes(`${field}:`));
    const { runGenerators } = await import("../run-generators.ts");
    const { disk } = await import("../source/files.ts");
    const request = requestOf(session.cwd, defaultOptions.split(" "));
    expect(warm).toEqual(await runGenerators(request, { files: disk }));
  }
});

it("ends on its signal, with nothing left open", async () => {
  const session = await watched();
  await session.stop();
  session.write("api/v1/thing.ts", thing("c"));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(session.runs).toHaveLength(1);
});

it("is done within 200 ms of a save", async () => {
  const session = await watched();
  const took: number[] = [];
  for (let index = 0; index < 21; index++) {
    const start = performance.now();
    session.write("api/v1/thing.ts", thing(`g${index}`));
    await session.until((made) => yaml(made).includes(`g${index}:`));
    took.push(performance.now() - start);
  }
  took.sort((a, b) => a - b);
  // The slower ones are the bench's: they tell how busy the machine is.
  expect(took[5]).toBeLessThan(200);
});

describe("a hostile file that appears", () => {
  it.each<[string, string]>([
    ["syntax errors", "export interface {{{"],
    ["bytes that are no text", "\0".repeat(10_000)],
    ["types that are nested too deeply", `export type A = ${"[".repeat(100_000)}`],
    ["types without an end", "export type A<T> = { a: A<T[]> };\nexport interface B { b: A<string> }"],
  ])("with %s doesn't end the watch", { timeout: 30_000 }, async (_, text) => {
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
