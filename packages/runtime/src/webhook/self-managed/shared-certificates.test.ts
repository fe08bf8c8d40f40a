import { expect, it } from "vitest";
import type { CertificatePair } from "../../certs/certificate-pair.ts";
import type { CertificateSource } from "../../certs/certificate-source.ts";
import { sharedCertificates } from "./shared-certificates.ts";

const pair = (name: string): CertificatePair => ({ cert: name, key: name });

/** Returns a source that counts its watches and returns the certificates of the test. */
function source() {
  const watches: {
    signal: AbortSignal;
    renew: (pair: CertificatePair) => void;
    give: (pair: CertificatePair) => void;
  }[] = [];
  const certificates: CertificateSource = {
    watch: (signal, renew) =>
      new Promise((give, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        watches.push({ signal, renew, give });
      }),
  };
  return { watches, certificates };
}

it("sharedCertificates watches the source once for all servers, and passes renewals to each of them", async () => {
  const { watches, certificates } = source();
  const shared = sharedCertificates(certificates);
  const seen: string[] = [];
  const { signal } = new AbortController();
  const first = shared.watch(signal, ({ cert }) => seen.push(`first ${cert}`));
  const second = shared.watch(new AbortController().signal, ({ cert }) => seen.push(`second ${cert}`));
  watches[0]?.give(pair("a"));
  expect([(await first).cert, (await second).cert]).toEqual(["a", "a"]);
  watches[0]?.renew(pair("b"));
  expect(seen).toEqual(["first b", "second b"]);
  expect((await shared.watch(signal, () => {})).cert).toBe("b");
  expect(watches).toHaveLength(1);
});

it("sharedCertificates watches until the last server has stopped, and again for a later one", async () => {
  const { watches, certificates } = source();
  const shared = sharedCertificates(certificates);
  const [firstStop, other] = [new AbortController(), new AbortController()];
  const seen: string[] = [];
  const first = shared.watch(firstStop.signal, ({ cert }) => seen.push(cert));
  const second = shared.watch(other.signal, () => {});
  firstStop.abort(new Error("stopped"));
  await expect(first).rejects.toThrow("stopped");
  expect(watches[0]?.signal.aborted).toBe(false);
  watches[0]?.give(pair("a"));
  expect((await second).cert).toBe("a");
  watches[0]?.renew(pair("b"));
  expect(seen).toEqual([]);
  other.abort();
  expect(watches[0]?.signal.aborted).toBe(true);
  const third = shared.watch(new AbortController().signal, () => {});
  watches[1]?.give(pair("c"));
  expect((await third).cert).toBe("c");
});

it("sharedCertificates rejects for all servers if the source rejects", async () => {
  const shared = sharedCertificates({ watch: () => Promise.reject(new Error("no certificate")) });
  const both = [1, 2].map(() => shared.watch(new AbortController().signal, () => {}));
  const results = await Promise.allSettled(both);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
