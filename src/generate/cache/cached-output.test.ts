import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generate } from "../generate.ts";
import type { GenerateRequest } from "../run/request.ts";
import { project } from "../test-support/project.ts";
import { requestOf } from "../test-support/request.ts";
import type { Cache } from "./cache.ts";
import { cachedOutput } from "./cached-output.ts";
import { addChecksum, verifyChecksum } from "./checksum.ts";
import { decodeEntry, encodeEntry } from "./entry.ts";

const thing = `// +groupName=example.com
import type { KubernetesObject } from "@kubewright/runtime/api";
import type { Shared } from "../../shared/types.ts";

/** Thing. */
export interface Thing extends KubernetesObject {
  // +optinal
  a?: Shared;
}
`;
const shared = "export interface Shared {\n  b: string;\n}\n";
const options = "crd:headerFile=head.txt paths=./api/... output:dir=out";

interface Setup {
  readonly cwd: string;
  readonly request: GenerateRequest;
  readonly cache: Cache;
}

function setUp(files: Readonly<Record<string, string>> = {}, optionText = options): Setup {
  const cwd = project({ "api/v1/thing.ts": thing, "shared/types.ts": shared, "head.txt": "# Head.\n", ...files });
  return { cwd, request: requestOf(cwd, optionText.split(" ")), cache: { directory: join(cwd, "cache"), tool: "one" } };
}

const entries = ({ cache }: Setup) => readdirSync(cache.directory).map((name) => join(cache.directory, name));

/** Runs the generator once and marks the stored files: a result with the mark came from the cache. */
async function markedRun(setup: Setup): Promise<void> {
  await cachedOutput(setup.request, setup.cache);
  for (const path of entries(setup)) {
    const bytes = verifyChecksum(readFileSync(path));
    if (!bytes) throw new Error("not an entry");
    const entry = decodeEntry(bytes);
    const files = entry.made.files.map((file) => ({ ...file, text: `${file.text}# from the cache\n` }));
    writeFileSync(path, addChecksum(encodeEntry({ ...entry, made: { ...entry.made, files } })));
  }
}

async function fromCache({ request, cache }: Setup, changes: Partial<GenerateRequest> = {}): Promise<boolean> {
  const { files } = await cachedOutput({ ...request, ...changes }, cache);
  expect(files).toHaveLength(1);
  return files[0]?.text.endsWith("# from the cache\n") === true;
}

it("an unchanged run returns the stored result, including warnings", async () => {
  const setup = setUp();
  const first = await generate(setup.request, setup.cache);
  expect(first.diagnostics.map(({ id }) => id)).toEqual(["near-miss-marker"]);
  expect(await generate(setup.request, setup.cache)).toEqual(first);
  rmSync(setup.cache.directory, { recursive: true });
  await markedRun(setup);
  expect(await fromCache(setup)).toBe(true);
});

it("a repeated run reports errors again", async () => {
  const setup = setUp({ "api/v1/bad.ts": "export interface Bad {\n  a: ;\n}\n" });
  const first = await generate(setup.request, setup.cache);
  expect(first.diagnostics.map(({ severity }) => severity)).toContain("error");
  expect(await generate(setup.request, setup.cache)).toEqual(first);
});

