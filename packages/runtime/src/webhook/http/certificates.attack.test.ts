import { chownSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { selfSignedCertificate } from "../../certs/self-signed.ts";
import type { Logger } from "../../log/logger.ts";
import { certificatesOf, defaultCertDir } from "./certificates.ts";
import type { WebhookMetrics } from "./metrics.ts";

let base: string;
let planted: string;
beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), "kubewright-certificates-"));
  vi.stubEnv("TMPDIR", base);
  const { cert, key } = await selfSignedCertificate(["planted"]);
  planted = cert;
  mkdirSync(defaultCertDir(), { recursive: true });
  writeFileSync(join(defaultCertDir(), "tls.crt"), cert);
  writeFileSync(join(defaultCertDir(), "tls.key"), key);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true, force: true });
});

/** Returns whether the certificate in the default directory is served, and the logged warnings. */
async function served(): Promise<{ planted: boolean; warned: string[] }> {
  const warned: string[] = [];
  const log = { warn: (message: string) => warned.push(message), info() {}, error() {} } as unknown as Logger;
  const metrics = { certificateRead() {} } as unknown as WebhookMetrics;
  const stop = new AbortController();
  const source = certificatesOf({}, { log, metrics });
  const { cert } = await source.watch(stop.signal, () => undefined);
  stop.abort();
  return { planted: cert === planted, warned };
}

describe("a webhook certificate in the default directory", () => {
  it("is served if the directory belongs to the user", async () => {
    expect(await served()).toEqual({ planted: true, warned: [] });
  });

  it("isn't served if another user owns the directory", async () => {
    if (process.getuid?.() !== 0) vi.spyOn(process, "getuid").mockReturnValue(12_345);
    else chownSync(dirname(defaultCertDir()), 12_345, 12_345);
    const certificate = await served();
    expect(certificate.planted).toBe(false);
    expect(certificate.warned[0]).toContain("is ignored, because another user could have created it");
  });

  it("isn't served if the directory is a link", async () => {
    const place = dirname(defaultCertDir());
    renameSync(place, join(base, "elsewhere"));
    symlinkSync("elsewhere", place);
    expect((await served()).planted).toBe(false);
  });
});
