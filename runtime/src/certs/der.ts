/** The tags of what certificates are made of (X.690), with the bit that says that something is made of others. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element of ASN.1 by the distinguished encoding rules: tag, length, content. */
export function element(tag: keyof typeof tags | number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([
    Buffer.from([typeof tag === "number" ? tag : tags[tag]]),
    lengthBytes(content.length),
    content,
  ]);
}

export const sequence = (...contents: readonly Uint8Array[]): Buffer => element("sequence", ...contents);

/** The tag of a member that is told apart by its number; `isMade` where its content is elements in turn. */
export const contextTag = (number: number, isMade: boolean): number => (isMade ? 0xa0 : 0x80) | number;

export const text = (value: string): Buffer => element("utf8String", Buffer.from(value, "utf8"));

export const yes: Buffer = element("boolean", Buffer.from([0xff]));

/** Bytes as bits; the last byte may hold some that don't count. */
export function bitString(bytes: Uint8Array, unused = 0): Buffer {
  return element("bitString", Buffer.from([unused]), bytes);
}

/** A number that is not negative, its most significant byte first. */
export function integer(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return element("integer", ...(digits[0]! >= 0x80 ? [Buffer.from([0])] : []), digits);
}

/** `1.2.840.10045` and the like. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split(".").map(Number);
  return element("oid", Buffer.from([first * 40 + second, ...others].flatMap(base128)));
}

/** A moment, to the second: certificates write the years until 2049 with two digits (RFC 5280, 4.1.2.5). */
export function time(moment: Date): Buffer {
  const digits = moment
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(/[-:T]/g, "");
  const isShort = moment.getUTCFullYear() < 2050;
  return element(isShort ? "utcTime" : "generalizedTime", Buffer.from(isShort ? digits.slice(2) : digits, "latin1"));
}

/** The content of an element. Throws a `RangeError` for bytes that are none. */
export function contentOf(bytes: Buffer): Buffer {
  const { start, end } = bounds(bytes, 0);
  return bytes.subarray(start, end);
}

/** The elements that an element is made of, each whole. Throws a `RangeError` for bytes that are none. */
export function membersOf(bytes: Buffer): Buffer[] {
  const content = contentOf(bytes);
  const members: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const { end } = bounds(content, at);
    members.push(content.subarray(at, end));
    at = end;
  }
  return members;
}

function bounds(bytes: Buffer, at: number): { start: number; end: number } {
  // Longer than 2^32 is nothing that anybody signs.
  const size = bytes.readUInt8(at + 1);
  const width = size < 0x80 ? 0 : size & 0x7f;
  const start = at + 2 + width;
  const end = start + (width === 0 ? size : bytes.readUIntBE(at + 2, width));
  if (end > bytes.length) throw new RangeError("an element of ASN.1 ends behind its bytes");
  return { start, end };
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift(0x80 | (rest % 128));
  return digits;
}
