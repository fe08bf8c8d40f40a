import { X509Certificate } from "node:crypto";
import { get } from "node:https";
import { connect, createServer } from "node:tls";
import { expect, test } from "vitest";
import { startApiServer } from "../server/server.ts";
import { Authority } from "./certificates.ts";

const authority = new Authority("kubewright-apiserver", Date.now);

test("the certificate of an authority is self-signed", () => {
  const certificate = new X509Certificate(authority.cert);
  expect(certificate.ca).toBe(true);
  expect(certificate.subject).toBe("CN=kubewright-apiserver");
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

test("a serving certificate contains names and addresses of both families", () => {
  const certificate = new X509Certificate(authority.issueServing(["localhost", "127.0.0.1", "::1", "fd00::1:2"]).cert);
  expect(certificate.checkHost("localhost")).toBe("localhost");
  expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
  expect(certificate.checkIP("::1")).toBe("::1");
  expect(certificate.checkIP("fd00::1:2")).toBe("fd00::1:2");
  expect(certificate.checkIP("fd00::1:3")).toBeUndefined();
  expect(certificate.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
});

test("a client certificate contains the user and all groups", () => {
  const certificate = new X509Certificate(authority.issueClient("jane", ["dev", "system:masters"]).cert);
  expect(certificate.subject).toBe("O=dev\nO=system:masters\nCN=jane");
  expect(certificate.checkIssued(new X509Certificate(authority.cert))).toBe(true);
});

test("certificates stay valid if the clock is set back by months", () => {
  const client = authority.issueClient("jane", []);
  const months = Date.now() - 180 * 86_400_000;
  for (const cert of [authority.cert, authority.issueServing(["localhost"]).cert, client.cert]) {
    expect(Date.parse(new X509Certificate(cert).validFrom)).toBeLessThan(months);
  }
});

test("long names and dates after 2049 are encoded correctly", () => {
  const late = new Authority("x".repeat(300), () => Date.UTC(2060, 0, 1));
  const certificate = new X509Certificate(late.cert);
  expect(certificate.subject).toBe(`CN=${"x".repeat(300)}`);
  expect(new Date(certificate.validFrom).getUTCFullYear()).toBe(2059);
  expect(new Date(certificate.validTo).getUTCFullYear()).toBe(2069);
});

test("both sides of a TLS connection accept the certificates", async () => {
  const { cert, key } = authority.issueServing(["127.0.0.1"]);
  const user = authority.issueClient("jane", ["dev"]);
  const server = createServer(
    { cert, key, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      socket.end(socket.getPeerCertificate().subject.CN);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const socket = connect({ host: "127.0.0.1", port, ca: authority.cert, cert: user.cert, key: user.key });
  let received = "";
  for await (const chunk of socket) received += chunk;
  server.close();
  expect(received).toBe("jane");
});

test("a server whose clock is in the past has certificates of the present, which are valid for years", async () => {
  const past = { now: () => 0, date: () => new Date(0), setTimeout: () => 0, clearTimeout: () => {} };
  const server = await startApiServer({ clock: past });
  try {
    const { ca = "", cert, key } = server.config;
    const years = (Date.parse(new X509Certificate(ca).validTo) - Date.now()) / (365 * 86_400_000);
    expect(years).toBeGreaterThan(5);
    const status = await new Promise((resolve, reject) => {
      get(`${server.url}/version`, { ca, cert, key }, ({ statusCode }) => resolve(statusCode)).on("error", reject);
    });
    expect(status).toBe(200);
  } finally {
    await server.stop();
  }
});
