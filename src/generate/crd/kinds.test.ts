// Types that are kinds, and types that aren't.
import { describe, expect, it } from "vitest";
import { runCrds } from "../test-support/project.ts";

const head = `// +groupName=example.com
import type { Int32, KubernetesList, KubernetesObject, ObjectMeta } from "@kubewright/runtime/api";
interface Spec { a: Int32 }
interface Base<S> extends KubernetesObject { spec: S }
`;
const kindsOf = async (text: string, more: Readonly<Record<string, string>> = {}) => {
  const { crds, diagnostics } = await runCrds({ "api/v1/a.ts": head + text, ...more });
  expect(diagnostics).toEqual([]);
  return crds.map(({ spec }) => spec.names.kind);
};

describe("a kind can be", () => {
  it.each([
    ["an interface that extends KubernetesObject", "export interface K extends KubernetesObject { spec: Spec }"],
    [
      "an interface with required metadata",
      "export interface K extends KubernetesObject { metadata: ObjectMeta; spec: Spec }",
    ],
    [
      "an interface that extends another kind",
      "interface M extends KubernetesObject {}\ninterface K extends M { spec: Spec }",
    ],
    ["an interface that extends a generic type", "export interface K extends Base<Spec> {}"],
    ["a generic type with its arguments", "export type K = Base<Spec>;"],
    ["an alias that intersects KubernetesObject", "export type K = KubernetesObject & { spec: Spec };"],
    ["an intersection in the other order, with brackets", "export type K = ({ spec: Spec } & (KubernetesObject));"],
    ["an intersection with a generic type", "export type K = Base<Spec> & { status?: Spec };"],
    [
      "an interface that extends an Omit",
      'type O = Base<Spec>;\nexport interface K extends Omit<O, "spec"> { spec: string }',
    ],
    ["an interface in two parts", "interface K { spec: Spec }\ninterface K extends KubernetesObject {}"],
    ["an interface that isn't exported", "interface K extends KubernetesObject { spec: Spec }"],
    ["a default export", "export default interface K extends KubernetesObject { spec: Spec }"],
  ])("%s", async (_, text) => {
    const kinds = await kindsOf(text);
    expect(kinds).toContain("K");
  });

  it("an interface or an alias, with the same schema", async () => {
    const text = `${head}
export interface A extends KubernetesObject { metadata: ObjectMeta; spec: Spec }
export type B = KubernetesObject & { metadata: ObjectMeta; spec: Spec };
export interface C extends Base<Spec> { metadata: ObjectMeta }
export type D = Base<Spec> & { metadata: ObjectMeta };`;
    const { crds } = await runCrds({ "api/v1/a.ts": text });
    const [first, ...others] = crds.map(({ spec }) => spec.versions[0]?.schema.openAPIV3Schema);
    expect(first).toMatchObject({ required: ["metadata", "spec"], properties: { metadata: { type: "object" } } });
    expect(others).toHaveLength(3);
    for (const other of others) expect(other).toEqual(first);
  });

  it("an alias of a kind in another package, with its own description and markers", async () => {
    const { crds, diagnostics } = await runCrds({
      "api/v1/a.ts": `${head}/** Of v1. */\n// +kubebuilder:storageversion\n// +kubebuilder:resource:path=gates\nexport interface Gateway extends KubernetesObject { spec: Spec }`,
      "api/v1beta1/b.ts": `// +groupName=example.com
import type { Gateway as V1Gateway } from "../v1/a.ts";

/** Of v1beta1. */
// +kubebuilder:resource:path=gates
// +kubebuilder:deprecatedversion:warning=old
export type Gateway = V1Gateway;`,
    });
    expect(diagnostics).toEqual([]);
    expect(crds).toHaveLength(1);
    const [v1, beta] = crds[0]?.spec.versions ?? [];
    expect([v1?.name, v1?.storage, v1?.deprecated]).toEqual(["v1", true, undefined]);
    expect([beta?.name, beta?.storage, beta?.deprecationWarning]).toEqual(["v1beta1", false, "old"]);
    expect(v1?.schema.openAPIV3Schema.description).toBe("Of v1.");
    expect(beta?.schema.openAPIV3Schema).toEqual({ ...v1?.schema.openAPIV3Schema, description: "Of v1beta1." });
  });

  it("an interface that extends KubernetesObject of @kubernetes/client-node", async () => {
    const text = `// +groupName=example.com
import type { KubernetesListObject, KubernetesObject, V1ObjectMeta } from "@kubernetes/client-node";
export interface K extends KubernetesObject { metadata: V1ObjectMeta; spec: { a: string } }
export interface KList extends KubernetesListObject<K> {}`;
    const { crds, diagnostics } = await runCrds({ "api/v1/a.ts": text }, { core: "real" });
    expect(diagnostics).toEqual([]);
    expect(crds.map(({ spec }) => spec.names.kind)).toEqual(["K"]);
    const schema = crds[0]?.spec.versions[0]?.schema.openAPIV3Schema;
    expect(Object.keys(schema?.properties ?? {}).sort()).toEqual(["apiVersion", "kind", "metadata", "spec"]);
  });
});

