// CustomResourceDefinitions that the real API server accepts, and that cost a reader much time or memory.

import { encodeJson, type Json } from "@kubewright/cel/json";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../../generate/test-support/api-server.ts";
import { createApi, expectOneError, type Parts, served, type Values } from "../../test-support/served-crd.ts";

const server = startApiServer();

describe("costly definitions that the API server accepts", () => {
  const times = (count: number, of: (index: number) => unknown): Values =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, of(index)]));
  const nested = (depth: number, wrap: (inner: Values) => Values): Values =>
    depth === 0 ? { type: "string" } : wrap(nested(depth - 1, wrap));
  const required = ["hostile"];
  const hostile = (schema: Values): Parts => ({ fields: { hostile: schema }, required });

  const costly: Record<string, Parts> = {
    backtracking: hostile({ type: "string", pattern: "^(a+)+b$", minLength: 50 }),
    repetition: hostile({ type: "string", pattern: "^(([a-z]{1,30}){1,30})$" }),
    patterns: {
      fields: times(200, (index) => ({ type: "string", pattern: `^(x*){900}y${index}$`, minLength: 5000 })),
      required: Object.keys(times(200, () => 0)),
    },
    notes: {
      fields: times(4000, () => ({ type: "string", pattern: "^Z{7}$" })),
      required: Object.keys(times(4000, () => 0)),
    },
    longproperty: { fields: { ["x".repeat(300_000)]: { not: {}, type: "string" } } },
    longpattern: hostile({ type: "string", pattern: "a?".repeat(20_000) }),
    deepobjects: hostile(nested(45, (a) => ({ type: "object", required: ["a"], properties: { a } }))),
    deeperobjects: hostile(nested(400, (a) => ({ type: "object", required: ["a"], properties: { a } }))),
    deeplists: hostile(nested(90, (items) => ({ type: "array", minItems: 1, items }))),
    deepmaps: hostile(nested(90, (values) => ({ type: "object", additionalProperties: values, minProperties: 1 }))),
    deepdefault: hostile({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      default: nested(80, (a) => ({ a })),
    }),
    deeperexample: hostile({ type: "object", example: nested(1000, (a) => ({ a })) }),
    fields: { fields: times(15_000, () => ({ type: "string" })) },
    requiredfields: { fields: times(8000, () => ({ type: "string" })), required: Object.keys(times(8000, () => 0)) },
    sametypes: {
      fields: times(2000, () => ({
        type: "object",
        properties: { a: { type: "object", properties: { b: { type: "string" } } } },
      })),
    },
    enum: hostile({ type: "string", enum: Array.from({ length: 20_000 }, (_, index) => `value-${index}`) }),
    description: hostile({ type: "string", description: `${"word ".repeat(100)}\n`.repeat(1500) }),
    unbrokendescription: hostile({ type: "string", description: "x".repeat(800_000) }),
    linebreaks: hostile({ type: "string", description: "\n".repeat(300_000) }),
    stars: hostile({ type: "string", description: "*/".repeat(300_000) }),
    default: hostile({ type: "string", default: "\u2028".repeat(200_000) }),
    items: hostile({ type: "array", minItems: 2_000_000_000, items: { type: "string", minLength: 1_000_000 } }),
    numbers: hostile({ type: "number", minimum: 1e308, multipleOf: 5e-324 }),
    integers: hostile({ type: "integer", format: "int64", minimum: 9_007_199_254_740_991, multipleOf: 7 }),
    columns: {
      version: {
        additionalPrinterColumns: Array.from({ length: 3000 }, (_, index) => ({
          name: `c${index}`,
          type: "string",
          jsonPath: ".spec.a",
        })),
      },
    },
  };

  it.each(Object.keys(costly))("are read in bounded time, with short output: %s", async (name) => {
    const crd = await served(server, name, costly[name]!);
    expect(crd).toBeDefined();
    expectOneError(name, await createApi(encodeJson(crd as Json)));
  });
});
