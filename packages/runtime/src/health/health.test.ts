import { afterEach, expect, it } from "vitest";
import { silentLogger } from "../log/logger.ts";
import { HttpServer } from "../server/http-server.ts";
import { HealthChecks, healthListener, ping } from "./health.ts";

let server: HttpServer | undefined;
afterEach(() => server?.close());

async function serve() {
  const healthz = new HealthChecks("/healthz", silentLogger);
  const readyz = new HealthChecks("/readyz", silentLogger);
  healthz.add("ping", ping);
  readyz.add("good", ping);
  readyz.add("bad", () => {
    throw new Error("a secret reason");
  });
  server = await HttpServer.listen({ host: "127.0.0.1", port: 0 }, healthListener([healthz, readyz]));
  return async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${server?.port}${path}`);
    return `${response.status} ${await response.text()}`;
  };
}

it("health endpoints respond with ok, and with each check if ?verbose is set", async () => {
  const get = await serve();
  expect(await get("/healthz")).toBe("200 ok");
  expect(await get("/healthz/")).toBe("200 ok");
  expect(await get("/healthz?verbose")).toBe("200 [+]ping ok\nhealthz check passed\n");
  expect(await get("/healthz/ping")).toBe("200 ok");
});

it("health endpoints respond with 500 if a check fails, and only its own path shows the reason", async () => {
  const get = await serve();
  expect(await get("/readyz")).toBe("500 [+]good ok\n[-]bad failed: reason withheld\nreadyz check failed\n");
  expect(await get("/readyz/bad")).toBe("500 internal server error: a secret reason\n");
  expect(await get("/readyz/good")).toBe("200 ok");
});

it("health endpoints skip excluded checks", async () => {
  const get = await serve();
  expect(await get("/readyz?exclude=bad")).toBe("200 ok");
  expect(await get("/readyz?exclude=bad&exclude=none&verbose")).toBe(
    "200 [+]good ok\n[+]bad excluded: ok\nwarn: none is excluded, but no check has this name\nreadyz check passed\n",
  );
});

it("health endpoints respond with 404 for other paths", async () => {
  const get = await serve();
  expect(await get("/healthzzz")).toMatch(/^404/);
  expect(await get("/readyz/none")).toMatch(/^404/);
});
