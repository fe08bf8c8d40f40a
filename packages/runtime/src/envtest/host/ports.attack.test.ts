import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { reservePort } from "./ports.ts";

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "kubewright-ports-attack-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(base, { recursive: true, force: true });
});

describe("a directory for reserved ports that another user prepared", () => {
  it("is rejected if it is a link", async () => {
    mkdirSync(join(base, "victim"));
    symlinkSync("victim", join(base, "ports"));
    await expect(reservePort(join(base, "ports"))).rejects.toThrow("is a link, or others may write to it");
    expect(readdirSync(join(base, "victim"))).toEqual([]);
  });

  it("is rejected if others may write to it", async () => {
    mkdirSync(join(base, "ports"));
    chmodSync(join(base, "ports"), 0o777);
    await expect(reservePort(join(base, "ports"))).rejects.toThrow("others may write to it");
  });

  it("is rejected if another user owns it", async () => {
    mkdirSync(join(base, "ports"), { mode: 0o700 });
    vi.spyOn(process, "getuid").mockReturnValue(12_345);
    await expect(reservePort(join(base, "ports"))).rejects.toThrow("others may write to it");
  });

  it("is rejected if it is a file", async () => {
    writeFileSync(join(base, "ports"), "");
    await expect(reservePort(join(base, "ports"))).rejects.toThrow();
  });
});
