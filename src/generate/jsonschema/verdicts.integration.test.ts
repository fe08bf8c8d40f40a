import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { readValues } from "../../yaml/values.ts";
import { runCrds } from "../test-support/project.ts";
import { branches, named } from "./test-support/definitions.ts";
import { compareVerdicts, type Sample } from "./test-support/verdicts.ts";

/** Types with everything that JSON Schema expresses in another way than a CRD. */
const types = `// +groupName=example.com
import type {
  Bytes, Duration, Float64, Int32, Int64, IntOrString, JSONValue, KubernetesObject, ObjectMeta, Quantity, RawExtension, Time,
} from "@kubewright/runtime/api";

export interface Part {
  name: string;
  // +kubebuilder:default=3
  count?: Int32;
  size?: Quantity;
}

// +kubebuilder:validation:XValidation:rule="true"
export interface Spec {
  replicas: Int32;
  big?: Int64;
  // +kubebuilder:validation:ExclusiveMinimum=true
  // +kubebuilder:validation:Minimum=0
  // +kubebuilder:validation:Maximum=100
  // +kubebuilder:validation:ExclusiveMaximum=true
  share?: Float64;
  // +kubebuilder:validation:MultipleOf=5
  steps?: number;
  // +kubebuilder:validation:Pattern=\`(?i)^[a-z.]+\\s?$\`
  // +kubebuilder:validation:MinLength=1
  // +kubebuilder:validation:MaxLength=5
  word?: string;
  port?: IntOrString;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="^[0-9]+%?$"
  percent?: IntOrString;
  mode?: "A" | "B";
  // +nullable
  // +kubebuilder:validation:Minimum=1
  optional?: Int32 | null;
  // +listType=set
  tags?: string[];
  // +listType=map
  // +listMapKey=name
  // +kubebuilder:validation:MinItems=1
  parts?: Part[];
  labels?: Record<string, string>;
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=2
  limits?: Record<string, Quantity>;
  nested?: Record<string, Record<string, Part[]>>;
  raw?: RawExtension;
  any?: JSONValue;
  // +kubebuilder:pruning:PreserveUnknownFields
  open?: Part;
  // +kubebuilder:pruning:PreserveUnknownFields
  opened?: Part[];
  // +kubebuilder:validation:EmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  template?: RawExtension;
  // +kubebuilder:validation:EmbeddedResource
  closed?: Embedded;
  meta?: ObjectMeta;
  data?: Bytes;
  at?: Time;
  // +kubebuilder:validation:Format=duration
  every?: string;
  timeout?: Duration;
  // +kubebuilder:validation:Format=ipv4
  address?: string;
  // +kubebuilder:validation:Format=unknown
  other?: string;
  // A property with the name of a keyword.
  properties?: Part;
  additionalProperties?: boolean;
  required?: string[];
  items?: string;
  source?: { kind: "git"; url: string } | { kind: "file"; path: string };
  // +kubebuilder:default={level: "low"}
  settings?: Settings;
  choice?: Choice;
}

export interface Embedded {
  spec?: Part;
}

// +kubebuilder:validation:MinProperties=1
export interface Settings {
  // +kubebuilder:default=low
  level?: "low" | "high";
  flag?: boolean;
}

// +kubebuilder:validation:ExactlyOneOf=a;b
export interface Choice {
  a?: string;
  b?: string;
}

/** Thing. */
export interface Thing extends KubernetesObject {
  spec: Spec;
  status?: { ready?: boolean };
}
`;

async function expectSame(crd: CustomResourceDefinition, sample: Sample, least = sample.count): Promise<void> {
  const { valid, invalid, differences } = await compareVerdicts(crd, sample);
  expect(differences.slice(0, 3)).toEqual([]);
  expect(Math.min(valid, invalid), `${valid} valid, ${invalid} invalid`).toBeGreaterThan(least);
}

describe("the verdict equals that of the API server with strict field validation for", () => {
  it("types with all keywords", async () => {
    const { crds, diagnostics } = await runCrds(
      { "api/v1/thing.ts": types },
      { core: "real", allowDangerousTypes: true },
    );
    expect(diagnostics).toEqual([]);
    await expectSame(crds[0] as CustomResourceDefinition, { seed: 1, count: 150 });
  });

  it("branches and defaults", async () => {
    await expectSame(branches, { seed: 2, count: 150 }, 20);
  });

  it("rules for names, and metadata of resources inside an object", async () => {
    await expectSame(named, { seed: 3, count: 150 }, 100);
  });

  it("the definitions of testdata", async () => {
    const directory = join(import.meta.dirname, "../../../testdata");
    const files = [join(directory, "from-crd/everything.yaml")].filter(existsSync);
    for (const name of readdirSync(join(directory, "generate"), { withFileTypes: true })) {
      if (!name.isDirectory()) continue;
      for (const file of readdirSync(join(directory, "generate", name.name))) {
        if (file.endsWith(".yaml")) files.push(join(directory, "generate", name.name, file));
      }
    }
    const crds = files.flatMap((file) => readValues(readFileSync(file, "utf8")) as CustomResourceDefinition[]);
    expect(crds.length).toBeGreaterThan(2);
    for (const [index, crd] of crds.entries()) await expectSame(crd, { seed: index, count: 60 }, 10);
  });
});
