import { isIPv4, isIPv6, type Socket } from "node:net";
import { WireError } from "./wire-error.ts";

export interface Place {
  host: string;
  port: number;
}

/** Requests a tunnel to another host from the proxy that a socket is connected to. Rejects if the proxy refuses. */
export function tunnel(socket: Socket, proxy: URL, to: Place): Promise<void> {
  return proxy.protocol.startsWith("socks") ? socks(socket, proxy, to) : httpConnect(socket, proxy, to);
}

const maxHead = 16 * 1024;

async function httpConnect(socket: Socket, proxy: URL, { host, port }: Place): Promise<void> {
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const user = userOf(proxy);
  const basic = user && Buffer.from(`${user.name}:${user.password}`, "utf8").toString("base64");
  const authorization = basic ? `proxy-authorization: Basic ${basic}\r\n` : "";
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${authorization}\r\n`);
  const head = await read(socket, (bytes) => {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0 && bytes.length > maxHead) throw refused(proxy, "sent a response that isn't HTTP");
    return end < 0 ? undefined : end + 4;
  });
  const line = head.toString("latin1").split("\r\n", 1)[0]!;
  if (!/^HTTP\/1\.[01] 2\d\d/.test(line))
    throw refused(proxy, `refused to connect to ${authority}: ${line.slice(0, 200)}`);
}

/** Connects through SOCKS5 (RFC 1928), with user and password (RFC 1929) if the URL contains them. */
async function socks(socket: Socket, proxy: URL, { host, port }: Place): Promise<void> {
  const user = userOf(proxy);
  socket.write(Buffer.from(user ? [5, 2, 0, 2] : [5, 1, 0]));
  const [version, method] = await read(socket, () => 2);
  if (version !== 5) throw refused(proxy, "isn't a SOCKS5 server");
  if (method === 2 && user) {
    socket.write(Buffer.concat([Buffer.from([1]), text(user.name), text(user.password)]));
    const [, verdict] = await read(socket, () => 2);
    if (verdict !== 0) throw refused(proxy, "refused user and password");
  } else if (method !== 0) {
    throw refused(proxy, "wants a way to log in that isn't known");
  }
  const number = Buffer.from([port >> 8, port & 255]);
  socket.write(Buffer.concat([Buffer.from([5, 1, 0]), addressOf(host), number]));
  const answer = await read(socket, socksAnswerLength);
  if (answer[1] !== 0) throw refused(proxy, `couldn't connect to ${host}:${port} (SOCKS reply ${answer[1]})`);
}

function addressOf(host: string): Buffer {
  if (isIPv4(host)) return Buffer.from([1, ...host.split(".").map(Number)]);
  // Names and IPv6 addresses are sent as text, so that the proxy resolves them.
  return Buffer.concat([Buffer.from([3]), text(host)]);
}

function socksAnswerLength(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined;
  return 6 + (bytes[3] === 1 ? 4 : bytes[3] === 4 ? 16 : 1 + bytes[4]!);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  if (bytes.length > 255) throw new WireError("EBADANSWER", "SOCKS5 limits strings to 255 bytes");
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Reads the number of bytes that `lengthOf` returns, once it can determine the length. Puts additional bytes back. */
function read(socket: Socket, lengthOf: (bytes: Buffer) => number | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const stop = (): void => {
      socket.off("readable", onReadable);
      socket.off("end", onEnd);
    };
    const onEnd = (): void => {
      stop();
      reject(new WireError("ECONNRESET", "the proxy closed the connection"));
    };
    const onReadable = (): void => {
      for (let chunk: Buffer | null = socket.read(); chunk; chunk = socket.read())
        bytes = Buffer.concat([bytes, chunk]);
      try {
        const length = lengthOf(bytes);
        if (length === undefined || bytes.length < length) return;
        stop();
        if (bytes.length > length) socket.unshift(bytes.subarray(length));
        resolve(bytes.subarray(0, length));
      } catch (error) {
        stop();
        reject(error);
      }
    };
    socket.on("readable", onReadable);
    socket.on("end", onEnd);
    onReadable();
  });
}

function userOf(proxy: URL): { name: string; password: string } | undefined {
  if (proxy.username === "") return undefined;
  return { name: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
}

function refused(proxy: URL, what: string): WireError {
  return new WireError("EPROXY", `the proxy ${proxy.host} ${what}`);
}
