import { describe, expect, it } from "vitest";
import { bitString, contentOf, element, integer, membersOf, oid, sequence, text, time } from "./der.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

// The bytes are those of X.690's own examples, or what `openssl asn1parse -genstr` writes.
describe("DER", () => {
  it.each([
    ["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
    ["2.5.29.15", "0603551d0f"],
    // X.690, 8.19.5: the first two numbers are one.
    ["2.999.3", "0603883703"],
  ])("writes the object identifier %s", (dotted, bytes) => {
    expect(hex(oid(dotted))).toBe(bytes);
  });

  it.each([
    [[0], "020100"],
    [[0, 0, 5], "020105"],
    [[0x7f], "02017f"],
    [[0x80], "02020080"],
    [[0xff, 0x01], "020300ff01"],
  ])("writes %j as a number that is not negative", (bytes, expected) => {
    expect(hex(integer(Buffer.from(bytes)))).toBe(expected);
  });

  it("writes years with two digits until 2049, with four from then on", () => {
    expect(hex(time(new Date("2049-12-31T23:59:59.900Z")))).toBe(`170d${hex(Buffer.from("491231235959Z"))}`);
    expect(hex(time(new Date("2050-01-01T00:00:00Z")))).toBe(`180f${hex(Buffer.from("20500101000000Z"))}`);
  });

  it.each([0, 1, 127, 128, 255, 256, 65_536])("reads back what it wrote: %i bytes", (length) => {
    const content = Buffer.alloc(length, 7);
    const members = [element("octetString", content), text("jé"), bitString(Buffer.from([0x80]), 7)];
    const read = membersOf(sequence(...members));
    expect(read.map(hex)).toEqual(members.map(hex));
    expect(contentOf(read[0]!).equals(content)).toBe(true);
    expect(contentOf(read[1]!).toString()).toBe("jé");
  });

  it.each(["", "30", "3003", "300402", "3082", "308201", "30020401"])("throws for %j, which breaks off", (bytes) => {
    expect(() => membersOf(Buffer.from(bytes, "hex"))).toThrow(RangeError);
  });
});
