// Browsers send cookies to all servers on a machine, whatever their port.

import { keyHeader } from "@kubewright/dashboard/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PageServer } from "./page-server.ts";

let server: PageServer;
beforeEach(async () => {
  const routes = new Map([
    ["GET /api/objects", () => ({})],
    ["POST /api/apply", () => ({})],
    ["DELETE /api/faults", () => ({})],
  ]);
  server = new PageServer({
    assets: undefined,
    start: "/",
    routes,
    openStream: (_request, response) => response.end(),
  });
  await server.listen();
});
afterEach(() => server.close());

async function opened(): Promise<{ cookie: string; key: string }> {
  const { headers } = await fetch(server.newPageUrl(), { redirect: "manual" });
  return {
    cookie: headers.get("set-cookie")?.split(";")[0] ?? "",
    key: /#key=(.+)$/.exec(headers.get("location") ?? "")?.[1] ?? "",
  };
}

it("rejects, on each endpoint, a client with only the cookie, or with the key of another cookie", async ({ task }) => {
  const [first, second] = [await opened(), await opened()];
  const credentials: Record<string, string>[] = [
    { cookie: first.cookie },
    { cookie: first.cookie, [keyHeader]: "" },
    { cookie: first.cookie, [keyHeader]: second.key },
    { cookie: first.cookie, [keyHeader]: first.cookie.split("=")[1] ?? "" },
    { cookie: `${first.cookie}; x=${second.key}` },
    { [keyHeader]: first.key },
    { authorization: `Bearer ${first.key}` },
    { cookie: first.cookie, authorization: `Bearer ${first.key}` },
  ];
  const endpoints = ["GET /api/objects", "POST /api/apply", "DELETE /api/faults", "GET /api/stream", "GET /api/none"];
  Object.assign(task.meta, { attempts: credentials.length * endpoints.length });
  const send = async (endpoint: string, headers: Record<string, string>) => {
    const [method = "", path = ""] = endpoint.split(" ");
    const body = method === "POST" ? { body: "{}" } : {};
    const sent = { ...headers, "content-type": "application/json" };
    return (await fetch(`${server.url}${path}`, { method, headers: sent, ...body })).status;
  };
  for (const headers of credentials) {
    for (const endpoint of endpoints)
      expect([endpoint, headers, await send(endpoint, headers)]).toEqual([endpoint, headers, 401]);
  }
  for (const { cookie, key } of [first, second]) {
    for (const endpoint of endpoints.slice(0, 4)) expect(await send(endpoint, { cookie, [keyHeader]: key })).toBe(200);
  }
});

it("each link works once, and several links work", async () => {
  const links = [server.newPageUrl(), server.newPageUrl(), server.newPageUrl()];
  for (const link of links) {
    expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(401);
  }
});
