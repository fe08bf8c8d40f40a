import { expect, it, onTestFinished } from "vitest";
import { startApiServer } from "../server/server.ts";

it("the version is indented, and ends without a line break", async () => {
  const server = await startApiServer({ http: false });
  onTestFinished(() => server.stop());
  const { body } = await server.handle({ method: "GET", url: "/version", headers: {} });
  expect(String(body)).toMatch(/^\{\n {2}"major": "1",\n[\s\S]*"\n\}$/);
});
