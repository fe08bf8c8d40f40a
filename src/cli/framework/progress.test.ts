import { createServer } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { initProject } from "../../scaffold/test-support/game.ts";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import { filesWithProgress } from "../commands/generate/progress.ts";
import { runCli } from "../test-support/run-cli.ts";
import { withProgress } from "./progress.ts";
import { createTerminal } from "./terminal.ts";

afterEach(() => void vi.useRealTimers());

function terminal({ isTTY = true, env = {}, quiet = false, verbose = false } = {}) {
  let shown = "";
  const stream = { isTTY, write: (text: string) => (shown += text) } as unknown as NodeJS.WriteStream;
  const streams = { stdin: () => process.stdin, stdout: stream, stderr: stream };
  return { ...createTerminal(streams, env, { quiet, verbose, yes: false }), shown: () => shown };
}
const messages = { during: "Installing", done: "Installed" };

describe("long-running work", () => {
  it("shows a running clock on a terminal, and leaves one line", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "performance"] });
    const seen = terminal();
    const done = withProgress(seen, messages, () => new Promise<void>((resolve) => setTimeout(resolve, 2500)));
    await vi.advanceTimersByTimeAsync(2500);
    await done;
    const wiped = "\r\u001b[K";
    expect(seen.shown()).toBe(
      `${wiped}Installing … 0 s${wiped}Installing … 1 s${wiped}Installing … 2 s${wiped}Installed (2.5 s)\n`,
    );
  });

  it.each([
    ["in a pipe", { isTTY: false }],
    ["in CI", { env: { CI: "true" } }],
    ["on a terminal that can't move its cursor", { env: { TERM: "dumb" } }],
    ["with the output of a program in between", { verbose: true }],
  ])("prints two plain lines %s", async (_, options) => {
    const seen = terminal(options);
    await withProgress(seen, messages, async () => undefined);
    expect(seen.shown()).toBe("Installing …\nInstalled (0.0 s)\n");
  });

  it("prints nothing with --quiet", async () => {
    const seen = terminal({ quiet: true });
    await withProgress(seen, messages, async () => undefined);
    expect(seen.shown()).toBe("");
  });

  it("clears its clock before an error is printed", async () => {
    const seen = terminal();
    await expect(withProgress(seen, messages, () => Promise.reject(new Error("no network")))).rejects.toThrow(
      "no network",
    );
    expect(seen.shown().endsWith("\r\u001b[K")).toBe(true);
  });
});

it("create api --from-crd shows a clock on a terminal while it fetches, and otherwise no line", async () => {
  const server = createServer((_, answer) => answer.writeHead(404).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as { port: number };
    const root = testDirectory();
    await initProject(root);
    const fetchIt = (tty: boolean) =>
      runCli(root, ["create", "api", "--from-crd", `http://127.0.0.1:${port}/crd.yaml`, "--yes"], { tty });
    expect((await fetchIt(true)).stderr).toContain("Fetching");
    expect((await fetchIt(false)).stderr).toMatch(/^error: /);
  } finally {
    server.close();
  }
});

describe("generate", () => {
  it("shows the number of read files after a second, and clears it", () => {
    const seen = terminal();
    let now = 0;
    const { files, end } = filesWithProgress(seen, { read: () => "text" } as never, () => now);
    for (const time of [100, 900, 1050, 1100, 2300]) {
      now = time;
      expect(files.read("a.ts")).toBe("text");
    }
    end();
    const wiped = "\r\u001b[K";
    expect(seen.shown()).toBe(`${wiped}Reading types … 3 files, 1 s${wiped}Reading types … 5 files, 2 s${wiped}`);
  });

  it("prints nothing for short runs", () => {
    const seen = terminal();
    const { files, end } = filesWithProgress(seen, { read: () => "text" } as never, () => 0);
    files.read("a.ts");
    end();
    expect(seen.shown()).toBe("");
  });
});