describe("a kind can't be", () => {
  it.each([
    ["a list", "export type L = KubernetesList<Base<Spec>>;\nexport interface M extends KubernetesList<Base<Spec>> {}"],
    ["a generic type", ""],
    ["an alias in the same package", "export interface K extends KubernetesObject { spec: Spec }\nexport type L = K;"],
    [
      "a Partial or Omit of a kind",
      'type K = Base<Spec>;\nexport type P = Partial<K>;\nexport type O = Omit<K, "spec">;',
    ],
    ["a class", "export class C implements KubernetesObject { apiVersion = ''; kind = ''; }"],
    ["an alias of KubernetesObject", "export type O = KubernetesObject;"],
    [
      "an interface without the metadata of KubernetesObject",
      'export interface P extends Pick<KubernetesObject, "kind"> {}',
    ],
    ["an interface that extends itself", "interface R extends R {}"],
  ])("%s", async (_, text) => {
    expect((await kindsOf(text)).filter((kind) => kind !== "K")).toEqual([]);
  });

  it("a class with the marker of a kind, which is an error", async () => {
    const text = `${head}// +kubebuilder:object:root=true\nexport class C {}\n`;
    const { places } = await runCrds({ "api/v1/a.ts": text });
    expect(places).toEqual(["api/v1/a.ts:5:4 error not-a-kind"]);
  });

  it.each([
    [
      "isn't imported",
      "export interface K extends KubernetesObject {}",
      "1:28",
      "unknown type KubernetesObject: it is not imported",
    ],
    [
      "isn't imported, in an alias",
      "export type K = { a: string } & KubernetesObject;",
      "1:33",
      "unknown type KubernetesObject: it is not imported",
    ],
    [
      "can't be found",
      'import type { B } from "./b.ts";\nexport interface K extends B {}',
      "2:28",
      'unknown type B: cannot find the module "./b.ts"',
    ],
  ])("an interface that extends a type that %s, which is an error", async (_, text, place, message) => {
    const { diagnostics, places } = await runCrds({ "api/v1/a.ts": text });
    expect(places).toEqual([`api/v1/a.ts:${place} error unknown-type`]);
    expect(diagnostics[0]?.message).toBe(message);
  });

  it("declared twice: the error contains the position of the other declaration", async () => {
    const kind = `${head}export interface K extends KubernetesObject {}`;
    const { diagnostics } = await runCrds({
      "api/v1/a.ts": kind,
      "api/v1/b.ts": kind,
      "api/w/c.ts": `// +versionName=v1\n${kind}`,
    });
    expect(diagnostics.map(({ id, hint }) => `${id}: ${hint}`)).toEqual([
      "duplicate-kind: the other declaration is in line 5 of ./a.ts",
      "duplicate-kind: the other declaration is in line 5 of ../v1/a.ts",
    ]);
  });
});
