import { each, type KindCases } from "../case.ts";
import { kind } from "./kind.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** The cases of ConfigMaps and Secrets. */
export const configKinds: KindCases[] = [
  {
    ...kind("v1", "ConfigMap", { data: { a: "b" } }),
    creations: {
      ...each("data", { "a b": "c" }, { "..": "c" }, { "": "x" }, { a: "x".repeat(1024 * 1024 + 1) }),
      ...each("binaryData", { a: "eA==" }, { b: "eA==" }, { "b/c": "eA==" }),
      ...each("metadata/labels", { "a b": "c" }, { a: "b c" }),
      ...each("metadata/annotations", { "A/b/c": "d" }),
      ...each("metadata/finalizers", ["a"], ["example.com/a"], ["a b"]),
      ...each("metadata/name", "A_b", "a/b", ".."),
    },
    updates: each("data", { c: "d" }, { "a b": "c" }),
    pairs: {
      "immutable data": [{ immutable: true }, { data: { c: "d" } }],
      "mutable again": [{ immutable: true }, { immutable: false }],
      "immutable binary data": [{ immutable: true }, { binaryData: { c: "eA==" } }],
      "labels of an immutable map": [{ immutable: true }, { "metadata/labels": { a: "b" } }],
    },
  },
  {
    ...kind("v1", "Secret", { data: { a: "Yg==" } }),
    creations: {
      ...each("data", { "a b": "eA==" }, { a: base64("x".repeat(1024 * 1024 + 1)) }),
      ...each("stringData", { b: "c" }, { a: "over" }),
      ...each(
        "type",
        "kubernetes.io/tls",
        "kubernetes.io/basic-auth",
        "kubernetes.io/ssh-auth",
        "kubernetes.io/dockercfg",
        "kubernetes.io/dockerconfigjson",
        "kubernetes.io/service-account-token",
        "bootstrap.kubernetes.io/token",
        "example.com/other",
        "a b",
      ),
      ...Object.fromEntries(
        [
          "",
          "{}",
          "x",
          "[1",
          '{"a":1,}',
          '{"a" 1}',
          '"abc',
          "nul",
          "1.",
          "01",
          '{"a":"\\x"}',
          '{"auths":{}} x',
          "tru ",
          "-",
          '{"a":\n}',
        ].map((text) => [
          `docker configuration ${JSON.stringify(text)}`,
          { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": base64(text) } },
        ]),
      ),
      "a bad dockercfg": { type: "kubernetes.io/dockercfg", data: { ".dockercfg": base64("x") } },
      "a bad certificate": { type: "kubernetes.io/tls", data: { "tls.crt": base64("x"), "tls.key": base64("y") } },
      "an empty certificate": { type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } },
      "a certificate without a key": { type: "kubernetes.io/tls", data: { "tls.crt": "" } },
      "an empty SSH key": { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
      "a password": { type: "kubernetes.io/basic-auth", data: { password: "" } },
    },
    updates: { ...each("type", "other", "", "kubernetes.io/tls"), ...each("data", { c: "eA==" }) },
    pairs: {
      "immutable data": [{ immutable: true }, { data: { c: "eA==" } }],
      "mutable again": [{ immutable: true }, { immutable: undefined }],
      "immutable with string data": [{ immutable: true }, { stringData: { a: "x" } }],
    },
  },
];
