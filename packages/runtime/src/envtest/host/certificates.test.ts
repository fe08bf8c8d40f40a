import { X509Certificate } from "node:crypto";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createAuthority, serviceAccountKeys } from "./certificates.ts";

it("createAuthority issues server and client certificates that TLS accepts, with the user and all groups", async () => {
  const authority = await createAuthority();
  const serving = await authority.issueServing(["127.0.0.1", "localhost"]);
  const client = await authority.issueClient("Zoë", ["a", "system:masters"]);
  const server = createServer(
    { ...serving, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
    (request, response) =>
      response.end(JSON.stringify((request.socket as never as Socket).getPeerCertificate().subject)),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const subject = await new Promise<string>((resolve, reject) => {
      get({ host: "127.0.0.1", port, ca: authority.cert, ...client, agent: false }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve(text));
      }).once("error", reject);
    });
    expect(JSON.parse(subject)).toEqual({ O: ["a", "system:masters"], CN: "Zoë" });
  } finally {
    server.close();
  }
});

interface Socket {
  getPeerCertificate(): { subject: unknown };
}

it("createAuthority issues certificates with different serial numbers that stay valid for weeks, even if the clock is set back", async () => {
  const authority = await createAuthority();
  const [a, b] = await Promise.all([authority.issueClient("a", []), authority.issueClient("a", [])]);
  const first = new X509Certificate(a?.cert ?? "");
  expect(first.serialNumber).not.toBe(new X509Certificate(b?.cert ?? "").serialNumber);
  expect(first.verify(new X509Certificate(authority.cert).publicKey)).toBe(true);
  const days = (time: string) => (Date.parse(time) - Date.now()) / 86_400_000;
  for (const { validFrom, validTo } of [first, new X509Certificate(authority.cert)]) {
    expect(days(validTo)).toBeGreaterThan(60);
    expect(days(validFrom)).toBeLessThan(-30);
  }
});

it("serviceAccountKeys creates a key pair for service account tokens", () => {
  const { publicKey, privateKey } = serviceAccountKeys();
  expect(publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
  expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/);
});
