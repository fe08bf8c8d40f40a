import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { exposed, listeners, processTree } from "./test-support/listeners.ts";

describe.skipIf(process.platform !== "linux")("the listeners of a process", () => {
  it.each([
    ["127.0.0.1", false],
    ["127.0.0.2", false],
    ["0.0.0.0", true],
  ])("contain %s, which other machines can reach: %s", async (host, isExposed) => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    try {
      const { port } = server.address() as AddressInfo;
      const own = listeners(processTree(process.pid)).filter((listener) => listener.port === port);
      expect(own).toEqual([{ pid: process.pid, host, port }]);
      expect(exposed(own)).toHaveLength(isExposed ? 1 : 0);
    } finally {
      server.close();
    }
  });
});
