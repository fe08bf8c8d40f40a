import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type Logger, silentLogger } from "../log/logger.ts";
import { Server, type ServerOptions } from "./server.ts";

/** Starts a server, and collects its log lines. */
async function started(options: Omit<ServerOptions, "logger">) {
  const lines: string[] = [];
  const logWith = (fields: object): Logger => ({
    ...silentLogger,
    info: (message) => void lines.push(`${message} ${JSON.stringify(fields)}`),
    error: (_error, message) => void lines.push(message),
    with: (more) => logWith({ ...fields, ...more }),
  });
  const server = new Server({ ...options, logger: logWith({}) });
  const stop = new AbortController();
  const done = server.start(stop.signal);
  await expect.poll(() => server.port).toBeDefined();
  return { server, lines, stop, done, url: `http://127.0.0.1:${server.port}` };
}

describe("an added server", () => {
  it("serves until the manager stops, and logs with its name", async () => {
    const t = await started({
      name: "api",
      server: (_request, response) => response.end("hello"),
      bindAddress: "127.0.0.1:0",
    });
    expect(await (await fetch(t.url)).text()).toBe("hello");
    const { port } = t.server;
    t.stop.abort();
    await t.done;
    await expect(fetch(t.url)).rejects.toThrow("fetch failed");
    const fields = `{"name":"api","addr":"127.0.0.1:${port}"}`;
    expect(t.lines).toEqual([`starting server ${fields}`, `shutting down server ${fields}`]);
  });

  it("accepts a Node.js server that is listening already", async () => {
    const node = createServer((_request, response) => response.end("mine"));
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
    const t = await started({ server: node });
    expect(await (await fetch(t.url)).text()).toBe("mine");
    t.stop.abort();
    await t.done;
    expect(node.listening).toBe(false);
  });

  it("waits for its responses on stop, and closes connections without a request", async () => {
    let answer = (): void => {};
    const t = await started({
      server: (_request, response) => {
        answer = function answered() {
          response.end("late");
        };
      },
      bindAddress: "127.0.0.1:0",
    });
    const unused = connect(t.server.port!, "127.0.0.1");
    const unusedClosed = new Promise((resolve) => unused.once("close", resolve));
    unused.on("error", () => {});
    const response = fetch(t.url);
    await expect.poll(() => answer.name).toBe("answered");
    let ended = false;
    t.stop.abort();
    void t.done.then(() => {
      ended = true;
    });
    await unusedClosed;
    expect(ended).toBe(false);
    answer();
    expect(await (await response).text()).toBe("late");
    await t.done;
  });

  it("stops after shutdownTimeout at the latest", async () => {
    let asked = false;
    const t = await started({
      server: () => {
        asked = true;
      },
      bindAddress: "127.0.0.1:0",
      shutdownTimeout: 50,
    });
    const response = fetch(t.url).catch((error: unknown) => error);
    await expect.poll(() => asked).toBe(true);
    t.stop.abort();
    await t.done;
    expect(await response).toBeInstanceOf(Error);
    expect(t.lines.at(-1)).toBe("error shutting down server");
  });

  it("rejects a port in use, an invalid address, and a missing address", async () => {
    const t = await started({ server: () => {}, bindAddress: "127.0.0.1:0" });
    const second = new Server({ server: () => {}, bindAddress: `127.0.0.1:${t.server.port}` });
    await expect(second.start(new AbortController().signal)).rejects.toThrow("EADDRINUSE");
    expect(() => new Server({ server: () => {}, bindAddress: "8080" })).toThrow('it must be ":port"');
    expect(() => new Server({ name: "api", server: () => {} })).toThrow("the server api has no bindAddress");
    t.stop.abort();
    await t.done;
  });

  it("runs on every replica, or only on the leader if configured", () => {
    const options: ServerOptions = { server: () => {}, bindAddress: ":0" };
    expect(new Server(options).needLeaderElection()).toBe(false);
    expect(new Server({ ...options, onlyServeWhenLeader: true }).needLeaderElection()).toBe(true);
  });
});
