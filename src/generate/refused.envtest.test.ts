// The generator reports an error, or a warning about the group, if and only if the API server rejects the result.
import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { sample } from "../../scripts/test-support/thorough.ts";
import { generate } from "./generate.ts";
import { kindText } from "./lint/test-support.ts";
import { startApiServer } from "./test-support/api-server.ts";
import { project } from "./test-support/project.ts";
import { requestOf } from "./test-support/request.ts";
import {
  fieldCases,
  kindCases,
  roleCases,
  ruleCases,
  typeCases,
  webhookCases,
} from "./test-support/verdicts/refused.ts";

const { refusal } = startApiServer();

/**
 * Returns the generator's errors and the API server's message for a source. For the latter, the generator ignores its
 * own errors.
 */
async function verdicts(text: string): Promise<{ ours: string[]; theirs: string }> {
  const cwd = project({ "api/v1/thing.ts": text });
  const request = requestOf(cwd, ["crd", "rbac:roleName=role", "webhook", "paths=./...", "output:dir=out"]);
  const { diagnostics } = await generate(request);
  // Kustomize may add the annotation that the groups of Kubernetes need, so the generator only warns.
  const isRefusal = (id: string, severity: string): boolean => severity === "error" || id === "unapproved-group";
  const ours = diagnostics.filter(({ id, severity }) => isRefusal(id, severity)).map(({ id }) => id);
  const { plan } = await generate({ ...request, levels: Object.fromEntries(ours.map((id) => [id, "off"])) });
  const documents = plan.writes.flatMap(({ after }) => loadAll(after ?? "").filter(Boolean));
  if (documents.length === 0) return { ours, theirs: "nothing is written" };
  const refusals = await Promise.all(documents.map(refusal));
  return { ours, theirs: refusals.map((error) => error?.message ?? "").join("") };
}

const imports = `// +groupName=example.com
import type { Bytes, Duration, Int32, Int64, IntOrString, JSONValue, KubernetesObject, MicroTime, Quantity, RawExtension, Time } from "@kubewright/runtime/api";

`;
const thing = "export interface Thing extends KubernetesObject { spec: Spec }\n";

async function agree(text: string): Promise<void> {
  const { ours, theirs } = await verdicts(text);
  expect(ours.length > 0, `${ours.join()}: ${theirs}`).toBe(theirs !== "");
}

describe("the generator agrees with the API server about a field", () => {
  it.each(sample(fieldCases, 40))("%s %j", async (type, ...markers) => {
    const lines = markers.map((marker) => `  // +${marker}\n`).join("");
    await agree(`${imports}export interface Spec {\n${lines}  value?: ${type};\n}\n${thing}`);
  });
});

describe("the generator agrees with the API server about a type", () => {
  it.each(sample(typeCases, 15))("%s", async (text) => agree(`${imports}${text}\n${thing}`));
});

describe("the generator agrees with the API server about a rule", () => {
  it.each(sample(ruleCases, 40))("%s %s", async (rule, rest = "") => {
    await agree(`${imports}export interface Spec { value: T }
// +kubebuilder:validation:XValidation:rule=${JSON.stringify(rule)}${rest}
export interface T {
  min?: Int32;
  // +kubebuilder:validation:MaxLength=50
  name?: string;
  // +kubebuilder:validation:MaxItems=5
  // +kubebuilder:validation:items:MaxLength=50
  tags?: string[];
  // +kubebuilder:validation:MaxItems=5
  items?: { id: string; on?: boolean }[];
  // +kubebuilder:validation:MaxProperties=5
  labels?: Record<string, string>;
  // +kubebuilder:validation:MaxProperties=5
  byName?: Record<string, { size: Int32 }>;
  // +kubebuilder:validation:MaxItems=5
  frees?: JSONValue[];
  port?: IntOrString; size?: Quantity; free?: JSONValue; raw?: RawExtension; empty?: {}; namespace?: string; "x-y"?: string;
  "a.b/c"?: string; a__b?: string; when?: Time; inner?: { deep?: { leaf?: string } };
}
${thing}`);
  });
});

describe("the generator agrees with the API server about a kind", () => {
  it.each(kindCases)("%j", async (group, ...markers) => agree(kindText(markers, "", group)));
});

describe("the generator agrees with the API server about a role", () => {
  it.each(roleCases)("%s", async (marker) => agree(`// +kubebuilder:rbac:${marker}\n\nexport const a = 1;\n`));
});

describe("the generator agrees with the API server about a webhook", () => {
  it.each(webhookCases)("%s", async (...markers) => {
    await agree(`${markers.map((marker) => `// +kubebuilder:webhook:${marker}\n`).join("")}\nexport const a = 1;\n`);
  });
});
