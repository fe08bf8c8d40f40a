// Decoding, defaulting and encoding of built-in kinds must equal kube-apiserver's code for random objects.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { decodeJson, encodeSorted, type JsonObject, sortKeys } from "@kubewright/cel/json";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiObject } from "../../model/resource.ts";
import { builtInResources } from "../resources.ts";

interface Outcome {
  object: JsonObject;
  proto: string;
  converted?: JsonObject;
  stored?: JsonObject;
  error?: string;
}

const module = join(import.meta.dirname, "../../../../../scripts/api-data/kubernetes");
const rounds = 20;
let oracle: ChildProcessByStdio<Writable, Readable, null>;
let answers: AsyncIterator<string>;

beforeAll(async () => {
  oracle = spawn("go", ["run", "./oracle"], { cwd: module, stdio: ["pipe", "pipe", "inherit"] });
  answers = createInterface({ input: oracle.stdout })[Symbol.asyncIterator]();
  await ask({ op: "random", apiVersion: "v1", kind: "ConfigMap", seed: 1 });
});

afterAll(() => {
  oracle.stdin.end();
});

async function ask(request: JsonObject): Promise<Outcome> {
  oracle.stdin.write(`${JSON.stringify(request)}\n`);
  const { value } = await answers.next();
  return decodeJson(String(value)).value as unknown as Outcome;
}

/** Values of named string types that conversions and defaults treat specially. */
const values = {
  "v1.ResourceName": ["cpu", "memory", "example.com/a"],
  "v1.Protocol": ["TCP", "UDP"],
  "v1.URIScheme": ["HTTP", "HTTPS"],
};

/** The groups of other servers in kube-apiserver, whose kinds aren't in its scheme. */
const elsewhere = ["apiextensions.k8s.io", "apiregistration.k8s.io"];
const ofScheme = builtInResources().filter(({ group }) => !elsewhere.includes(group));
const kinds = ofScheme.flatMap((type) =>
  [...type.versions].map(([version, { codec }]) => ({
    apiVersion: type.group === "" ? version : `${type.group}/${version}`,
    kind: type.kind,
    codec,
  })),
);

/** The time of a new taint is the time of the request. That of a DeviceTaintRule is set before its validation. */
const text = (object: JsonObject): string => encodeSorted(sortKeys(object)).replace(/,?"timeAdded":"[^"]*"/g, "");

describe.each(kinds)("$apiVersion $kind", ({ apiVersion, kind, codec }) => {
  it("is read from protobuf, defaulted and stored as in Go", async () => {
    for (let seed = 1; seed <= rounds; seed++) {
      const outcome = await ask({ op: "random", apiVersion, kind, seed, values });
      expect(outcome.error).toBe(undefined);
      const compare = (given: JsonObject, expected: JsonObject | undefined, how: string): void => {
        if (expected !== undefined) {
          expect(text(codec.decode(given).object as JsonObject), `seed ${seed}: ${how}`).toBe(text(expected));
        }
      };
      const document = await ask({ op: "decode", apiVersion, kind, body: JSON.stringify(outcome.object) });
      compare(outcome.object, document.converted, "from JSON");
      const message = await ask({ op: "proto", apiVersion, kind, body: outcome.proto });
      const read = codec.fromProtobuf?.(Buffer.from(outcome.proto, "base64")) as JsonObject;
      compare(read, message.converted, "from protobuf");
      const { object } = codec.decode(outcome.object);
      compare(codec.stored?.(object as ApiObject) ?? object, document.stored, "stored");
    }
  });
});
