import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createTransport } from "../create-transport.ts";
import { json, startLoopbackServer } from "../loopback-server.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Starts a proxy that answers each message of the client with the next one of `answers`, and then forwards all bytes to `port`. */
async function scripted(answers: readonly Buffer[], port: number): Promise<{ port: number; received: Buffer[] }> {
  const { connect } = await import("node:net");
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    let next = 0;
    const onData = (chunk: Buffer): void => {
      received.push(chunk);
      socket.write(answers[next++]!);
      if (next < answers.length) return;
      socket.off("data", onData);
      const onward = connect(port, "127.0.0.1");
      sockets.add(onward);
      onward.on("error", () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    };
    socket.on("data", onData);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, received };
}

async function ask(proxyUrl: (port: number) => string, answers: readonly Buffer[], host = "server.test") {
  const server = await startLoopbackServer((_request, response) => json(response, 200, { ok: true }));
  cleanUps.push(() => server.close());
  const proxy = await scripted(answers, server.port);
  const transport = createTransport({ host: `http://${host}:80`, proxyUrl: proxyUrl(proxy.port) });
  cleanUps.push(() => transport.close());
  const asked = await transport.request({ method: "GET", path: "/", maxRetries: 0 }).then(
    ({ body }) => body,
    (error: Error) => error.message,
  );
  return { asked, received: proxy.received };
}

const granted = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);

describe("a tunnel through a SOCKS5 proxy", () => {
  it("sends the host name to the proxy, which resolves it", async () => {
    const { asked, received } = await ask((port) => `socks5://127.0.0.1:${port}`, [Buffer.from([5, 0]), granted]);
    expect(asked).toEqual({ ok: true });
    expect(received[0]).toEqual(Buffer.from([5, 1, 0]));
    expect(received[1]).toEqual(
      Buffer.concat([Buffer.from([5, 1, 0, 3, 11]), Buffer.from("server.test"), Buffer.from([0, 80])]),
    );
  });

  it("sends IP addresses in binary form", async () => {
    const { received } = await ask((port) => `socks5://127.0.0.1:${port}`, [Buffer.from([5, 0]), granted], "10.1.2.3");
    expect(received[1]).toEqual(Buffer.from([5, 1, 0, 1, 10, 1, 2, 3, 0, 80]));
  });

  it("authenticates if the proxy requires it", async () => {
    const answers = [Buffer.from([5, 2]), Buffer.from([1, 0]), granted];
    const { asked, received } = await ask((port) => `socks5://me:p%40ss@127.0.0.1:${port}`, answers);
    expect(asked).toEqual({ ok: true });
    expect(received[0]).toEqual(Buffer.from([5, 2, 0, 2]));
    expect(received[1]).toEqual(Buffer.from("\u0001\u0002me\u0004p@ss", "latin1"));
  });

  it.each([
    ["another protocol", [Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")], /isn't a SOCKS5 server/],
    ["an unknown authentication method", [Buffer.from([5, 255])], /log in/],
    ["a rejected connection", [Buffer.from([5, 0]), Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0])], /SOCKS reply 2/],
  ])("reports an error of the proxy in one line: %s", async (_what, answers, message) => {
    const { asked } = await ask((port) => `socks5://127.0.0.1:${port}`, answers);
    expect(asked).toMatch(message);
    expect(asked).toMatch(/^GET http:\/\/server\.test\/: the proxy 127\.0\.0\.1:\d+ [^\n]*$/);
  });
});

describe("a tunnel through an HTTP proxy", () => {
  it("treats bytes directly after the proxy's response as data of the server", async () => {
    const early = Buffer.from("HTTP/1.1 200 Established\r\n\r\n");
    const { asked, received } = await ask((port) => `http://127.0.0.1:${port}`, [early]);
    expect(asked).toEqual({ ok: true });
    expect(received[0]!.toString()).toBe("CONNECT server.test:80 HTTP/1.1\r\nhost: server.test:80\r\n\r\n");
  });

  it("reports that the proxy rejected the request", async () => {
    const { asked } = await ask(
      (port) => `http://127.0.0.1:${port}`,
      [Buffer.from("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")],
    );
    expect(asked).toMatch(/refused to connect to server\.test:80: HTTP\/1\.1 407/);
  });
});

it("a transport rejects a proxy of an unknown kind", async () => {
  const transport = createTransport({ host: "http://k8s", proxyUrl: "ftp://proxy" });
  await expect(transport.request({ method: "GET", path: "/" })).rejects.toThrow(/must be an http, https or socks5 URL/);
});
