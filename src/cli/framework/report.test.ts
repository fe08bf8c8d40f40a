import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { reportError } from "./report.ts";

/** Returns the report of an unexpected error. */
function reportedText(): string {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const streams = { stdout, stderr } as unknown as Parameters<typeof reportError>[2];
  const globals = { json: false, dryRun: false, verbose: false, quiet: false, yes: false, agreed: false };
  expect(reportError(new TypeError("hash is not a function"), globals, streams, false)).toBe(1);
  return String(stderr.read());
}

describe("an unexpected error", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is reported as a bug", () => {
    expect(reportedText()).toMatch(/^error: hash is not a function\n {2}hint: this is a bug in kubewright /);
  });

  it("is reported as an outdated Node version if Node is too old", () => {
    vi.stubGlobal("process", { ...process, versions: { ...process.versions, node: "20.10.0" } });
    expect(reportedText()).toBe(
      "error: hash is not a function\n  hint: Node 20.10.0 is too old: install 20.19 or newer (use --verbose for a stack trace)\n",
    );
  });
});
