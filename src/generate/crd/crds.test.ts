import { describe, expect, it } from "vitest";
import { runCrds } from "../test-support/project.ts";

const head =
  '// +groupName=example.com\nimport type { KubernetesList, KubernetesObject, ObjectMeta } from "@kubewright/runtime/api";\n\n';
const kind = (markers: string, body = "{ a?: string }") =>
  `${head}${markers}\nexport interface Thing extends KubernetesObject ${body}\n`;

async function crdOf(markers: string) {
  const { crds, places } = await runCrds({ "api/v1/thing.ts": kind(markers) });
  expect(places).toEqual([]);
  return crds[0]!;
}

describe("markers on kinds", () => {
  it("aren't required: names, scope and a stored version have defaults", async () => {
    const crd = await crdOf("");
    expect(crd).toEqual({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        names: { kind: "Thing", listKind: "ThingList", plural: "things", singular: "thing" },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  a: { type: "string" },
                  apiVersion: { type: "string" },
                  kind: { type: "string" },
                  metadata: { type: "object" },
                },
              },
            },
          },
        ],
      },
    });
  });

  it("replace lists of earlier resource markers with those of the last one", async () => {
    const crd = await crdOf(
      "// +kubebuilder:resource:path=thingies,shortName=th;ti,categories=all,singular=one,scope=Cluster\n// +kubebuilder:resource:shortName=x",
    );
    expect(crd.metadata.name).toBe("thingies.example.com");
    expect(crd.spec.names).toEqual({
      kind: "Thing",
      listKind: "ThingList",
      plural: "thingies",
      singular: "one",
      shortNames: ["x"],
    });
    expect(crd.spec.scope).toBe("Namespaced");
  });

  it("set subresources, columns and selectable fields", async () => {
    const crd = await crdOf(`// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.a,statuspath=.b,selectorpath=.c
// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a
// +kubebuilder:printcolumn:name=B,type=integer,JSONPath=.b,description=d,format=int32,priority=1
// +kubebuilder:selectablefield:JSONPath=.a`);
    expect(crd.spec.versions[0]).toMatchObject({
      subresources: {
        status: {},
        scale: { specReplicasPath: ".a", statusReplicasPath: ".b", labelSelectorPath: ".c" },
      },
      additionalPrinterColumns: [
        { name: "A", type: "string", jsonPath: ".a" },
        { name: "B", type: "integer", jsonPath: ".b", description: "d", format: "int32", priority: 1 },
      ],
      selectableFields: [{ jsonPath: ".a" }],
    });
  });

  it("set empty subresources for a column, as controller-gen does", async () => {
    const crd = await crdOf("// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a");
    expect(crd.spec.versions[0]?.subresources).toEqual({});
  });

  it("set deprecation and metadata", async () => {
    const crd = await crdOf(`// +kubebuilder:deprecatedversion:warning="old"
// +kubebuilder:metadata:annotations="a=b=c",labels="l=m"`);
    expect(crd.spec.versions[0]).toMatchObject({ deprecated: true, deprecationWarning: "old" });
    expect(crd.metadata).toMatchObject({ annotations: { a: "b=c" }, labels: { l: "m" } });
  });

  it.each(["annotations", "labels"])("are rejected if a value is missing in %s", async (what) => {
    const { places, diagnostics } = await runCrds({
      "api/v1/thing.ts": kind(`// +kubebuilder:metadata:${what}=x`),
    });
    expect(places).toEqual(["api/v1/thing.ts:4:4 error marker-not-applicable"]);
    expect(diagnostics[0]!.hint).toContain('for example: `+kubebuilder:metadata:labels="team=storage"');
  });
});

describe("the versions of a CRD", () => {
  const versions = (old: string, young: string) =>
    runCrds({ "api/v1/thing.ts": kind(young), "api/v1alpha1/thing.ts": kind(old) });

  it("come from all packages of the group, in alphabetical order", async () => {
    const { crds, places } = await versions("", "// +kubebuilder:storageversion");
    expect(places).toEqual([]);
    expect(crds.map((crd) => crd.spec.versions.map(({ name, storage }) => [name, storage]))).toEqual([
      [
        ["v1", true],
        ["v1alpha1", false],
      ],
    ]);
  });

  it("must include a stored one", async () => {
    expect((await versions("", "")).places).toEqual(["api/v1/thing.ts:5:1 error no-storage-version"]);
  });

  it("must include a served one", async () => {
    const unserved = "// +kubebuilder:unservedversion";
    const { places } = await versions(unserved, `// +kubebuilder:storageversion\n${unserved}`);
    expect(places).toEqual(["api/v1/thing.ts:6:1 error no-served-version"]);
  });

  it("exclude skipped ones, after their other markers were read", async () => {
    const { crds, places } = await versions(
      "// +kubebuilder:skipversion\n// +kubebuilder:printcolumn:name=A,type=string,JSONPath=.a",
      "",
    );
    expect(places).toEqual([]);
    expect(crds[0]?.spec.versions.map(({ name, storage }) => [name, storage])).toEqual([["v1", true]]);
  });

  it("produce no CRD if all are skipped", async () => {
    expect((await runCrds({ "api/v1/thing.ts": kind("// +kubebuilder:skipversion") })).crds).toEqual([]);
  });

  it("get their names from versionName, else groupVersion(…), else the directory", async () => {
    const call =
      'import { groupVersion } from "@kubewright/runtime";\nexport const GroupVersion = groupVersion("example.com", "v7");\n';
    const byCall = await runCrds({ "api/v1/thing.ts": kind(""), "api/v1/gv.ts": call });
    expect(byCall.crds[0]?.spec.versions[0]?.name).toBe("v7");
    const byMarker = await runCrds({
      "api/v1/thing.ts": kind(""),
      "api/v1/x.ts": "// +versionName=v8\n\nexport {};\n",
    });
    expect(byMarker.crds[0]?.spec.versions[0]?.name).toBe("v8");
  });

  it("must have the same group in the marker and in groupVersion(…)", async () => {
    const call =
      'import { groupVersion } from "@kubewright/runtime";\nexport const GroupVersion = groupVersion("other.com", "v1");\n';
    const { places } = await runCrds({ "api/v1/thing.ts": kind(""), "api/v1/gv.ts": call });
    expect(places).toEqual(["api/v1/gv.ts:2:29 error group-version-mismatch"]);
  });

  it("can't contain two types of the same name", async () => {
    const { places } = await runCrds({ "api/v1/a.ts": kind(""), "api/v1/b.ts": kind("") });
    expect(places).toEqual(["api/v1/b.ts:5:1 error duplicate-kind"]);
  });
});

