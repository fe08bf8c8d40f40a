import { describe, expect, it } from "vitest";
import { decodeJson, decodeWithTexts } from "./decode.ts";
import type { JsonObject } from "./json.ts";
import { copyText, copyTexts, writtenText } from "./notation.ts";

describe("writtenText", () => {
  it.each(["1.0", "1e2", "1E2", "2.50", "-0.0", "12345678901234567890"])("remembers the number %s", (text) => {
    const object = decodeJson(`{"a":[${text}]}`).value as { a: number[] };
    expect(writtenText(object.a, 0, object.a[0])).toBe(text);
  });

  it.each(["1", "1.5", "100", "-3", "9007199254740993"])("needs no text of the number %s", (text) => {
    const object = decodeJson(`{"a":${text},"b":1.0}`).value as JsonObject;
    expect(writtenText(object, "a", object.a)).toBeUndefined();
  });

  it("remembers strings only if the caller asks for it", () => {
    const text = '{"a":"\\u003c"}';
    expect(writtenText(decodeJson(text).value as JsonObject, "a", "<")).toBeUndefined();
    expect(writtenText(decodeWithTexts(text).value as JsonObject, "a", "<")).toBe('"\\u003c"');
  });

  it("forgets the text when another value takes the place", () => {
    const object = decodeJson('{"a":1.0}').value as JsonObject;
    expect(writtenText(object, "a", 2)).toBeUndefined();
  });

  it("is copied with values", () => {
    const object = decodeJson('{"a":1.0}').value as JsonObject;
    const [whole, part] = [{}, {}];
    copyTexts(object, whole);
    copyText(object, "a", part, "b");
    expect([writtenText(whole, "a", 1), writtenText(part, "b", 1)]).toEqual(["1.0", "1.0"]);
    copyText({}, "a", part, "b");
    expect(writtenText(part, "b", 1)).toBeUndefined();
  });
});
