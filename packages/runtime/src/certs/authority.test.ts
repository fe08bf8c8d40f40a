import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { createAuthority, loadAuthority } from "./authority.ts";
import { selfSignedCertificate } from "./self-signed.ts";

const day = 86_400_000;
const now = new Date("2026-11-22T10:00:00Z");
const authority = await createAuthority({ commonName: "somebody", validFor: 2 * day, now });

it("createAuthority returns a CA with its common name, valid from an hour before its creation", () => {
  const certificate = new X509Certificate(authority.cert);
  expect([certificate.ca, certificate.subject, certificate.issuer]).toEqual([true, "CN=somebody", "CN=somebody"]);
  expect([certificate.validFrom, certificate.validTo]).toEqual([
    "Nov 22 09:00:00 2026 GMT",
    "Nov 24 10:00:00 2026 GMT",
  ]);
  expect(certificate.checkPrivateKey(createPrivateKey(authority.key))).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

it("issueServing supports host names, wildcards, IPv4 and IPv6 addresses, and no other host", async () => {
  const hosts = ["web.example.svc", "*.example.org", "10.0.0.1", "fd00::1"];
  const certificate = new X509Certificate((await authority.issueServing(hosts, { validFor: day, now })).cert);
  expect(certificate.subjectAltName).toBe(
    "DNS:web.example.svc, DNS:*.example.org, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1",
  );
  expect(certificate.checkHost("a.example.org")).toBe("*.example.org");
  expect(certificate.checkHost("example.com")).toBeUndefined();
  expect(certificate.checkIP("fd00::1")).toBe("fd00::1");
  // Node.js calls the extended key usage `keyUsage`.
  expect([certificate.ca, certificate.keyUsage]).toEqual([false, ["1.3.6.1.5.5.7.3.1"]]);
  expect(certificate.validTo).toBe("Nov 23 10:00:00 2026 GMT");
});

it("issueClient issues certificates without host names", async () => {
  const certificate = new X509Certificate((await authority.issueClient("Zoë", ["system:masters"])).cert);
  expect(certificate.subject).toBe("O=system:masters\nCN=Zoë");
  expect([certificate.keyUsage, certificate.subjectAltName]).toEqual([["1.3.6.1.5.5.7.3.2"], undefined]);
});

it("loadAuthority continues from a certificate and key, and key identifiers distinguish CAs of the same name", async () => {
  const [again, other] = [
    loadAuthority(authority, { validFor: day }),
    await createAuthority({ commonName: "somebody", validFor: day }),
  ];
  const certificate = new X509Certificate((await again.issueServing(["a"])).cert);
  const [ours, theirs] = [new X509Certificate(authority.cert), new X509Certificate(other.cert)];
  expect(certificate.checkIssued(ours) && certificate.verify(ours.publicKey)).toBe(true);
  expect(certificate.checkIssued(theirs)).toBe(false);
});

// Other tools encode names as PrintableString. The bytes must stay the same, because TLS clients find CAs by them.
it("loadAuthority copies the encoded issuer name from the certificate", async () => {
  const { raw } = new X509Certificate(printable);
  const other = loadAuthority({ cert: printable, key: authority.key }, { validFor: day });
  const name = Buffer.from("30273111300f060355040a1308536f6d65204f6e65", "hex");
  expect(raw.includes(name)).toBe(true);
  const issued = new X509Certificate((await other.issueServing(["a"])).cert);
  expect(issued.issuer).toBe("O=Some One\nCN=printable");
  expect(issued.raw.includes(name)).toBe(true);
});

it("serial numbers have 126 random bits, are positive, and have the shortest DER encoding", async () => {
  const serials = await Promise.all(
    Array.from(
      { length: 20 },
      async () => new X509Certificate((await authority.issueClient("a", [])).cert).serialNumber,
    ),
  );
  expect(new Set(serials).size).toBe(20);
  for (const serial of serials) expect(serial).toMatch(/^[4-7][0-9A-F]{31}$/);
});

it("loadAuthority rejects an invalid certificate or key", () => {
  expect(() => loadAuthority({ ...authority, cert: "no" }, { validFor: day })).toThrow();
  expect(() => loadAuthority({ ...authority, key: "no" }, { validFor: day })).toThrow();
});

it("selfSignedCertificate issues a certificate for a server whose clients don't verify it", async () => {
  const certificate = new X509Certificate((await selfSignedCertificate(["localhost", "127.0.0.1"], now)).cert);
  expect([certificate.checkHost("localhost"), certificate.checkIP("127.0.0.1")]).toEqual(["localhost", "127.0.0.1"]);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.validTo).toBe("Nov 22 10:00:00 2027 GMT");
});

const printable = `-----BEGIN CERTIFICATE-----
MIIBSjCB8QIUPQW6SdoVlNfXWKM35PjuynRdeeswCgYIKoZIzj0EAwIwJzERMA8G
A1UEChMIU29tZSBPbmUxEjAQBgNVBAMTCXByaW50YWJsZTAgFw0yNjExMjIwMjUw
NTFaGA8yMTI2MTAyOTAyNTA1MVowJzERMA8GA1UEChMIU29tZSBPbmUxEjAQBgNV
BAMTCXByaW50YWJsZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFQ/Kw9QTnA6
+pH4+k0+WbtzA97v9MMoP68rPr0PAfUnbBfVO9qDgUGVRMjNY8F9lcdgzsEVDHGU
fQK6zbpIJtwwCgYIKoZIzj0EAwIDSAAwRQIhANB0oKgglns5BYI+JY4klE9aNpsa
rB5Qe687fDgKiqrZAiAuDmLSa9i78OjgWoMIipGDoyR3JcpaR2QKLUVtb47rrw==
-----END CERTIFICATE-----`;
