import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { json, type LoopbackServer, startLoopbackServer } from "../loopback-server.ts";
import type { Dialer } from "./dial.ts";
import { Pool } from "./pool.ts";
import type { WireRequest } from "./wire-request.ts";

let server: LoopbackServer;

beforeEach(async () => {
  server = await startLoopbackServer((_request, response) => json(response, 200, {}));
});

afterEach(() => server.close());

/** A pool whose connections open when the test calls `open`. */
function slowPool() {
  let resolve: (socket: Socket) => void = () => {};
  const promise = new Promise<Socket>((settle) => (resolve = settle));
  const signals: AbortSignal[] = [];
  const dial = (signal: AbortSignal): Promise<Socket> => {
    signals.push(signal);
    return promise;
  };
  const pool = new Pool({ dialer: { dial } as Dialer, host: "127.0.0.1", size: 2, idle: 60_000 });
  const outcomes: string[] = [];
  const request: WireRequest = {
    origin: server.url,
    method: "POST",
    path: "/x",
    headers: {},
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const send = (): (() => void) =>
    pool.send(request, {
      onSend: () => {},
      onHead: (status) => outcomes.push(String(status)),
      onData: () => {},
      onEnd: () => {},
      onError: (error) => outcomes.push((error as Error).message),
    });
  const open = async (): Promise<Socket> => {
    const socket = connect(server.port, "127.0.0.1");
    await new Promise((connected) => socket.once("connect", connected));
    resolve(socket);
    return socket;
  };
  return { pool, send, open, outcomes, signals };
}

it("a closed pool still sends the requests that wait for a connection, and then closes it", async () => {
  const { pool, send, open, outcomes } = slowPool();
  send();
  pool.close();
  send();
  expect(outcomes).toEqual(["the connections are closed"]);
  const socket = await open();
  await expect.poll(() => outcomes).toEqual(["the connections are closed", "200"]);
  await expect.poll(() => socket.destroyed).toBe(true);
});

it("a closed pool opens no connection after its last waiting request is canceled", async () => {
  const { pool, send, signals } = slowPool();
  const cancel = send();
  pool.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  cancel();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it("a broken pool rejects the requests that wait for a connection", () => {
  const { pool, send, signals, outcomes } = slowPool();
  send();
  pool.close();
  pool.destroy(new Error("stopped"));
  expect(outcomes).toEqual(["stopped"]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
