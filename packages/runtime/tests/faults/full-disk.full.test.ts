import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CertificatePair } from "../../src/certs/certificate-pair.ts";
import { selfSignedCertificate } from "../../src/certs/self-signed.ts";
import { reservePort } from "../../src/envtest/host/ports.ts";
import { TestEnvironment } from "../../src/envtest/index.ts";
import { eventually, widgetCRD } from "../../src/manager/widget.fixture.ts";
import { review } from "../../src/webhook/server.fixture.ts";
import { Replica } from "./replica.ts";

const maxWait = 60_000;
/** The size in bytes. */
const diskSize = 64 * 1024;
const environment = new TestEnvironment({ crds: [widgetCRD] });
const directory = mkdtempSync(join(tmpdir(), "kubewright-disk-"));
let replica: Replica;
let port: { port: number; release(): void };
let pairs: CertificatePair[];

/** Returns a path on the replica's disk, which is only mounted in the replica's mount namespace. */
const onDisk = (name: string): string => join(`/proc/${replica.pid}/root`, directory, name);

/** Returns the serving certificate of a new connection as PEM text. */
function shown(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: port.port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? "");
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

/** Sends reviews one after another until it is stopped. */
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

/** Fills the remaining disk space. */
function fill(): void {
  expect(() => writeFileSync(onDisk("filler"), Buffer.alloc(diskSize))).toThrow("ENOSPC");
}

const failures = (): number => replica.output.split("error re-reading certificate").length - 1;

// Only Linux supports mount namespaces for single processes.
describe.runIf(process.platform === "linux")(
  "a webhook server whose certificate directory is on a full disk",
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

    it("keeps the old pair, logs failed reads, and uses the new pair after space is freed", async () => {
      const load = reviews();
      expect(await shown()).toBe(pairs[0]?.cert);
      fill();
      // Writes like a program that overwrites the file: the old text is gone, and the new text doesn't fit.
      expect(() => writeFileSync(onDisk("tls.crt"), `${pairs[1]?.cert}${" ".repeat(diskSize)}`)).toThrow("ENOSPC");
      await eventually(() => expect(failures()).toBeGreaterThan(0), maxWait);
      // Long enough for two polls.
      await sleep(20_000);
      expect(failures()).toBeLessThan(8);
      expect(await shown()).toBe(pairs[0]?.cert);
      expect(await replica.isReady()).toBe(true);
      rmSync(onDisk("filler"));
      writePair(pairs[1]!);
      await eventually(async () => expect(await shown()).toBe(pairs[1]?.cert), maxWait);
      const { calls, failed } = await load.stop();
      console.info(
        `full disk: ${calls} reviews, ${failed.length} failed, ${failures()} failed attempts to read logged`,
      );
      expect(failed).toEqual([]);
      expect(calls).toBeGreaterThan(20);
    });

    it("serves without interruption or log lines if the writer renames complete files", async () => {
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

    it("keeps the pair if the files are removed", async () => {
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
