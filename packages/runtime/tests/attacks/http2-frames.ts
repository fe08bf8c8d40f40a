// HTTP/2 frames as bytes. HTTP/2 clients can't send the invalid sequences of these attacks.

/** The types of frames. */
export const frameType = {
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** The flags of a HEADERS or CONTINUATION frame. */
export const flags = { endStream: 1, endHeaders: 4 } as const;

/** Builds a frame. */
export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flag;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The beginning of a connection. */
export const preface: Buffer = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  frame(frameType.settings, 0, 0),
]);

/** Encodes an HPACK integer with a prefix of the given number of bits. */
export function integer(value: number, prefixBits: number, first = 0): Buffer {
  const limit = 2 ** prefixBits - 1;
  if (value < limit) return Buffer.from([first | value]);
  const bytes = [first | limit];
  let rest = value - limit;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Encodes an HPACK string without Huffman coding. */
function text(value: string): Buffer {
  return Buffer.concat([integer(value.length, 7), Buffer.from(value)]);
}

/** Encodes a header field with its name. `isIndexed` adds it to the dynamic table. */
export function field(name: string, value: string, isIndexed = false): Buffer {
  return Buffer.concat([Buffer.from([isIndexed ? 0x40 : 0x00]), text(name), text(value)]);
}

/** Encodes the pseudo-headers of a request by their indexes in the static table. */
export function requestFields(method: "GET" | "POST", path: string): Buffer {
  const [methodGet, methodPost, schemeHttps, pathIs, authorityIs] = [0x82, 0x83, 0x87, 0x04, 0x01];
  return Buffer.concat([
    Buffer.from([method === "GET" ? methodGet : methodPost, schemeHttps, pathIs]),
    text(path),
    Buffer.from([authorityIs]),
    text("x"),
  ]);
}
