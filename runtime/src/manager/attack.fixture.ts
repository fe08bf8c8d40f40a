import { once } from "node:events";
import { connect as connectPlain, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";

/** A server as its clients see it. */
export interface Target {
  port: number;
  /** Over TLS. */
  secure: boolean;
}

/** Connects; rejects when the server doesn't want to. */
export async function open({ port, secure }: Target, options: ConnectionOptions = {}): Promise<Socket> {
  const to = { port, host: "127.0.0.1" };
  const socket = secure ? connectTls({ ...to, rejectUnauthorized: false, ...options }) : connectPlain(to);
  socket.on("error", () => {});
  await once(socket, secure ? "secureConnect" : "connect");
  return socket;
}

export interface Exchanged {
  /** The status of each answer that came, in turn. */
  statuses: number[];
  text: string;
  /** Whether the server has ended the connection. */
  closed: boolean;
}

/** Sends bytes as they are, and gives what comes back until the connection ends or as many answers have come as are waited for. */
export async function exchange(target: Target, bytes: string | Buffer, answers = 1): Promise<Exchanged> {
  const socket = await open(target);
  socket.write(bytes);
  const exchanged = await received(socket, answers);
  socket.destroy();
  return exchanged;
}

/** What comes on a connection, as {@link exchange} gives it. */
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
 * What opens an HTTP/2 connection, and then requests for `path`, each taken back at once: headers by their places in the table that
 * every peer knows, without Huffman's code.
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

/** A request as text; `headers` are whole lines. */
export function requestText(line: string, headers: readonly string[] = [], body = ""): string {
  return `${[line, "Host: x", ...headers].join("\r\n")}\r\n\r\n${body}`;
}
