import { spawn } from "node:child_process";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../../../scripts/test-support/bundle.ts";
import { createLogger } from "./create-logger.ts";

/** A destination whose writes end when the test decides. */
class Slow extends Writable {
  readonly written: string[] = [];
  isBlocked = false;
  error: Error | undefined;
  #resume: (() => void) | undefined;

  constructor() {
    super({ decodeStrings: false });
  }

  // An error doesn't end the standard error of a process.
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error);
    (this as unknown as { _undestroy(): void })._undestroy();
  }

  override _write(chunk: string, _encoding: string, done: (error?: Error) => void): void {
    if (!this.error) this.written.push(chunk);
    if (this.isBlocked) this.#resume = done;
    else done(this.error);
  }

  resume(): void {
    this.isBlocked = false;
    this.#resume?.();
  }
}

let directory: string;
let module: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-log-"));
  module = bundle(new URL("create-logger.ts", import.meta.url), directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a destination of log lines", () => {
  it("that stops reading costs limited memory; the number of lost lines is logged when it reads again", async () => {
    const destination = new Slow();
    const log = createLogger({ destination, sampling: false });
    destination.isBlocked = true;
    const pad = "x".repeat(10_000);
    for (let i = 0; i < 2000; i++) log.info("line", { i, pad });
    expect(destination.writableLength).toBeLessThan(4.2 * 1024 * 1024);
    destination.resume();
    await settled();
    expect(destination.writableLength).toBe(0);
    const written = destination.written.length;
    log.info("afterwards");
    const [notice, line] = destination.written.slice(-2).map((text) => JSON.parse(text));
    expect(notice).toMatchObject({
      level: "warn",
      msg: "Log lines were lost, because they could not be written",
      lost: 2000 - written,
    });
    expect(line).toMatchObject({ msg: "afterwards" });
    expect(destination.listenerCount("error")).toBe(1);
    createLogger({ destination });
    expect(destination.listenerCount("error")).toBe(1);
  });

  it("on a full disk loses lines until there is space", async () => {
    const destination = new Slow();
    const log = createLogger({ destination });
    destination.error = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    log.info("lost");
    await settled();
    destination.error = undefined;
    log.info("kept");
    expect(destination.written.map((text) => JSON.parse(text).msg)).toEqual([
      "Log lines were lost, because they could not be written",
      "kept",
    ]);
  });

  it.runIf(process.platform === "linux")("on a full disk doesn't end the process", async () => {
    const code = `
      import { createLogger } from ${JSON.stringify(module)};
      const log = createLogger();
      for (let i = 0; i < 3; i++) {
        log.error(new Error("failed"), "Reconciler error");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      console.log("alive");
    `;
    const full = openSync("/dev/full", "w");
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
      stdio: ["ignore", "pipe", full],
    });
    let output = "";
    child.stdout?.on("data", (text) => {
      output += text;
    });
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect([output, status]).toEqual(["alive\n", 0]);
  });

  it.each([
    ["ends the process", "", ""],
    [
      "doesn't end the process if it has its own listener for errors of the stream",
      'process.stderr.on("error", () => {});',
      "alive\n",
    ],
  ])("whose pipe was closed %s", async (_, listen, expected) => {
    const code = `
      import { createLogger } from ${JSON.stringify(module)};
      ${listen}
      const log = createLogger();
      console.log("ready");
      await new Promise((resolve) => process.stdin.once("data", resolve));
      for (let i = 0; i < 3; i++) {
        log.info("line");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      console.log("alive");
      process.exit();
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", code]);
    let output = "";
    child.stdout.on("data", (text) => {
      output += text;
      if (String(text) !== "ready\n") return;
      child.stderr.once("close", () => child.stdin.write("go")).destroy();
    });
    const status = await new Promise((resolve) => child.once("close", resolve));
    expect([output, status === 0]).toEqual([`ready\n${expected}`, expected !== ""]);
  });
});
