// CustomResourceDefinitions by a hostile author that the real API server accepts.

import { encodeJson, type Json } from "@kubewright/cel/json";
import { printYaml } from "@kubewright/cel/yaml";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../../generate/test-support/api-server.ts";
import { hostileTexts } from "../../../scaffold/from-crd/test-support/hostile.ts";
import { createApi, expectOneError, type Parts, served, type Values } from "../../test-support/served-crd.ts";

const server = startApiServer();

/** Returns parts that contain a text, one for each place where some API server version accepts any text. */
function placesOf(text: string): Record<string, Parts> {
  const field = (schema: Values): Parts => ({ fields: { hostile: { type: "string", ...schema } } });
  const column = { name: "a", type: "string", jsonPath: ".spec.a" };
  const rule = { rule: "self != ''" };
  return {
    annotation: { metadata: { annotations: { "example.org/a": text } } },
    approval: { metadata: { annotations: { "api-approved.kubernetes.io": text } } },
    category: { names: { categories: [text] } },
    columndescription: { version: { additionalPrinterColumns: [{ ...column, description: text }] } },
    columnformat: { version: { additionalPrinterColumns: [{ ...column, format: text }] } },
    columnname: { version: { additionalPrinterColumns: [{ ...column, name: text }] } },
    columnpath: { version: { additionalPrinterColumns: [{ ...column, jsonPath: `.spec['${text}']` }] } },
    columntype: { version: { additionalPrinterColumns: [{ ...column, type: text }] } },
    default: field({ default: text }),
    defaultobject: {
      fields: { hostile: { type: "object", default: { [text]: text }, "x-kubernetes-preserve-unknown-fields": true } },
    },
    deprecation: { version: { deprecated: true, deprecationWarning: text } },
    description: field({ description: text }),
    docs: field({ externalDocs: { description: text, url: text } }),
    enum: field({ enum: [text, `${text} ${"x".repeat(120)}`] }),
    example: field({ example: text }),
    exampleobject: field({ example: { [text]: [text] } }),
    format: field({ format: text }),
    id: field({ id: text }),
    listkind: { names: { listKind: text } },
    message: field({ "x-kubernetes-validations": [{ ...rule, message: text }] }),
    messageexpression: field({ "x-kubernetes-validations": [{ ...rule, messageExpression: JSON.stringify(text) }] }),
    pattern: field({ pattern: text }),
    patternquoted: field({ pattern: text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&") }),
    property: { fields: { [text]: { type: "string", description: text } }, required: [text] },
    rule: field({ "x-kubernetes-validations": [{ rule: `self != ${JSON.stringify(text)}` }] }),
    scale: {
      version: { subresources: { scale: { specReplicasPath: `.spec.${text}`, statusReplicasPath: ".status.a" } } },
    },
    shortname: { names: { shortNames: [text] } },
    title: field({ title: text }),
    type: { fields: { hostile: { type: text } } },
  };
}

/** Returns the names of the parts that the server accepts. */
async function acceptedOf(parts: Readonly<Record<string, Parts>>): Promise<string[]> {
  const entries = Object.entries(parts);
  const bodies = await Promise.all(entries.map(([name, each]) => served(server, name, each)));
  return entries.flatMap(([name], index) => (bodies[index] === undefined ? [] : [name]));
}

describe("hostile definitions that the API server accepts", () => {
  it("create only types, with each text in all places that accept it", async ({ task }) => {
    let tried = 0;
    for (const [index, text] of hostileTexts.entries()) {
      const parts = placesOf(text);
      const names = await acceptedOf(parts);
      // The API server accepts any text in a description, a default and an example.
      expect(names, text).toEqual(expect.arrayContaining(["default", "description", "example"]));
      const all: Parts = { metadata: { annotations: {} }, names: {}, version: {}, fields: {}, required: [] };
      const columns: unknown[] = [];
      for (const name of names) {
        const { metadata, names: own, version, fields = {}, required = [] } = parts[name]!;
        Object.assign(all.metadata!.annotations as Values, metadata?.annotations);
        Object.assign(all.names!, own);
        const { additionalPrinterColumns = [], ...rest } = version ?? {};
        columns.push(
          ...(additionalPrinterColumns as Values[]).map((column) =>
            name === "columnname" ? column : { ...column, name },
          ),
        );
        Object.assign(all.version!, rest);
        for (const [key, schema] of Object.entries(fields)) all.fields![key === "hostile" ? name : key] = schema;
        all.required = [...all.required!, ...required];
      }
      all.version!.additionalPrinterColumns = columns;
      const crd = await served(server, `all${index}`, all);
      // Clients receive JSON from the server; kubectl prints it as YAML.
      const { code, stderr } = await createApi(index % 2 === 0 ? printYaml(crd) : encodeJson(crd as Json));
      expect({ text, code, stderr: code === 0 ? "" : stderr }).toEqual({ text, code: 0, stderr: "" });
      tried += names.length;
    }
    (task.meta as { attempts?: number }).attempts = tried;
    expect(tried).toBeGreaterThan(hostileTexts.length * 20);
  });

  const kinds = [
    "await",
    "a-b",
    "Class",
    "Constructor",
    "Object",
    "String",
    "Record",
    "GroupVersion",
    "KubernetesObject",
    "Con",
  ];
  const versions = ["default", "con", "groupversion-info", "v1beta01", "v999999999"];
  const groups = ["0.1", "con.prn", "constructor.prototype", `${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}`];
  const oddNames: readonly (readonly [plural: string, Parts])[] = [
    ...kinds.map((kind) => ["odd", { names: { kind, listKind: `${kind}Odds` } }] as const),
    ...versions.map((name) => ["odd", { version: { name } }] as const),
    ...groups.map((group) => ["odd", { group }] as const),
    ["constructor", {}],
    ["x-y", { names: { kind: "Evil", singular: "x--y", shortNames: ["x-y-z", "default"] } }],
    [
      "odd",
      {
        names: { kind: "Evil", listKind: "EvilSpec" },
        fields: { spec: { type: "object", properties: { a: { type: "string" } } } },
      },
    ],
  ];

  it("create only types or report one error, with unusual names", async ({ task }) => {
    for (const [plural, parts] of oddNames) {
      const crd = await served(server, plural, parts);
      expect(crd, JSON.stringify(parts)).toBeDefined();
      expectOneError(plural, await createApi(encodeJson(crd as Json)));
    }
    (task.meta as { attempts?: number }).attempts = oddNames.length;
  });
});
