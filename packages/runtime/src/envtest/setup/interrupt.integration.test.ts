import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

it("setup-envtest exits with 130 on SIGTERM, and removes its lock and an incomplete release", async () => {
  const store = mkdtempSync(join(tmpdir(), "kubewright-interrupt-"));
  // The command waits for the index, because this server never responds.
  let asked: () => void = () => {};
  const request = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const server = createServer(() => asked());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const main = new URL("main.ts", import.meta.url).href;
  const code = `import { main } from ${JSON.stringify(main)}; process.exitCode = await main(process.argv.slice(1));`;
  const index = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.yaml`;
  const args = ["use", "--bin-dir", store, "--index", index];
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code, "--", ...args], {
    stdio: "ignore",
  });
  try {
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await request;
    expect(existsSync(join(store, ".lock"))).toBe(true);
    child.kill("SIGTERM");
    expect(await ended).toBe(130);
    expect(readdirSync(store)).toEqual([]);
  } finally {
    child.kill("SIGKILL");
    server.closeAllConnections();
    server.close();
    rmSync(store, { recursive: true, force: true });
  }
});
