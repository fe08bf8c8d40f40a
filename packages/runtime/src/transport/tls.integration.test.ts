import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createProxy } from "node:http";
import { createServer as createSecureProxy } from "node:https";
import type { Socket } from "node:net";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket, TlsOptions } from "node:tls";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { thorough } from "../../../../scripts/test-support/thorough.ts";
import { type CertificateAuthority, createAuthority, type KeyPair } from "../envtest/host/certificates.ts";
import type { TransportError } from "../errors/transport-error.ts";
import { createTransport } from "./create-transport.ts";
import { json, type LoopbackServer, startLoopbackServer } from "./loopback-server.ts";
import { TlsFiles } from "./tls-files.ts";

let authority: CertificateAuthority;
let client: KeyPair;
let server: LoopbackServer;
let named: LoopbackServer;

beforeAll(async () => {
  authority = await createAuthority();
  client = await authority.issueClient("jane", ["system:masters"]);
  const serving = await authority.issueServing(["127.0.0.1"]);
  const other = await authority.issueServing(["kubernetes.default.svc"]);
  const whoAmI = (socket: unknown): string => {
    const peer = (socket as TLSSocket).getPeerCertificate();
    return peer?.subject?.CN ?? "nobody";
  };
  const options = { ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  let held: (() => void)[] = [];
  const respond: Parameters<typeof startLoopbackServer>[0] = (request, response, incoming) => {
    held.push(() => json(response, 200, { user: whoAmI(incoming.socket) }));
    // The responses to requests for `/together/3` wait for three requests, which therefore need three connections.
    if (held.length < Number(/^\/together\/(\d+)$/.exec(request.url)?.[1] ?? 1)) return;
    for (const answer of held) answer();
    held = [];
  };
  server = await startLoopbackServer(respond, { ...serving, ...options });
  named = await startLoopbackServer(respond, { ...other, ...options });
});

afterAll(async () => {
  await server.close();
  await named.close();
});

async function ask(config: Parameters<typeof createTransport>[0]): Promise<unknown> {
  const transport = createTransport(config);
  try {
    return (await transport.request({ method: "GET", path: "/x" })).body;
  } finally {
    await transport.close();
  }
}

describe("a TLS connection", () => {
  it("trusts only the given CA", async () => {
    expect(await ask({ host: server.url, ca: authority.cert })).toEqual({ user: "nobody" });
    const error = (await ask({ host: server.url }).catch((caught: unknown) => caught)) as TransportError;
    expect(error.name).toBe("TransportError");
    expect(error.code).toMatch(/^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/);
    const stranger = await createAuthority();
    await expect(ask({ host: server.url, ca: stranger.cert })).rejects.toThrow();
  });

  it("sends the client certificate", async () => {
    expect(await ask({ host: server.url, ca: authority.cert, ...client })).toEqual({ user: "jane" });
  });

  it("sends the client certificate of a credential plugin", async () => {
    const directory = mkdtempSync(join(tmpdir(), "kubewright-plugin-"));
    try {
      const status = { clientCertificateData: client.cert, clientKeyData: client.key };
      const answer = { apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status };
      const script = join(directory, "plugin.cjs");
      writeFileSync(script, `console.log(${JSON.stringify(JSON.stringify(answer))})`);
      const { apiVersion } = answer;
      const exec = { apiVersion, command: process.execPath, args: [script], interactiveMode: "IfAvailable" as const };
      expect(await ask({ host: server.url, ca: authority.cert, exec })).toEqual({ user: "jane" });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("uses changed files of certificate, key and CA, and keeps the old ones without a file", async () => {
    const directory = mkdtempSync(join(tmpdir(), "kubewright-tls-files-"));
    const file = (name: string) => join(directory, name);
    const write = ({ cert, key }: KeyPair) => {
      writeFileSync(file("cert"), cert);
      writeFileSync(file("key"), key);
    };
    try {
      let now = 0;
      const john = await authority.issueClient("john", []);
      const stranger = await createAuthority();
      writeFileSync(file("ca"), authority.cert);
      write(client);
      const config = { host: server.url, caFile: file("ca"), certFile: file("cert"), keyFile: file("key") };
      const files = new TlsFiles({ ...config, ca: authority.cert, ...client }, () => now);
      const first = await files.current();
      // An incomplete pair and a missing file are ignored.
      writeFileSync(file("cert"), john.cert);
      rmSync(file("ca"));
      now += 60_000;
      expect(await files.current()).toBe(first);
      writeFileSync(file("key"), john.key);
      now += 59_999;
      expect(await files.current()).toBe(first);
      now += 1;
      expect(await files.current()).toEqual({ ca: authority.cert, ...john });

      // The transport starts without the content of the files, and with content that isn't current.
      writeFileSync(file("ca"), authority.cert);
      expect(await ask(config)).toEqual({ user: "john" });
      const transport = createTransport({ ...config, ...john, ca: stranger.cert });
      expect((await transport.request({ method: "GET", path: "/x" })).body).toEqual({ user: "john" });
      await transport.close();
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("is refused at once for an invalid CA, certificate or key, which no request could use", async () => {
    const { cert, key } = client;
    const other = await authority.issueClient("joe", []);
    const host = server.url;
    const isCertificate = "must be certificates in PEM format";
    expect(() => createTransport({ host, ca: "garbage" })).toThrow(`invalid ca: ${isCertificate}: `);
    expect(() => createTransport({ host, cert: "garbage", key })).toThrow(`invalid cert: ${isCertificate}: `);
    for (const wrong of ["garbage", other.key]) {
      const create = (): unknown => createTransport({ host, cert, key: wrong });
      expect(create).toThrow("invalid key: must be the private key of cert, in PEM format: ");
      expect(create).toThrow(expect.toSatisfy((error: unknown) => !inspect(error).includes(wrong.slice(0, 50))));
    }
  });

  it("verifies the server name, or tlsServerName if it is set", async () => {
    await expect(ask({ host: named.url, ca: authority.cert })).rejects.toThrow(/altnames|IP/i);
    expect(await ask({ host: named.url, ca: authority.cert, tlsServerName: "kubernetes.default.svc" })).toEqual({
      user: "nobody",
    });
  });

  it("verifies nothing if configured", async () => {
    expect(await ask({ host: named.url, insecureSkipTLSVerify: true })).toEqual({ user: "nobody" });
  });

  it("uses a proxy, with a user and a client certificate", async () => {
    await withProxy(undefined, async (port, asked) => {
      const proxyUrl = `http://me:pass@127.0.0.1:${port}`;
      expect(await ask({ host: server.url, ca: authority.cert, ...client, proxyUrl })).toEqual({ user: "jane" });
      const basic = Buffer.from("me:pass").toString("base64");
      expect(asked).toEqual([`127.0.0.1:${server.port} Basic ${basic}`]);
    });
  });

  it("trusts an https proxy by the same CA, and verifies its name", async () => {
    const serving = await authority.issueServing(["127.0.0.1"]);
    const requestCertificates = { ca: authority.cert, requestCert: true, rejectUnauthorized: false };
    await withProxy({ ...serving, ...requestCertificates }, async (port, asked, peers) => {
      const proxyUrl = `https://127.0.0.1:${port}`;
      expect(await ask({ host: server.url, ca: authority.cert, ...client, proxyUrl })).toEqual({ user: "jane" });
      expect(await ask({ host: server.url, insecureSkipTLSVerify: true, proxyUrl })).toEqual({ user: "nobody" });
      expect(asked).toHaveLength(2);
      // Like client-go, the transport sends the client certificate to a proxy that requests it.
      expect(peers).toEqual(["jane", "nobody"]);
      const stranger = await createAuthority();
      await expect(ask({ host: server.url, ca: stranger.cert, proxyUrl })).rejects.toThrow(/certificate/);
      expect(asked).toHaveLength(2);
    });
    await withProxy(await authority.issueServing(["proxy.example.com"]), async (port) => {
      const proxyUrl = `https://127.0.0.1:${port}`;
      await expect(ask({ host: server.url, ca: authority.cert, proxyUrl })).rejects.toThrow(/altnames|IP/i);
    });
  });
});

/** Starts a proxy, with TLS if options are given. Records the clients and their targets. */
async function withProxy(
  tls: TlsOptions | undefined,
  use: (port: number, asked: string[], peers: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const peers: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = tls ? createSecureProxy(tls) : createProxy();
  proxy.on("connect", (request, socket, head) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    if (tls) peers.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN ?? "nobody");
    const [host, port] = request.url!.split(":");
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    // The HTTP server neither closes nor counts tunnels.
    sockets.add(onward).add(socket as Socket);
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  try {
    await use((proxy.address() as AddressInfo).port, asked, peers);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => proxy.close(() => resolve()));
  }
}

describe("renewed certificate files", () => {
  /** Calls `play` with a transport whose client certificate comes from files, and with a function that names its user. */
  async function withFiles(
    play: (
      files: { certFile: string; keyFile: string },
      user: () => Promise<unknown>,
      together: (count: number) => Promise<unknown[]>,
    ) => Promise<void>,
    proxyUrl?: string,
  ): Promise<void> {
    const directory = mkdtempSync(join(tmpdir(), "kubewright-renewed-"));
    const files = { certFile: join(directory, "cert"), keyFile: join(directory, "key") };
    writeFileSync(files.certFile, client.cert);
    writeFileSync(files.keyFile, client.key);
    const transport = createTransport({ host: server.url, ca: authority.cert, ...client, ...files, proxyUrl });
    const ask = async (path: string): Promise<unknown> =>
      ((await transport.request({ method: "POST", path, body: {} })).body as { user: string }).user;
    const together = (count: number): Promise<unknown[]> =>
      Promise.all(Array.from({ length: count }, () => ask(`/together/${count}`)));
    try {
      await play(files, () => ask("/x"), together);
    } finally {
      await transport.close();
      rmSync(directory, { recursive: true });
    }
  }

  it("are used by the next handshake, and then by all requests, without waiting for the next check", async () => {
    await withFiles(async ({ certFile, keyFile }, user, together) => {
      expect(await user()).toBe("jane");
      const joe = await authority.issueClient("joe", []);
      writeFileSync(certFile, joe.cert);
      writeFileSync(keyFile, joe.key);
      // The first request has the open connection, and the others need new ones.
      expect((await together(3)).toSorted()).toEqual(["jane", "joe", "joe"]);
      expect(await user()).toBe("joe");
    });
  });

  it("break none of many parallel requests, while connections are opened and replaced", async () => {
    await withFiles(async ({ certFile, keyFile }, user, together) => {
      expect(await user()).toBe("jane");
      for (let round = 0; round < (thorough ? 10 : 2); round++) {
        const name = `joe-${round}`;
        const next = await authority.issueClient(name, []);
        const running = Array.from({ length: 20 }, user);
        writeFileSync(certFile, next.cert);
        running.push(...Array.from({ length: 20 }, user));
        writeFileSync(keyFile, next.key);
        // Each wave starts while connections of the previous one are opened.
        for (let wave = 0; wave < 3; wave++) {
          running.push(...Array.from({ length: 30 }, user));
          await new Promise(setImmediate);
        }
        await Promise.all(running);
        await together(41);
        expect(await user()).toBe(name);
      }
    });
  });

  it("keep the old pair in use while only one file of the new pair is written", async () => {
    await withFiles(async ({ certFile, keyFile }, user, together) => {
      expect(await user()).toBe("jane");
      const joe = await authority.issueClient("joe", []);
      writeFileSync(certFile, joe.cert);
      expect(await together(3)).toEqual(Array(3).fill("jane"));
      writeFileSync(keyFile, "");
      expect(await together(5)).toEqual(Array(5).fill("jane"));
      writeFileSync(keyFile, joe.key);
      await together(9);
      expect(await user()).toBe("joe");
    });
  });

  it("are sent to a proxy that requests a certificate", async () => {
    const serving = await authority.issueServing(["127.0.0.1"]);
    const requestCertificates = { ca: authority.cert, requestCert: true, rejectUnauthorized: false };
    await withProxy({ ...serving, ...requestCertificates }, async (port, _asked, peers) => {
      await withFiles(async ({ certFile, keyFile }, user, together) => {
        expect(await user()).toBe("jane");
        const joe = await authority.issueClient("joe", []);
        writeFileSync(certFile, joe.cert);
        writeFileSync(keyFile, joe.key);
        expect((await together(2)).toSorted()).toEqual(["jane", "joe"]);
        expect(peers).toEqual(["jane", "joe"]);
      }, `https://127.0.0.1:${port}`);
    });
  });
});
