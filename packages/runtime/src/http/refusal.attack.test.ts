import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { refuse } from "./refusal.ts";

it("a refused request whose body was read is answered with Connection: close, which is what happens", async () => {
  const server = createServer((incoming, response) => {
    incoming.resume().once("end", () => {
      refuse(response);
      response.end("refused");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: "127.0.0.1", port, method: "POST", headers: { connection: "keep-alive" } });
    sent.end("malformed");
    const [response] = await once(sent, "response");
    expect(response.headers.connection).toBe("close");
    response.resume();
    await once(response, "close");
  } finally {
    server.close();
  }
});
