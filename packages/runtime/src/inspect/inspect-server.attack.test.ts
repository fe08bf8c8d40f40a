// Other users of the machine, and other containers of the Pod, reach the records of a manager.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { systemClock } from "../clock/clock.ts";
import { createLogger } from "../log/create-logger.ts";
import { inspectListener } from "./inspect-server.ts";
import { Inspection } from "./inspection.ts";
import { Inspector } from "./inspector.ts";

const token = "a-token-of-this-test";
const paths = [
  "/api/why",
  "/api/reconciles",
  "/api/queue",
  "/api/controllers",
  "/api/caches",
  "/api/admission",
  "/api/stream",
];

it("no endpoint answers without the token", async ({ task }) => {
  const server = createServer(inspectListener(new Inspector(systemClock), token));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const headers: Record<string, string>[] = [
    {},
    { authorization: "" },
    { authorization: "Bearer" },
    { authorization: "Bearer undefined" },
    { authorization: token },
    { authorization: `Basic ${token}` },
    { authorization: `Bearer ${token}x` },
    { authorization: `bearer ${token.toUpperCase()}` },
    { cookie: `token=${token}` },
  ];
  Object.assign(task.meta, { attempts: headers.length * paths.length });
  try {
    for (const path of paths) {
      for (const wrong of headers) {
        expect([path, wrong, (await fetch(url + path, { headers: wrong })).status]).toEqual([path, wrong, 401]);
      }
    }
    expect((await fetch(`${url}/api/queue?token=${token}`)).status).toBe(401);
    expect((await fetch(`${url}/api/queue`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("the log contains a random token, and none that was given", async () => {
  const tokens: string[] = [];
  for (const given of [undefined, undefined, token]) {
    const lines: string[] = [];
    const logger = createLogger({ destination: { write: (line: string) => void lines.push(line) } } as never);
    const inspection = new Inspection(systemClock, { bindAddress: "127.0.0.1:0", ...(given ? { token: given } : {}) });
    const stop = new AbortController();
    const server = await inspection.serve(logger);
    const done = server?.start(stop.signal);
    try {
      const text = lines.join("\n");
      expect(text).not.toContain(token);
      const logged = /bearer token for the records is ([\w-]{32})/.exec(text)?.[1];
      expect(logged === undefined).toBe(given !== undefined);
      const authorization = `Bearer ${logged ?? given}`;
      const answer = await fetch(`http://127.0.0.1:${inspection.port}/api/queue`, { headers: { authorization } });
      expect(answer.status).toBe(200);
      tokens.push(authorization);
    } finally {
      stop.abort();
      await done;
    }
  }
  expect(new Set(tokens).size).toBe(3);
  expect(() => new Inspection(systemClock, { bindAddress: ":0", token: "short" })).toThrow("at least 16 characters");
});
