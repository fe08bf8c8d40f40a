import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { reservePort } from "./ports.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kubewright-ports-test-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it("reservePort returns a different port until a port is released", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => reservePort(directory)));
  expect(new Set(ports.map(({ port }) => port)).size).toBe(50);
  for (const port of ports) port.release();
  expect(readdirSync(directory)).toEqual([]);
});

it("reservePort returns a port that can be bound, outside of the range for outgoing connections", async () => {
  const { port } = await reservePort(directory);
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  server.close();
});

it("reservePort releases the ports of processes that have ended", async () => {
  // No system has that many processes.
  for (let port = 20_000; port < 32_000; port++) writeFileSync(join(directory, String(port)), "2000000000");
  const first = await reservePort(directory).catch(() => undefined);
  // The first attempts only release ports. A later attempt reserves one of the released ports.
  for (let tries = 0; tries < 100 && !first; tries++) {
    if (await reservePort(directory).catch(() => undefined)) break;
  }
  expect(existsSync(directory) && readdirSync(directory).length).toBeLessThan(12_000);
});
