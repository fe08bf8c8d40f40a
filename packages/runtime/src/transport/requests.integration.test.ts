import { afterEach, describe, expect, it } from "vitest";
import type { Config } from "../config/config.ts";
import { ApiError } from "../errors/api-error.ts";
import { isNotFound, isTooManyRequests } from "../errors/predicates.ts";
import { isConnectionRefused, TransportError } from "../errors/transport-error.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { createTransport } from "./create-transport.ts";
import { json, type LoopbackServer, type Respond, startLoopbackServer } from "./loopback-server.ts";
import type { TransportOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(
  respond: Respond,
  config: Partial<Config> = {},
  options?: TransportOptions,
): Promise<{ server: LoopbackServer; transport: Transport }> {
  const server = await startLoopbackServer(respond);
  const transport = createTransport({ host: server.url, ...config }, options);
  cleanups.push(
    () => server.close(),
    () => transport.close(),
  );
  return { server, transport };
}

const get = (path = "/x", more = {}) => ({ method: "GET" as const, path, ...more });

describe("a request", () => {
  it("sends method, path, query, body, content type and user agent", async () => {
    const { server, transport } = await start((_request, response) => json(response, 201, { ok: true }));
    const answer = await transport.request({
      method: "PATCH",
      path: "/api/v1/pods",
      query: { a: "x y", b: 1, c: true, d: undefined },
      body: { n: 9007199254740993n, s: "ü" },
      contentType: "application/merge-patch+json",
      headers: { "x-more": "1" },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ ok: true });
    const [seen] = server.requests;
    expect(seen!.method).toBe("PATCH");
    expect(seen!.url).toBe("/api/v1/pods?a=x+y&b=1&c=true");
    expect(seen!.body).toBe('{"n":9007199254740993,"s":"ü"}');
    expect(seen!.headers["content-type"]).toBe("application/merge-patch+json");
    expect(seen!.headers["x-more"]).toBe("1");
    expect(seen!.headers.accept).toBe("application/json");
    expect(seen!.headers["user-agent"]).toMatch(/^\S+\/\d+\.\d+\.\d+ \(\w+\/\w+\) kubewright$/);
  });

  it("keeps the path of the server's URL", async () => {
    const { server } = await start((_request, response) => json(response, 200, {}));
    const transport = createTransport({ host: `${server.url}/k8s/clusters/c1/` });
    cleanups.push(() => transport.close());
    await transport.request(get("/api"));
    expect(server.requests[0]!.url).toBe("/k8s/clusters/c1/api");
  });

  it("closes an idle connection before the server does, even with a short keep-alive", async () => {
    const { server, transport } = await start((_request, response) => {
      response.setHeader("Keep-Alive", "timeout=1");
      json(response, 200, {});
    });
    await transport.request(get());
    await new Promise((resolve) => setTimeout(resolve, 700));
    await transport.request(get());
    expect(server.connections).toBe(2);
  });

  it("reuses connections for consecutive requests", async () => {
    const { server, transport } = await start((_request, response) => json(response, 200, {}));
    for (let i = 0; i < 20; i++) await transport.request(get());
    // A connection becomes available one turn after the response, so that the next request may use another one.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it("returns undefined for an empty body, and text if text was requested", async () => {
    const { transport } = await start((request, response) => {
      if (request.url === "/empty") response.writeHead(200).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("ok");
    });
    expect((await transport.request(get("/empty"))).body).toBeUndefined();
    expect((await transport.request(get("/text", { accept: "text/plain" }))).body).toBe("ok");
  });

  it("calls the observer for each exchange", async () => {
    const seen: string[] = [];
    const { transport, server } = await start(
      (_request, response) => json(response, 404, {}),
      {},
      {
        observe: ({ method, code, host }) => seen.push(`${method} ${code} ${host}`),
      },
    );
    await transport.request(get()).catch(() => {});
    await server.close();
    await transport.request({ method: "PUT", path: "/x", body: {} }).catch(() => {});
    expect(seen).toEqual([`GET 404 127.0.0.1:${server.port}`, `PUT <error> 127.0.0.1:${server.port}`]);
  });
});

describe("an error response", () => {
  it("is rejected with the server's Status", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: 'pods "x" not found',
      reason: "NotFound",
      code: 404,
    };
    const { transport } = await start((_request, response) => json(response, 404, status));
    const error = await transport.request(get()).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(isNotFound(error)).toBe(true);
    expect((error as ApiError).message).toBe('pods "x" not found');
  });

  it("is rejected with a readable ApiError for an HTML page", async () => {
    const page =
      "<!DOCTYPE html><html><head><style>body{color:red}</style><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>";
    const { transport } = await start((_request, response) => {
      response.writeHead(502, { "content-type": "text/html" }).end(page);
    });
    const error = (await transport.request(get()).catch((caught: unknown) => caught)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect(error.code).toBe(502);
    expect(error.message).toMatch(
      /^GET http:\/\/127\.0\.0\.1:\d+\/x: the server answered 502 Bad Gateway: 502 Bad Gateway 502 Bad Gateway nginx$/,
    );
  });

  it("is a NotFound error for a bare 404, and AlreadyExists for an empty 409 of a POST", async () => {
    const { transport } = await start((request, response) => {
      if (request.method === "GET")
        response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
      else response.writeHead(409).end();
    });
    const missing = (await transport.request(get()).catch((caught: unknown) => caught)) as ApiError;
    expect(missing.reason).toBe("NotFound");
    expect(missing.message).toContain("404 page not found");
    const there = (await transport
      .request({ method: "POST", path: "/x", body: {} })
      .catch((caught: unknown) => caught)) as ApiError;
    expect(there.reason).toBe("AlreadyExists");
  });

  it.each([
    ["a 200 with HTML", "text/html", "<html><body>Please log in</body></html>", "Please log in"],
    ["a 200 with broken JSON", "application/json", '{"kind":"Pod"', "something else than JSON"],
    ["a 200 with text", "text/plain", "hello", "hello"],
  ])("is detected for %s", async (_name, type, body, messages) => {
    const { transport } = await start((_request, response) => {
      response.writeHead(200, { "content-type": type }).end(body);
    });
    const error = (await transport.request(get()).catch((caught: unknown) => caught)) as TransportError;
    expect(error).toBeInstanceOf(TransportError);
    expect(error.code).toBe("EBADANSWER");
    expect(error.message).toContain(messages);
  });

  it("is detected for a 200 with a Failure", async () => {
    const { transport } = await start((_request, response) =>
      json(response, 200, { kind: "Status", apiVersion: "v1", status: "Failure", message: "nope", code: 500 }),
    );
    await expect(transport.request(get())).rejects.toThrow("nope");
  });

  it("is detected for a body that is cut off", async () => {
    const { transport } = await start((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"a":');
      setTimeout(() => response.socket?.destroy(), 10);
    });
    const error = (await transport
      .request({ method: "PUT", path: "/x", body: {} })
      .catch((caught: unknown) => caught)) as TransportError;
    expect(error).toBeInstanceOf(TransportError);
    expect(error.code).toBe("ECONNRESET");
  });

  it("is a connection error in one line if no server listens", async () => {
    const { server, transport } = await start(() => {});
    await server.close();
    const error = (await transport.request(get()).catch((caught: unknown) => caught)) as Error;
    expect(isConnectionRefused(error)).toBe(true);
    expect(error.message).toMatch(/^GET http:\/\/127\.0\.0\.1:\d+\/x: connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
  });
});

describe("retries", () => {
  it.each([429, 500, 503])("repeat reads and writes after %i with Retry-After", async (status) => {
    let calls = 0;
    const { transport } = await start((_request, response) => {
      if (++calls <= 2) json(response, status, {}, { "retry-after": "0" });
      else json(response, 200, { calls });
    });
    const { body } = await transport.request({ method: "POST", path: "/x", body: {} });
    expect(body).toEqual({ calls: 3 });
  });

  it("wait for the time in Retry-After", async () => {
    let first = 0;
    const { transport } = await start((_request, response) => {
      if (first === 0) {
        first = performance.now();
        json(response, 429, {}, { "retry-after": "1" });
      } else json(response, 200, {});
    });
    await transport.request(get());
    expect(performance.now() - first).toBeGreaterThanOrEqual(990);
  });

  it("end after ten attempts", async () => {
    const { server, transport } = await start((_request, response) => json(response, 429, {}, { "retry-after": "0" }));
    const error = await transport.request(get()).catch((caught: unknown) => caught);
    expect(isTooManyRequests(error)).toBe(true);
    expect(server.requests).toHaveLength(11);
  });

  it("are disabled by maxRetries 0, and without Retry-After", async () => {
    const { server, transport } = await start((request, response) =>
      json(response, 503, {}, request.url === "/with" ? { "retry-after": "7" } : {}),
    );
    const error = (await transport
      .request(get("/with", { maxRetries: 0 }))
      .catch((caught: unknown) => caught)) as ApiError;
    expect(error.retryAfterSeconds).toBe(7);
    await transport.request(get("/without")).catch(() => {});
    expect(server.requests).toHaveLength(2);
  });

  it("repeat a GET after a broken connection, but no other method", async () => {
    let calls = 0;
    const { server, transport } = await start((request, response) => {
      if (request.method !== "GET" || ++calls === 1) response.socket?.destroy();
      else json(response, 200, { calls });
    });
    expect((await transport.request(get())).body).toEqual({ calls: 2 });
    const error = (await transport
      .request({ method: "DELETE", path: "/x" })
      .catch((caught: unknown) => caught)) as TransportError;
    expect(error.code).toBe("ECONNRESET");
    expect(server.requests).toHaveLength(3);
  });
});

describe("redirects", () => {
  it("are followed for a GET to the same server", async () => {
    const { transport } = await start((request, response) => {
      if (request.url === "/x") response.writeHead(302, { location: "/y?z=1" }).end();
      else json(response, 200, { url: request.url });
    });
    expect((await transport.request(get())).body).toEqual({ url: "/y?z=1" });
  });

  it("never send credentials to another server", async () => {
    const other = await start((_request, response) => json(response, 200, {}));
    const { transport } = await start(
      (_request, response) => {
        response.writeHead(307, { location: `${other.server.url}/x` }).end();
      },
      { token: "secret" },
    );
    await expect(transport.request(get())).rejects.toThrow(/redirects to http:\/\/127/);
    expect(other.server.requests).toHaveLength(0);
  });

  it("aren't followed for writes and in loops", async () => {
    const { transport, server } = await start((_request, response) => {
      response.writeHead(301, { location: "/x" }).end();
    });
    await expect(transport.request({ method: "PUT", path: "/x", body: {} })).rejects.toThrow("isn't followed");
    await expect(transport.request(get())).rejects.toThrow("redirected too often");
    expect(server.requests).toHaveLength(12);
  });
});

describe("a pending request", () => {
  it("ends when its signal aborts, before and during the request", async () => {
    const { server, transport } = await start(() => {});
    await expect(transport.request(get("/x", { signal: AbortSignal.abort() }))).rejects.toThrow(/abort/i);
    expect(server.requests).toHaveLength(0);
    const controller = new AbortController();
    const pending = transport.request(get("/x", { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(pending).rejects.toThrow("enough");
  });

  it("ends when its signal aborts while it waits for a retry", async () => {
    const { transport } = await start((_request, response) => json(response, 429, {}, { "retry-after": "30" }));
    const controller = new AbortController();
    const pending = transport.request(get("/x", { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await expect(pending).rejects.toThrow("enough");
  });

  it("ends after its timeout", async () => {
    const { transport } = await start(() => {});
    const error = (await transport
      .request(get("/x", { timeout: 30 }))
      .catch((caught: unknown) => caught)) as TransportError;
    expect(error.code).toBe("ETIMEDOUT");
    expect(error.message).toContain("no response within 30 ms");
  });

  it("ends immediately on close()", async () => {
    const { server, transport } = await start((request, response) => {
      if (request.url === "/later") json(response, 429, {}, { "retry-after": "600" });
    });
    const pending = [transport.request(get("/x")), transport.request(get("/later"))].map((one) =>
      one.catch((error: TransportError) => error.code),
    );
    await expect.poll(() => server.requests.length).toBe(2);
    await transport.close();
    expect(await Promise.all(pending)).toEqual(["ECLOSED", "ECLOSED"]);
    await expect(transport.request(get())).rejects.toThrow("the transport is closed");
  });

  it("leaves no listeners on a signal that many requests share", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error): number => warnings.push(warning.message);
    process.on("warning", onWarning);
    cleanups.push(async () => process.off("warning", onWarning));
    const { transport } = await start((_request, response) => json(response, 200, {}));
    const { signal } = new AbortController();
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 20 }, () => transport.request(get("/x", { signal }))));
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(warnings).toEqual([]);
  });
});

describe("a transport", () => {
  it("logs the texts of 299 warnings once", async () => {
    const messages: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (message) => messages.push(message) };
    const { transport } = await start(
      (_request, response) =>
        json(
          response,
          200,
          {},
          { warning: '299 - "old \\"API\\"", 299 agent/1 "unknown field \\"x\\"", 199 - "misc"' },
        ),
      {},
      { logger },
    );
    await transport.request(get());
    await transport.request(get());
    expect(messages).toEqual(['old "API"', 'unknown field "x"']);
  });

  it("limits requests to qps and burst", async () => {
    const { transport } = await start((_request, response) => json(response, 200, {}), { qps: 20, burst: 2 });
    const started = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => transport.request(get())));
    const took = performance.now() - started;
    expect(took).toBeGreaterThanOrEqual(190);
  });

  it("impersonates another user", async () => {
    const { server, transport } = await start((_request, response) => json(response, 200, {}), {
      impersonate: { userName: "jane", uid: "7", groups: ["a", "b"], extra: { "example.com/Scope": ["x", "y"] } },
    });
    await transport.request(get());
    const { headers } = server.requests[0]!;
    expect(headers["impersonate-user"]).toBe("jane");
    expect(headers["impersonate-uid"]).toBe("7");
    expect(headers["impersonate-group"]).toBe("a, b");
    expect(headers["impersonate-extra-example.com%2fscope"]).toBe("x, y");
  });

  it("rejects invalid addresses with an error in one line", () => {
    expect(() => createTransport({ host: "http://" })).toThrow('invalid server URL "http://"');
    expect(() => createTransport({ host: "ftp://x" })).toThrow("must start with https:// or http://");
    expect(() => createTransport({ host: "https://x", impersonate: { groups: ["a"] } })).toThrow(
      "requires a user name",
    );
  });
});
