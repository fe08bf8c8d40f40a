import { expect, it } from "vitest";
import { expectLinear } from "../../../../../../scripts/test-support/growth.ts";
import { seededNumbers } from "../../../../../../scripts/test-support/random.ts";
import { pemBlocks } from "./certificate-requests.ts";

it.each([
  ["begins without an end", () => "-----BEGIN a-----\r\n"],
  ["begins of many types", (index: number) => `-----BEGIN a${index}-----\n`],
  ["ends without a begin", () => "-----END a-----\n"],
  ["begins and other ends", (index: number) => `-----BEGIN a-----\n-----END b${index}-----\n`],
])("reads %s in linear time", (_, part) => {
  const make = (size: number): string =>
    Array.from({ length: Math.ceil(size / 20) }, (_, index) => part(index)).join("");
  expectLinear(pemBlocks, make, { to: 2_000_000 });
});

it("ends each block at the next end of its type", () => {
  const pieces = [
    "-----BEGIN A-----\n",
    "-----BEGIN B-----\r\n",
    "BEGIN B-----\n",
    "-----END A-----",
    "-----END B-----",
    "\n",
    "YQ==",
    "x: y\n",
    "-----",
  ];
  const random = seededNumbers(20_261_201);
  const simple = (text: string): string[][] =>
    [...text.matchAll(/-----BEGIN ([^-\n]*)-----\r?\n([\s\S]*?)-----END \1-----/g)].map(([, type = "", body = ""]) => [
      type,
      Buffer.from(body.replace(/^.*:.*$/gm, ""), "base64").toString("hex"),
      String(body.includes(":")),
    ]);
  let blocks = 0;
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)]).join("");
    const found = pemBlocks(text).map(({ type, der, hasHeaders }) => [type, der.toString("hex"), String(hasHeaders)]);
    expect(found, JSON.stringify(text)).toEqual(simple(text));
    blocks += found.length;
  }
  expect(blocks).toBeGreaterThan(1000);
});
