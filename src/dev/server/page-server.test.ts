import { keyHeader } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PageServer } from "./page-server.ts";

let servers: PageServer[];
beforeEach(async () => {
  servers = Array.from(
    { length: 10 },
    () => new PageServer({ assets: undefined, start: "/", routes: new Map([["GET /api/status", () => ({})]]) }),
  );
  await Promise.all(servers.map((server) => server.listen()));
});
afterEach(() => Promise.all(servers.map((server) => server.close())));

it("accepts a browser that uses several sessions, to which it sends the same cookie", async () => {
  let cookie = "other=1";
  const keys = new Map<PageServer, string>();
  const open = async (server: PageServer): Promise<Headers> => {
    const { headers } = await fetch(server.newPageUrl(), { headers: { cookie }, redirect: "manual" });
    keys.set(server, /^\/#key=(.+)$/.exec(headers.get("location") ?? "")?.[1] ?? "");
    return headers;
  };
  const statuses = () =>
    Promise.all(
      servers.map(async (server) => {
        const headers = { cookie, [keyHeader]: keys.get(server) ?? "" };
        return (await fetch(`${server.url}/api/status`, { headers })).status;
      }),
    );
  for (const server of servers.slice(0, 2)) {
    const headers = await open(server);
    cookie = `other=1; ${headers.get("set-cookie")?.split(";")[0]}`;
  }
  expect((await statuses()).slice(0, 3)).toEqual([200, 200, 401]);
  for (const server of servers.slice(2)) {
    const headers = await open(server);
    cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  }
  // The cookie doesn't grow with each session.
  expect(await statuses()).toEqual([401, 401, 200, 200, 200, 200, 200, 200, 200, 200]);
  expect(cookie.length).toBeLessThan(500);
});
