import { beforeAll, describe, expect, it } from "vitest";
import { createAuthority } from "../../certs/authority.ts";
import { selfSignedCertificate } from "../../certs/self-signed.ts";
import { lifetimesOf } from "../options/self-managed.ts";
import { nextStep } from "./plan.ts";
import { renew } from "./renew.ts";
import { bundleOf, type CertificateState, isFor, isIssuedBy, readState, writeState } from "./state.ts";

const day = 24 * 3_600_000;
const hour = 3_600_000;
const start = Date.parse("2026-01-01T00:00:00Z");
const hosts = ["webhook-service.system.svc", "127.0.0.1"];
const lifetimes = { caValidFor: 3650 * day, validFor: 90 * day, overlap: hour };
const empty: CertificateState = readState({});

const renewed = (state: CertificateState, at: number) => renew(state, hosts, new Date(at), lifetimes);
const step = (state: CertificateState, at: number, for_ = hosts) => nextStep(state, for_, at, lifetimes);
const numbers = ({ authorities, serving }: CertificateState) => ({
  authorities: authorities.length,
  issuer: authorities.findIndex((authority) => serving && isIssuedBy(serving.issued, authority)),
});

let first: CertificateState;
beforeAll(async () => {
  first = await renewed(empty, start);
});

describe("the data of the Secret", () => {
  it("are the same after writing and reading", () => {
    const read = readState(writeState(first));
    expect(writeState(read)).toEqual(writeState(first));
    expect(numbers(read)).toEqual({ authorities: 1, issuer: 0 });
  });

  it.each(["ca.crt", "ca.key", "tls.crt", "tls.key"] as const)("are completed if %s is invalid", async (key) => {
    for (const value of ["", "AAAA", Buffer.from("-----BEGIN CERTIFICATE-----\nAA\n").toString("base64")]) {
      const broken = readState({ ...writeState(first), [key]: value });
      const whole = await renewed(broken, start + hour);
      expect(whole.authorityKey).toBeDefined();
      expect(numbers(whole).issuer).toBeGreaterThanOrEqual(0);
      expect(step(whole, start + hour)).toBeUndefined();
    }
  });

  it("ignore keys that don't match their certificates", async () => {
    const other = writeState(await renewed(empty, start));
    const mixed = { ...writeState(first), "ca.key": other["ca.key"], "tls.key": other["tls.key"] };
    expect(readState(mixed)).toMatchObject({ authorityKey: undefined, serving: undefined });
  });

  it("contain each CA once, and no other certificates as CAs", async () => {
    const leaf = first.serving?.cert ?? "";
    const bundle = Buffer.from(`${bundleOf(first.authorities)}junk\n${leaf}${bundleOf(first.authorities)}`);
    expect(readState({ "ca.crt": bundle.toString("base64") }).authorities).toHaveLength(1);
  });
});

describe("a serving certificate", () => {
  it("is issued by the CA for 90 days, for the Service and additional hosts", () => {
    const { serving, authorities } = first;
    expect(serving?.issued.from).toBe(start);
    expect(serving?.issued.to).toBe(start + 90 * day);
    expect(authorities[0]?.to).toBe(start + 3650 * day);
    expect(serving && isFor(serving.issued, hosts)).toBe(true);
  });

  it("is renewed after two thirds of its lifetime, by the same CA", async () => {
    expect(step(first, start + 60 * day - 1)).toBeUndefined();
    expect(step(first, start + 60 * day)).toBe("serving");
    const next = await renewed(first, start + 60 * day);
    expect(next.authorities).toEqual(first.authorities);
    expect(next.serving?.issued.to).toBe(start + 150 * day);
  });

  it("is renewed if its names change", () => {
    expect(step(first, start, [...hosts, "other"])).toBe("serving");
  });

  it("is replaced if another CA has issued it", async () => {
    const { cert, key } = await selfSignedCertificate(hosts, new Date(start));
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const foreign = readState({ ...writeState(first), "tls.crt": encode(cert), "tls.key": encode(key) });
    expect(step(foreign, start)).toBe("serving");
  });
});

describe("a new CA", () => {
  const due = start + (3650 * day * 2) / 3;
  let before: CertificateState;
  let announced: CertificateState;
  beforeAll(async () => {
    before = await renewed(first, due - 10 * day);
    announced = await renewed(before, due);
  });

  it("is created after two thirds of the lifetime of the old one, and published next to it", () => {
    expect(step(before, due - 1)).toBeUndefined();
    expect(numbers(announced)).toEqual({ authorities: 2, issuer: 1 });
    expect(announced.serving).toBe(before.serving);
  });

  it("issues the serving certificate after the overlap", async () => {
    expect(step(announced, due + hour - 1)).toBeUndefined();
    const served = await renewed(announced, due + hour);
    expect(numbers(served)).toEqual({ authorities: 2, issuer: 0 });
    expect(step(served, due + 2 * hour - 1)).toBeUndefined();
    expect(step(served, due + 2 * hour)).toBe("retire");
    expect(numbers(await renewed(served, due + 2 * hour))).toEqual({ authorities: 1, issuer: 0 });
  });

  it("waits for its overlap even if the serving certificate is due", () => {
    const old = start + 3650 * day;
    expect(step({ ...announced, serving: before.serving }, Math.min(due + hour - 1, old))).toBeUndefined();
  });

  it("issues immediately if no other serving certificate exists", async () => {
    expect(numbers(await renewed({ ...announced, serving: undefined }, due + 1000))).toEqual({
      authorities: 2,
      issuer: 0,
    });
  });

  it("replaces an expired CA and its certificate", async () => {
    expect(numbers(await renewed(first, start + 4000 * day))).toEqual({ authorities: 1, issuer: 0 });
  });

  it("is published next to other trusted CAs until they aren't needed", async () => {
    const { cert } = await createAuthority({ commonName: "cert-manager", validFor: 90 * day, now: new Date(start) });
    const trusted = readState({ "ca.crt": Buffer.from(cert).toString("base64") });
    const next = await renewed(trusted, start + day);
    expect(numbers(next)).toEqual({ authorities: 2, issuer: 0 });
    expect(numbers(await renewed(next, start + day + hour))).toEqual({ authorities: 1, issuer: 0 });
  });
});

it.each([4, 5, 6, 7])(
  "with lifetimes of %i and 6 overlaps, a certificate is renewed before it expires",
  async (times) => {
    const short = { caValidFor: 6 * hour, validFor: times * hour, overlap: hour };
    let state = await renew(empty, hosts, new Date(start), short);
    for (let at = start + hour / 4; at < start + 20 * hour; at += hour / 4) {
      expect(state.serving?.issued.to).toBeGreaterThan(at);
      state = await renew(state, hosts, new Date(at), short);
    }
  },
);

it.each([
  [{ overlap: 0 }, /must be at least/],
  [{ validFor: 2 * hour }, /validFor is 7200000 and overlap is 3600000, but validFor must be at least 4 times/],
  [{ caValidFor: 5 * hour }, /caValidFor must be at least 6 times/],
])("lifetimesOf rejects lifetimes of %j, which are too short for a renewal", (options, message) => {
  const parts = { secret: { namespace: "a" }, service: { namespace: "a", name: "b" }, caBundleTargets: [] };
  expect(() => lifetimesOf({ ...parts, ...options })).toThrow(message);
});
