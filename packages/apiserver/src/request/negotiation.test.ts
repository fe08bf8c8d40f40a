import { describe, expect, test } from "vitest";
import { bodyEncoding, checkProduced, isPretty, negotiate } from "./negotiation.ts";
import { Query } from "./query.ts";

describe("the Content-Type of a body", () => {
  test.each([
    ["", "json"],
    ["application/yaml", "yaml"],
    ["Application/JSON; charset=latin1", "json"],
    ['application/json;a="x;\\"y" ; b = c;', "json"],
  ])("%j is read as %s", (header, encoding) => {
    expect(bodyEncoding(header, ["json", "yaml"])).toBe(encoding);
  });

  test.each([";;", "application/json;;", "application/json; charset", "application/json; a=b c", "text/json"])(
    "%j is rejected",
    (header) => {
      expect(() => bodyEncoding(header, ["json", "yaml"])).toThrow("the body of the request was in an unknown format");
    },
  );
});

describe("a path with one media type", () => {
  test.each(["", "*/*", "text/plain, application/json;q=0.1", "application/json;as=Table;v=v1;g=meta.k8s.io"])(
    "returns the response for the Accept header %j",
    (header) => {
      expect(() => checkProduced(header, "application/json")).not.toThrow();
    },
  );

  test.each(["application/*", "text/plain", "application/yaml"])(
    "rejects the Accept header %j with an error that names the supported type",
    (header) => {
      expect(() => checkProduced(header, "application/jwk-set+json")).toThrow(
        "406: Not Acceptable\n\nAvailable representations: application/jwk-set+json",
      );
    },
  );
});

describe("JSON is indented", () => {
  test.each([
    ["", "curl/8.5.0", true],
    ["", "kubectl/v1.36", false],
    ["pretty=true", "kubectl/v1.36", true],
    ["pretty=0", "curl/8.5.0", false],
  ])("with the parameters %j for %s: %s", (parameters, agent, expected) => {
    expect(isPretty(new Query(parameters), agent)).toBe(expected);
  });
});

describe("a document with another kind", () => {
  const form = { kind: "List", group: "g", version: "v2" };
  const offer = { encodings: ["json", "yaml"] as const, transforms: false, form };
  test.each([
    ["application/json;as=List;g=g;v=v2;q=0.1, application/json", "json", form],
    ["application/json, application/yaml;as=List;g=g;v=v2", "yaml", form],
    ["application/json;as=List;g=g;v=v1, application/yaml", "yaml", undefined],
  ])("has the form that the Accept header %j names", (header, encoding, as) => {
    expect(negotiate(header, offer)).toMatchObject(as === undefined ? { encoding } : { encoding, as });
    expect(negotiate(header, offer).as).toEqual(as);
  });
});
