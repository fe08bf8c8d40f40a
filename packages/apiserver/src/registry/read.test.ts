import { expect, it } from "vitest";
import { startApiServer } from "../server/server.ts";

const maps = "/api/v1/namespaces/default/configmaps";

it("returns a token for the rest of a list whose continue token has expired", async () => {
  const server = await startApiServer({ http: false, authorization: "always-allow", history: { changes: 1 } });
  const send = async (method: string, url: string, body?: unknown) => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return JSON.parse(String((await server.handle({ method, url, headers, ...sent })).body));
  };
  for (const name of ["a", "b", "c"]) await send("POST", maps, { metadata: { name } });
  const { metadata } = await send("GET", `${maps}?limit=1`);
  for (const name of ["d", "e", "f"]) await send("POST", maps, { metadata: { name } });
  const expired = await send("GET", `${maps}?limit=1&continue=${metadata.continue}`);
  expect(expired).toMatchObject({ code: 410, reason: "Expired", metadata: { continue: expect.any(String) } });
  const rest = await send("GET", `${maps}?continue=${expired.metadata.continue}`);
  expect(rest.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "b",
    "c",
    "d",
    "e",
    "f",
  ]);
  await server.stop();
});
