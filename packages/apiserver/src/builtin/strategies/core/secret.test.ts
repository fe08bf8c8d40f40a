import { expect, test } from "vitest";
import { Authority } from "../../../http/certificates.ts";
import { callsOf } from "../strategy.fixture.ts";
import { secret } from "./secret.ts";

const { create } = callsOf(secret);
const encode = (text: string): string => Buffer.from(text).toString("base64");
const docker = (text: string): string[] =>
  create({ type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": encode(text) } }).errors;

test.each([
  ['{"auths":{}}', []],
  ["null", []],
  ["", ["unexpected end of JSON input"]],
  ["nul", ["invalid character ' ' in literal null (expecting 'l')"]],
  ['{"a":1,}', ["invalid character '}' looking for beginning of object key string"]],
  ["[]", ["json: cannot unmarshal array into Go value of type map[string]interface {}"]],
])("the configuration of Docker %j", (text, problems) => {
  const path = "data[.dockerconfigjson]";
  expect(docker(text)).toEqual(
    problems.map((problem) => `${path}: Invalid value: "<secret contents redacted>": ${problem}`),
  );
});

test("a certificate without its key gets a warning", () => {
  const { cert, key } = new Authority("test", () => Date.now()).issueServing(["a.test"]);
  const warnings = (crt: string, other: string): string[] =>
    create({ type: "kubernetes.io/tls", data: { "tls.crt": encode(crt), "tls.key": encode(other) } }).warnings;
  expect(warnings(cert, key)).toEqual([]);
  expect(warnings(cert, "x")).toEqual(["tls: failed to find any PEM data in key input"]);
  expect(create({ type: "Opaque", data: { "tls.crt": "eA==" } }).warnings).toEqual([]);
});
