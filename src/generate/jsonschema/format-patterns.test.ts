import { stringFormat } from "@kubewright/cel/schema";
import { expect, it } from "vitest";
import { formatRule } from "./format-patterns.ts";

const seeds: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011"],
  ipv4: ["10.0.0.1", "255.255.255.255", "010.9.8.007", "::ffff:10.0.0.1", "1:2:3:4:5:6:1.2.3.4"],
  ipv6: ["::1", "fe80::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1::", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8"],
  cidr: ["10.0.0.0/8", "fd00::/64", "1.2.3.4/032", "::/128", "01.2.3.4/1", "::1.2.3.4/129"],
  mac: ["00:00:5e:00:53:01", "02-00-5e-10-00-00-00-01", "0000.5e00.5301", "00005e005301"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"],
  uuid3: ["123e4567-e89b-32d3-a456-426614174000"],
  uuid4: ["123e4567-e89b-42d3-a456-426614174000"],
  uuid5: ["123e4567-e89b-52d3-a456-426614174000"],
  ssn: ["123-45-6789", "123 45 6789", "123456789"],
  hexcolor: ["#fff", "aabbcc", "#AABBCC"],
  rgbcolor: ["rgb(1,2,255)", "rgb( 10 , 0 , 99 )"],
  byte: ["YWJj", "YWI=", "YQ==", ""],
  date: ["2024-02-29", "2023-12-31", "1900-02-28", "2000-02-29"],
  "date-time": ["2024-02-29T23:59:59Z", "2024-01-01t00:00:00.123+01:00", "2023-06-30T12:00:00-99:99"],
  duration: ["1h30m", "1.5h", "-2us", "0", "3 days", "1 week", "2hr", "5 mins", "10 hoursx", "7 minutes"],
  "k8s-short-name": ["a", "game-sample", "a".repeat(63)],
  "k8s-long-name": ["a.b-c.d", "a".repeat(253)],
};
const characters = [...'0159aAfFzZ:.-/+ #(),=TtZrgbmsh\n_µ"'];

/** Returns a generator of numbers below a limit, which is the same in each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function mutated(text: string, next: (limit: number) => number): string {
  let changed = text;
  for (let count = next(3); count > 0; count--) {
    const at = next(changed.length + 1);
    const character = characters[next(characters.length)] ?? "";
    const rest = changed.slice(at + next(2));
    changed = changed.slice(0, at) + (next(3) === 0 ? "" : character) + rest;
  }
  return changed;
}

it.each(Object.entries(seeds))("the pattern of %s accepts what the API server accepts", (format, texts) => {
  const check = stringFormat(format);
  const rule = formatRule(format);
  const pattern = new RegExp(rule?.pattern ?? "", "u");
  const next = numbers(7);
  const verdicts = { true: 0, false: 0 };
  for (let count = 0; count < 3000; count++) {
    const text = mutated(texts[next(texts.length)] ?? "", next);
    const accepted = pattern.test(text) && text.length <= (rule?.maxLength ?? Number.POSITIVE_INFINITY);
    const expected = check?.(text) === true;
    verdicts[`${expected}`]++;
    expect(accepted, JSON.stringify(text)).toBe(expected);
  }
  expect(Math.min(verdicts.true, verdicts.false)).toBeGreaterThan(100);
});

it.each([
  ["hostname", ["game.example.com", "a", "ñandú.org"], ["-a", "", `${"a".repeat(64)}.b`, ".a"]],
  ["uri", ["https://example.com/a?b#c", "/path", "mailto:a@b", "*"], ["", "example.com", ":a", "http://a\u0001"]],
  ["email", ["a@example.com", "A B <a.b@example.com>", "a@[127.0.0.1]"], ["", "a", "@b", "a@"]],
])("the pattern of %s accepts usual texts, and rejects usual mistakes", (format, valid, invalid) => {
  const rule = formatRule(format);
  const accepts = (text: string) => new RegExp(rule?.pattern ?? "", "u").test(text);
  const check = stringFormat(format);
  expect([...valid, ...invalid].map((text) => [text, check?.(text)])).toEqual([
    ...valid.map((text) => [text, true]),
    ...invalid.map((text) => [text, false]),
  ]);
  expect([...valid, ...invalid].map((text) => [text, accepts(text)])).toEqual([
    ...valid.map((text) => [text, true]),
    ...invalid.map((text) => [text, false]),
  ]);
});

it("formats with check digits, and unknown ones, have no pattern", () => {
  for (const format of ["isbn10", "creditcard", "password", "nonsense", "constructor"]) {
    expect(formatRule(format)).toBeUndefined();
  }
});