describe("kinds", () => {
  const names = async (files: Record<string, string>) => {
    const { crds, places } = await runCrds(files);
    expect(places).toEqual([]);
    return crds.map((crd) => `${crd.spec.names.kind}/${crd.spec.versions.map((version) => version.name)}`);
  };

  it.each([
    ["include an interface that extends KubernetesObject", "export interface A extends KubernetesObject {}", ["A/v1"]],
    [
      "include an interface that extends it indirectly",
      "interface Base<T> extends KubernetesObject { spec: T }\nexport interface A extends Base<{}> {}",
      ["A/v1"],
    ],
    ["include an intersection", "export type A = KubernetesObject & { spec: {} };", ["A/v1"]],
    [
      "exclude a list",
      "export interface A extends KubernetesObject {}\n// +kubebuilder:object:root=true\nexport type AList = KubernetesList<A>;",
      ["A/v1"],
    ],
    [
      "exclude an alias in the same package",
      "export interface A extends KubernetesObject {}\nexport type B = A;",
      ["A/v1"],
    ],
    ["exclude an alias of KubernetesObject", "export type A = KubernetesObject;", []],
    ["exclude a plain interface", "export interface A { metadata: ObjectMeta }", []],
  ])("%s", async (_, text, expected) => {
    expect(await names({ "api/v1/a.ts": head + text })).toEqual(expected);
  });

  it("include an alias of a kind in another package, with its own markers", async () => {
    const alias =
      '// +groupName=example.com\nimport type { Thing as Old } from "../v1/thing.ts";\n\n// +kubebuilder:storageversion\n/** New. */\nexport type Thing = Old;\n';
    const { crds, places } = await runCrds({ "api/v1/thing.ts": kind("/** Old. */"), "api/v2/thing.ts": alias });
    expect(places).toEqual([]);
    expect(crds[0]?.spec.versions.map((v) => [v.name, v.storage, v.schema.openAPIV3Schema.description])).toEqual([
      ["v1", false, "Old."],
      ["v2", true, "New."],
    ]);
  });

  it("can redeclare metadata to make it required", async () => {
    const { crds } = await runCrds({ "api/v1/thing.ts": kind("", "{ metadata: ObjectMeta }") });
    const schema = crds[0]?.spec.versions[0]?.schema.openAPIV3Schema;
    expect(schema?.required).toEqual(["metadata"]);
    expect(schema?.properties?.metadata).toEqual({ type: "object" });
  });

  it("exclude those in a skipped package", async () => {
    expect(await names({ "api/v1/a.ts": kind(""), "api/v1/b.ts": "// +kubebuilder:skip\n\nexport {};\n" })).toEqual([]);
  });

  it("include no other type: root=true on one is an error", async () => {
    const { places } = await runCrds({
      "api/v1/a.ts": `${head}// +kubebuilder:object:root=true\nexport interface A {}\n`,
    });
    expect(places).toEqual(["api/v1/a.ts:4:4 error not-a-kind"]);
  });

  it("without a group cause an error if they have markers, else a warning", async () => {
    const body = 'import type { KubernetesObject } from "@kubewright/runtime/api";\n';
    const marked = await runCrds({
      "api/v1/a.ts": `${body}\n// +kubebuilder:subresource:status\nexport interface A extends KubernetesObject {}\n`,
    });
    expect(marked.places).toEqual(["api/v1/a.ts:4:1 error missing-group"]);
    const bare = await runCrds({ "api/v1/a.ts": `${body}export interface A extends KubernetesObject {}\n` });
    expect(bare.places).toEqual(["api/v1/a.ts:2:1 warning missing-group"]);
    // The type describes a kind of another project, for which a group would generate a CRD.
    expect(bare.diagnostics[0]?.hint).toContain("or `// +kubebuilder:skip` if the CRD belongs to another project");
    const foreign = await runCrds({
      "src/a.ts": `// +kubebuilder:skip\n\n${body}export interface A extends KubernetesObject {}\n`,
    });
    expect(foreign).toMatchObject({ places: [], crds: [] });
  });

  it("can have an empty group", async () => {
    const { crds } = await runCrds({ "api/v1/a.ts": kind("").replace("=example.com", "=") });
    expect(crds[0]?.metadata.name).toBe("things.");
  });
});

it("maxDescLen shortens all descriptions", async () => {
  const text = kind("/** First. Second sentence. */", "{\n/** A word or two. */\na?: string }");
  const cut = await runCrds({ "api/v1/thing.ts": text }, { maxDescLen: 8 });
  const schema = cut.crds[0]?.spec.versions[0]?.schema.openAPIV3Schema;
  expect(schema?.description).toBe("First.");
  expect(schema?.properties?.a?.description).toBe("A word...");
  const none = await runCrds({ "api/v1/thing.ts": text }, { maxDescLen: 0 });
  expect(JSON.stringify(none.crds)).not.toContain('"description"');
});
