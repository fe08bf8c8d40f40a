import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CertificatePair } from "../certs/certificate-pair.ts";
import { selfSignedCertificate } from "../certs/self-signed.ts";
import { TestEnvironment } from "../envtest/index.ts";
import { reservePort } from "../envtest/ports.ts";
import { eventually, widgetCRD } from "../manager/widget.fixture.ts";
import { review } from "../webhook/server.fixture.ts";
import { Replica } from "./replica.ts";

const maxWait = 60_000;
/** Bytes. */
const diskSize = 64 * 1024;
const environment = new TestEnvironment({ crds: [widgetCRD] });
const directory = mkdtempSync(join(tmpdir(), "kubewright-disk-"));
let replica: Replica;
let port: { port: number; release(): void };
let pairs: CertificatePair[];

/** A path on the replica's disk, which only its own mount namespace has. */
const onDisk = (name: string): string => join(`/proc/${replica.pid}/root`, directory, name);

/** The certificate that a new connection is shown, as PEM text. */
function shown(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: port.port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? "");
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

/** Reviews, one after another, until stopped. */
function reviews(): { stop(): Promise<{ calls: number; failed: string[] }> } {
  let running = true;
  const result = { calls: 0, failed: [] as string[] };
  const loop = (async () => {
    for (; running; await sleep(50)) {
      result.calls++;
      await review(port.port, "/validate", { operation: "CREATE" }).catch((error: Error) => {
        result.failed.push(error.message);
      });
    }
  })();
  return {
    async stop() {
      running = false;
      await loop;
      return result;
    },
  };
}

function writePair({ cert, key }: CertificatePair): void {
  writeFileSync(onDisk("tls.crt"), cert);
  writeFileSync(onDisk("tls.key"), key);
}

/** Takes what room is left. */
function fill(): void {
  expect(() => writeFileSync(onDisk("filler"), Buffer.alloc(diskSize))).toThrow("ENOSPC");
}

const failures = (): number => replica.output.split("error re-reading certificate").length - 1;

// Linux has file systems of one process alone.
describe.runIf(process.platform === "linux")(
  "a full disk where the certificate's files lie",
  { sequential: true },
  () => {
    beforeAll(async () => {
      const hosts = ["localhost", "127.0.0.1"];
      pairs = await Promise.all([1, 2, 3].map(() => selfSignedCertificate(hosts)));
      port = await reservePort();
      const config = await environment.start();
      const manager = { webhook: { host: "127.0.0.1", port: port.port, certDir: directory } };
      replica = await Replica.start({ name: "replica", config, manager }, { disk: { directory, bytes: diskSize } });
      await eventually(() => expect(existsSync(onDisk("mounted")), replica.output).toBe(true), maxWait);
      writePair(pairs[0]!);
      await eventually(async () => expect(await replica.isReady(), replica.output).toBe(true), maxWait);
    });

    afterAll(async () => {
      await replica?.end();
      port?.release();
      await environment.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    it("a new pair without disk space leaves the old one in use, is logged once per attempt, and is used after space is freed", async () => {
      const load = reviews();
      expect(await shown()).toBe(pairs[0]?.cert);
      fill();
      // As a writer does that overwrites: the old text is gone, and the new one has no room.
      expect(() => writeFileSync(onDisk("tls.crt"), `${pairs[1]?.cert}${" ".repeat(diskSize)}`)).toThrow("ENOSPC");
      await eventually(() => expect(failures()).toBeGreaterThan(0), maxWait);
      // Two polls, and no more.
      await sleep(20_000);
      expect(failures()).toBeLessThan(8);
      expect(await shown()).toBe(pairs[0]?.cert);
      expect(await replica.isReady()).toBe(true);
      rmSync(onDisk("filler"));
      writePair(pairs[1]!);
      await eventually(async () => expect(await shown()).toBe(pairs[1]?.cert), maxWait);
      const { calls, failed } = await load.stop();
      console.info(`full disk: ${calls} reviews, ${failed.length} failed, ${failures()} attempts to read told`);
      expect(failed).toEqual([]);
      expect(calls).toBeGreaterThan(20);
    });

    it("a writer that renames complete files loses nothing, and nothing is logged", async () => {
      const load = reviews();
      const before = failures();
      fill();
      expect(() => writeFileSync(onDisk("tls.crt.next"), `${pairs[2]?.cert}${" ".repeat(diskSize)}`)).toThrow("ENOSPC");
      await sleep(2000);
      expect([await shown(), failures()]).toEqual([pairs[1]?.cert, before]);
      rmSync(onDisk("filler"));
      for (const [name, text] of Object.entries({ "tls.crt": pairs[2]?.cert, "tls.key": pairs[2]?.key })) {
        writeFileSync(onDisk(`${name}.next`), text ?? "");
        renameSync(onDisk(`${name}.next`), onDisk(name));
      }
      await eventually(async () => expect(await shown()).toBe(pairs[2]?.cert), maxWait);
      expect((await load.stop()).failed).toEqual([]);
    });

    it("a directory whose files are gone leaves the pair in use", async () => {
      const load = reviews();
      const before = failures();
      for (const name of ["tls.crt", "tls.key"]) rmSync(onDisk(name));
      await eventually(() => expect(failures()).toBeGreaterThan(before), maxWait);
      expect(await shown()).toBe(pairs[2]?.cert);
      writePair(pairs[0]!);
      await eventually(async () => expect(await shown()).toBe(pairs[0]?.cert), maxWait);
      expect((await load.stop()).failed).toEqual([]);
      expect(replica.isRunning).toBe(true);
    });
  },
);
