// Frames of HTTP/2 as bytes: clients of HTTP/2 don't send what a server must withstand.

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

/** An integer of HPACK behind a prefix of so many bits. */
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

/** A string of HPACK without Huffman's code. */
function text(value: string): Buffer {
  return Buffer.concat([integer(value.length, 7), Buffer.from(value)]);
}

/** A header field with its name; `isIndexed` adds it to the dynamic table. */
export function field(name: string, value: string, isIndexed = false): Buffer {
  return Buffer.concat([Buffer.from([isIndexed ? 0x40 : 0x00]), text(name), text(value)]);
}

/** The pseudo-headers of a request, by their places in the static table. */
export function requestFields(method: "GET" | "POST", path: string): Buffer {
  const [methodGet, methodPost, schemeHttps, pathIs, authorityIs] = [0x82, 0x83, 0x87, 0x04, 0x01];
  return Buffer.concat([
    Buffer.from([method === "GET" ? methodGet : methodPost, schemeHttps, pathIs]),
    text(path),
    Buffer.from([authorityIs]),
    text("x"),
  ]);
}
