import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportError } from "./report.ts";

/** What is said of an error that nobody has foreseen. */
function said(): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdout, stderr } as unknown as Parameters<typeof reportError>[2];
  const globals = { json: false, dryRun: false, verbose: false, quiet: false, yes: false, agreed: false };
  expect(reportError(new TypeError("hash is not a function"), globals, streams, false)).toBe(1);
  return String(stderr.read());
}

describe("an error that nobody has foreseen", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is a bug", () => {
    expect(said()).toMatch(/^error: hash is not a function\n {2}hint: this is a bug in kubewright /);
  });

  it("is what an old Node lacks, where it is one", () => {
    vi.stubGlobal("process", { ...process, versions: { ...process.versions, node: "20.10.0" } });
    expect(said()).toBe(
      "error: hash is not a function\n  hint: Node 20.10.0 is too old: install 20.19 or newer (use --verbose for a stack trace)\n",
    );
  });
});
