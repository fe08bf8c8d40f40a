import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs, {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { bundle } from "../../../../scripts/test-support/bundle.ts";
import { Journal } from "./journal.ts";

let module: string;
let directory: string;
let data: string;

beforeAll(() => {
  const built = mkdtempSync(join(tmpdir(), "file-lock-module-"));
  module = bundle(new URL("./file-lock.ts", import.meta.url), built);
  return () => rmSync(built, { recursive: true });
});

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "file-lock-")));
  data = join(directory, "data");
  return () => rmSync(directory, { recursive: true, force: true });
});

function journal(path: string): Journal {
  const opened = new Journal(path, () => {});
  onTestFinished(() => opened.close());
  return opened;
}

/** A process that claims the file once another file exists, prints whether it could, and keeps the claim until it ends. */
async function contender(go: string): Promise<{ child: ChildProcess; printed: () => Promise<string> }> {
  const code = `
    const { lockFile } = await import(${JSON.stringify(module)});
    const { existsSync } = await import("node:fs");
    process.stdout.write("ready\\n");
    while (!existsSync(${JSON.stringify(go)}));
    try { lockFile(${JSON.stringify(data)}, "data"); process.stdout.write("won\\n"); }
    catch (error) { process.stdout.write("lost " + error.message.split("\\n")[0] + "\\n"); }
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const printed = async (): Promise<string> => (await lines.next()).value ?? "";
  expect(await printed()).toBe("ready");
  return { child, printed };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

describe("two servers can't write one data file", () => {
  test("through a symbolic link, also to a file that doesn't exist yet", () => {
    const link = join(directory, "link");
    symlinkSync("data", link);
    const first = journal(link);
    expect(() => new Journal(data, () => {})).toThrow(`${data}: is in use by process ${process.pid}`);
    first.rewrite([], 1);
    expect(fs.readlinkSync(link)).toBe("data");
    expect(readFileSync(data, "utf8")).toBe('{"revision":1}\n');
  });

  test("through a link to its directory", () => {
    mkdirSync(join(directory, "real"));
    symlinkSync("real", join(directory, "alias"));
    journal(join(directory, "real", "data"));
    const other = join(directory, "alias", "data");
    expect(() => new Journal(other, () => {})).toThrow(`${other}: is in use by process ${process.pid}`);
  });

  test("through a hard link", () => {
    journal(data).append({ collection: "pods", key: "a", revision: 1, text: "{}" });
    const link = join(directory, "link");
    linkSync(data, link);
    expect(() => new Journal(link, () => {})).toThrow(`${link}: has 2 hard links, so other servers could write it`);
    expect(readdirSync(directory).sort()).toEqual(["data", "data.lock", "link"]);
  });

  const rounds = 3;
  test("if many start when the claim of a killed process is left", async ({ task }) => {
    Object.assign(task.meta, { attempts: rounds * 4 });
    for (let round = 0; round < rounds; round++) {
      const first = await contender(directory);
      expect(await first.printed()).toBe("won");
      await kill(first.child);
      expect(readdirSync(`${data}.lock`)).toHaveLength(1);
      const go = join(directory, `go${round}`);
      const others = await Promise.all([1, 2, 3, 4].map(() => contender(go)));
      const results = Promise.all(others.map(({ printed }) => printed()));
      writeFileSync(go, "");
      const won = (await results).filter((result) => result === "won").length;
      expect(won).toBeLessThanOrEqual(1);
      expect(readdirSync(`${data}.lock`, { withFileTypes: false }).length).toBe(won);
      await Promise.all(others.map(({ child }) => kill(child)));
    }
    expect(journal(data).read().revision).toBe(0);
  });

  test("while another process has a claim, whatever its name is", () => {
    mkdirSync(`${data}.lock`);
    writeFileSync(join(`${data}.lock`, `${process.ppid}....0123456789abcdef`), "");
    const hint = `stop it, or remove ${data}.lock if that process isn't an API server`;
    expect(() => new Journal(data, () => {})).toThrow(`${data}: is in use by process ${process.ppid}\nhint: ${hint}`);
  });

  test("while a process of an earlier version, which had a file as lock, runs", () => {
    writeFileSync(`${data}.lock`, `${process.ppid}\n`);
    expect(() => new Journal(data, () => {})).toThrow(`${data}: is in use by process ${process.ppid}`);
    writeFileSync(`${data}.lock`, "2147483646\n");
    journal(data);
  });
});

describe("a claim is taken over", () => {
  const claims = (): string[] => readdirSync(`${data}.lock`);
  const leave = (claim: string): void => {
    mkdirSync(`${data}.lock`);
    writeFileSync(join(`${data}.lock`, claim), "");
  };

  test("if its process has ended", () => {
    leave("2147483646.1...0123456789abcdef");
    journal(data);
    expect(claims()).toEqual([expect.stringMatching(new RegExp(`^${process.pid}\\.`))]);
  });

  test.skipIf(process.platform === "win32")("if another process has its ID now", () => {
    leave(`${process.ppid}.1...0123456789abcdef`);
    journal(data);
    expect(claims()).toHaveLength(1);
  });

  test.skipIf(process.platform !== "linux")("if it is from before a restart of the machine", () => {
    leave(`${process.ppid}...0123.0123456789abcdef`);
    journal(data);
    expect(claims()).toHaveLength(1);
  });

  test("if a process of an earlier start with the same ID, as in a container, has left it", () => {
    leave(`${process.pid}.1...0123456789abcdef`);
    if (process.platform === "win32") return;
    journal(data);
    expect(claims()).toHaveLength(1);
  });
});

test("a claim ends with its journal, and the directory of claims goes with the last one", () => {
  new Journal(data, () => {}).close();
  expect(readdirSync(directory)).toEqual(["data"]);
});

test.skipIf(process.platform === "win32")("a pipe isn't opened, which would wait for its writer", () => {
  execFileSync("mkfifo", [data]);
  expect(() => new Journal(data, () => {})).toThrow(`${data}: isn't a file`);
});
