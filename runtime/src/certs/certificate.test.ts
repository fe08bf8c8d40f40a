import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { createAuthority, loadAuthority } from "./authority.ts";
import { backdated, distinguishedName, generateKeys, issue, pairOf } from "./certificate.ts";
import type { CertificatePair } from "./certificate-pair.ts";
import { element, oid, sequence } from "./der.ts";
import { basicConstraints } from "./extensions.ts";
import { selfSignedCertificate } from "./self-signed.ts";

const day = 24 * 3_600_000;
const hosts = ["games.example", "*.games.svc", "10.0.0.1", "::1", "fe80::1%eth0", "2001:db8::ff:0:1", "::ffff:1.2.3.4"];

/** Shakes hands, each side checking the other; gives the client's name as the server sees it. */
async function greet(
  ca: string,
  server: CertificatePair,
  client: CertificatePair,
  servername: string,
): Promise<string> {
  const listening = createServer({ ...server, ca, requestCert: true, rejectUnauthorized: true }).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const greeted = once(listening, "secureConnection") as Promise<[TLSSocket]>;
  const { port } = listening.address() as { port: number };
  const socket = connect({ host: "127.0.0.1", port, ca, ...client, servername });
  try {
    await once(socket, "secureConnect");
    const [seen] = await greeted;
    const { O: groups, CN: name } = seen.getPeerCertificate().subject;
    return `${name} of ${groups}`;
  } finally {
    socket.destroy();
    listening.close();
  }
}

describe("certificates", () => {
  it("says of an authority that it is one", async () => {
    const { cert, key } = await createAuthority({ commonName: "an authority", validFor: day });
    const x509 = new X509Certificate(cert);
    expect(x509.subject).toBe("CN=an authority");
    expect(x509.ca).toBe(true);
    expect(x509.verify(x509.publicKey) && x509.checkIssued(x509)).toBe(true);
    expect(x509.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  it("is good an hour before it is made, and as long as asked for, across the year 2050 too", async () => {
    const now = new Date("2049-06-01T12:00:00Z");
    const { cert } = await createAuthority({ commonName: "x", validFor: 365 * day, now });
    const { validFrom, validTo } = new X509Certificate(cert);
    expect(Date.parse(validFrom)).toBe(now.getTime() - backdated);
    expect(Date.parse(validTo)).toBe(now.getTime() + 365 * day);
  });

  it("names hosts and addresses, in all their forms", async () => {
    const authority = await createAuthority({ commonName: "x", validFor: day });
    const x509 = new X509Certificate((await authority.issueServing(hosts)).cert);
    for (const name of ["games.example", "a.games.svc"]) expect(x509.checkHost(name), name).toBeDefined();
    for (const address of ["10.0.0.1", "::1", "fe80::1", "2001:db8:0:0:0:ff:0:1", "::ffff:102:304"]) {
      expect(x509.checkIP(address), address).toBeDefined();
    }
    expect(x509.checkHost("other.example")).toBeUndefined();
    expect(x509.ca).toBe(false);
  });

  it("refuses a host name that isn't ASCII, and says how it is written", async () => {
    await expect(selfSignedCertificate(["bücher.example"])).rejects.toThrow(/"bücher.example".*must be ASCII/);
  });

  it("serves and knows clients by name and groups in a handshake that both sides check", async () => {
    const authority = await createAuthority({ commonName: "x", validFor: day });
    const server = await authority.issueServing(["games.example"]);
    const client = await authority.issueClient("jürgen", ["system:masters"]);
    expect(await greet(authority.cert, server, client, "games.example")).toBe("jürgen of system:masters");
  });

  it("tells a client's certificate from a server's", async () => {
    const authority = await createAuthority({ commonName: "x", validFor: day });
    const client = await authority.issueClient("c", []);
    await expect(greet(authority.cert, client, client, "localhost")).rejects.toThrow(/purpose|ERR_TLS/);
  });

  it("signs on with an authority that was kept, and tells those of one name apart", async () => {
    const [first, second] = await Promise.all([
      createAuthority({ commonName: "same", validFor: day }),
      createAuthority({ commonName: "same", validFor: day }),
    ]);
    const kept = await loadAuthority({ cert: first.cert, key: first.key }, { validFor: day });
    const issued = new X509Certificate((await kept.issueServing(["a"])).cert);
    const [own, other] = [first, second].map(({ cert }) => new X509Certificate(cert)) as [
      X509Certificate,
      X509Certificate,
    ];
    expect(issued.checkIssued(own) && issued.verify(own.publicKey)).toBe(true);
    expect(issued.checkIssued(other)).toBe(false);
  });

  it("signs with an authority that somebody else made, under its name and its key's own identifier", async () => {
    const { publicKey, privateKey } = await generateKeys();
    const subject = distinguishedName("ca", ["elsewhere", "far away"]);
    const identifier = sequence(
      oid("2.5.29.14"),
      element("octetString", element("octetString", Buffer.from("its own"))),
    );
    const content = {
      subject,
      issuer: subject,
      publicKey,
      extensions: [basicConstraints(true), identifier],
      validFor: day,
    };
    const foreign = pairOf(issue(content, privateKey), privateKey);
    const issued = new X509Certificate(
      (await (await loadAuthority(foreign, { validFor: day })).issueServing(["a"])).cert,
    );
    expect(issued.issuer).toBe("O=elsewhere\nO=far away\nCN=ca");
    expect(issued.checkIssued(new X509Certificate(foreign.cert))).toBe(true);
    expect(issued.raw.includes("its own")).toBe(true);
  });

  it("refuses a key that it can't sign with, and text that is no certificate", async () => {
    const { cert, key } = await createAuthority({ commonName: "x", validFor: day });
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey.export({ type: "pkcs8", format: "pem" });
    await expect(loadAuthority({ cert, key: rsa as string }, { validFor: day })).rejects.toThrow(
      "ECDSA on P-256, not rsa",
    );
    await expect(loadAuthority({ cert: "none", key }, { validFor: day })).rejects.toThrow();
  });

  it("never gives a serial number twice", async () => {
    const authority = await createAuthority({ commonName: "x", validFor: day });
    const pairs = await Promise.all(Array.from({ length: 20 }, () => authority.issueClient("c", [])));
    expect(new Set(pairs.map(({ cert }) => new X509Certificate(cert).serialNumber)).size).toBe(20);
  });
});