describe("the stored result is ignored if", () => {
  const edit = (path: string, text: string) => (setup: Setup) => {
    mkdirSync(join(setup.cwd, path, ".."), { recursive: true });
    writeFileSync(join(setup.cwd, path), text);
  };
  it.each<[string, (setup: Setup) => void]>([
    ["a types file changed", edit("api/v1/thing.ts", thing.replace("a?:", "c?:"))],
    [
      "a types file changed within the same second, to the same size",
      (setup) => {
        const path = join(setup.cwd, "api/v1/thing.ts");
        const { atime, mtime } = statSync(path);
        writeFileSync(path, thing.replace("a?:", "c?:"));
        utimesSync(path, atime, mtime);
      },
    ],
    ["a comment changed", edit("api/v1/thing.ts", thing.replace("Thing.", "Something."))],
    ["a package that is imported changed", edit("shared/types.ts", shared.replace("b:", "d:"))],
    ["a file was added to a package that is imported", edit("shared/more.ts", "// +kubebuilder:validation:Optional\n")],
    ["a file was added", edit("api/v1/other.ts", "export interface Other {\n  a: string;\n}\n")],
    ["a package was added", edit("api/v2/types.ts", "export interface Other {\n  a: string;\n}\n")],
    ["the header changed", edit("head.txt", "# Another.\n")],
    ["a file was removed", (setup) => rmSync(join(setup.cwd, "shared/types.ts"))],
    ["a file was renamed", (setup) => renameSync(join(setup.cwd, "api/v1/thing.ts"), join(setup.cwd, "api/v1/a.ts"))],
  ])("%s", async (_, change) => {
    const setup = setUp();
    await markedRun(setup);
    change(setup);
    expect(await fromCache(setup)).toBe(false);
  });

  it("a new file has priority over the imported one", async () => {
    const setup = setUp({
      "api/v1/thing.ts": thing.replace("shared/types.ts", "shared"),
      "shared/index.ts": shared,
    });
    await markedRun(setup);
    expect(await fromCache(setup)).toBe(true);
    writeFileSync(join(setup.cwd, "shared.ts"), shared.replace("b:", "first:"));
    expect(await fromCache(setup)).toBe(false);
  });

  it("a missing header file was created", async () => {
    const setup = setUp({}, "crd:headerFile=later.txt paths=./api/... output:dir=out");
    expect((await generate(setup.request, setup.cache)).diagnostics.map(({ id }) => id)).toContain("bad-option");
    writeFileSync(join(setup.cwd, "later.txt"), "# Now.\n");
    expect((await generate(setup.request, setup.cache)).plan.writes[0]?.after).toMatch(/^# Now/);
  });

  it("a missing imported file was created", async () => {
    const setup = setUp();
    rmSync(join(setup.cwd, "shared/types.ts"));
    expect((await generate(setup.request, setup.cache)).diagnostics.map(({ severity }) => severity)).toContain("error");
    writeFileSync(join(setup.cwd, "shared/types.ts"), shared);
    expect((await generate(setup.request, setup.cache)).plan.writes).toHaveLength(1);
  });

  it.each<[string, Partial<GenerateRequest>]>([
    ["the tool's version", { toolVersion: "kubewright-v0.0.1" }],
    ["the handling of unknown markers", { unknownMarkers: "warn" }],
  ])("%s changed", async (_, changes) => {
    const setup = setUp();
    await markedRun(setup);
    expect(await fromCache(setup, changes)).toBe(false);
  });

  it("an option changed", async () => {
    const setup = setUp();
    await markedRun(setup);
    const { config } = requestOf(setup.cwd, options.replace("crd:", "crd:maxDescLen=3,").split(" "));
    expect(await fromCache(setup, { config })).toBe(false);
  });

  it("the tool's code changed", async () => {
    const setup = setUp();
    await markedRun(setup);
    expect(await fromCache({ ...setup, cache: { ...setup.cache, tool: "two" } })).toBe(false);
  });
});

it("each set of options has its own entry", async () => {
  const setup = setUp();
  await markedRun(setup);
  await cachedOutput({ ...setup.request, unknownMarkers: "warn" }, setup.cache);
  expect(await fromCache(setup)).toBe(true);
  expect(entries(setup)).toHaveLength(2);
});

describe("the result is right if", () => {
  it.each<[string, (setup: Setup) => void]>([
    ["the cache was deleted", (setup) => rmSync(setup.cache.directory, { recursive: true })],
    ["an entry is empty", (setup) => entries(setup).forEach((path) => void truncateSync(path, 0))],
    ["an entry is truncated", (setup) => entries(setup).forEach((path) => void truncateSync(path, 900))],
    [
      "a byte of an entry changed",
      (setup) => {
        for (const path of entries(setup)) {
          const bytes = readFileSync(path);
          bytes[bytes.length - 5]! ^= 1;
          writeFileSync(path, bytes);
        }
      },
    ],
    [
      "an entry has invalid content",
      (setup) => entries(setup).forEach((path) => void writeFileSync(path, "{}\n\u0000")),
    ],
    [
      "an entry is a directory",
      (setup) => {
        for (const path of entries(setup)) {
          rmSync(path);
          mkdirSync(path);
        }
      },
    ],
    [
      "the cache is a file",
      (setup) => {
        rmSync(setup.cache.directory, { recursive: true });
        writeFileSync(setup.cache.directory, "");
      },
    ],
    [
      "the cache is read-only",
      (setup) => {
        for (const path of entries(setup)) rmSync(path);
        chmodSync(setup.cache.directory, 0o500);
      },
    ],
    ["an entry can't be read", (setup) => entries(setup).forEach((path) => void chmodSync(path, 0))],
  ])("%s", async (_, damage) => {
    const setup = setUp();
    const whole = await cachedOutput(setup.request, setup.cache);
    damage(setup);
    expect(await cachedOutput(setup.request, setup.cache)).toEqual(whole);
    expect(await cachedOutput(setup.request, setup.cache)).toEqual(whole);
  });

  it("several runs use the cache at the same time", async () => {
    const setup = setUp();
    const runs = await Promise.all(Array.from({ length: 8 }, () => cachedOutput(setup.request, setup.cache)));
    for (const run of runs) expect(run).toEqual(runs[0]);
    expect(entries(setup)).toHaveLength(1);
    await markedRun(setup);
    expect(await fromCache(setup)).toBe(true);
  });
});

it("a read-only cache stores nothing", async () => {
  const setup = setUp();
  await cachedOutput(setup.request, { ...setup.cache, readOnly: true });
  expect(readdirSync(setup.cwd)).not.toContain("cache");
});

it("the cache keeps entries in use and removes the others", async () => {
  const setup = setUp();
  await markedRun(setup);
  const [first = ""] = entries(setup);
  const old = new Date(Date.now() - 100_000);
  utimesSync(first, old, old);
  for (let index = 0; index < 50; index++) {
    await cachedOutput({ ...setup.request, toolVersion: `kubewright-v0.1.${index}` }, setup.cache);
  }
  expect(entries(setup).length).toBeLessThanOrEqual(24);
  expect(entries(setup)).not.toContain(first);
});
