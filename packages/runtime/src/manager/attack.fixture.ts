import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

/** The address of a server under attack. */
export interface Target {
  port: number;
  /** Whether the server uses TLS. */
  secure: boolean;
}

/** Opens a connection. Rejects if the server rejects it. */
export async function open({ port, secure }: Target, options: ConnectionOptions = {}): Promise<Socket> {
  const to = { port, host: "127.0.0.1" };
  const socket = secure ? connectTls({ ...to, rejectUnauthorized: false, ...options }) : connectPlain(to);
  socket.on("error", () => {});
  await once(socket, secure ? "secureConnect" : "connect");
  return socket;
}

export interface Exchanged {
  /** The status of each response, in order. */
  statuses: number[];
  text: string;
  /** Whether the server has closed the connection. */
  closed: boolean;
}

/** Sends bytes. Returns the received data when the connection ends or the given number of responses has arrived. */
export async function exchange(target: Target, bytes: string | Buffer, answers = 1): Promise<Exchanged> {
  const socket = await open(target);
  socket.write(bytes);
  const exchanged = await received(socket, answers);
  socket.destroy();
  return exchanged;
}

/** Collects the received data of a connection, like {@link exchange}. */
export function received(socket: Socket, answers: number): Promise<Exchanged> {
  return new Promise((resolve) => {
    let text = "";
    const done = (closed: boolean): void => resolve({ statuses: statusesIn(text), text, closed });
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (statusesIn(text).length >= answers) done(false);
    });
    socket.once("close", () => done(true));
  });
}

function statusesIn(text: string): number[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
}

/**
 * Returns the bytes of an HTTP/2 connection preface and requests for `path`, each of which is cancelled immediately. The headers use
 * the static table, without Huffman coding.
 */
export function rapidResets(path: string, count: number): Buffer {
  const frame = (type: number, flags: number, stream: number, payload: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head[3] = type;
    head[4] = flags;
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  const [headers, reset, settings, endOfHeaders] = [1, 3, 4, 4];
  const [methodPost, schemeHttps, pathIs] = [0x83, 0x87, 0x04];
  const request = Buffer.concat([Buffer.from([methodPost, schemeHttps, pathIs, path.length]), Buffer.from(path)]);
  const cancel = Buffer.from([0, 0, 0, 8]);
  const frames = [Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(settings, 0, 0, Buffer.alloc(0))];
  for (let stream = 1; stream < 2 * count; stream += 2) {
    frames.push(frame(headers, endOfHeaders, stream, request), frame(reset, 0, stream, cancel));
  }
  return Buffer.concat(frames);
}

/** Returns the text of a request. `headers` are complete lines. */
export function requestText(line: string, headers: readonly string[] = [], body = ""): string {
  return `${[line, "Host: x", ...headers].join("\r\n")}\r\n\r\n${body}`;
}
