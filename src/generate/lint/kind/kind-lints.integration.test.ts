import { describe, expect, it } from "vitest";
import { runCrds } from "../../test-support/project.ts";
import { kindMessages, kindText, lintKind } from "../test-support.ts";

const column = (path: string, type = "string") => `kubebuilder:printcolumn:name=A,type=${type},JSONPath=${path}`;

describe("column-path", () => {
  it.each([
    "`.status.phase`",
    "`.spec.phases`",
    "`.spec.list.name`",
    "`.spec.phase.x`",
    "`.status.conditions[`",
    "`.status.conditions[abc]`",
    "`.status.conditions[0].reason`",
    "`.spec.count[0]`",
    "`.status.conditions.status`",
  ])("is reported for %s", async (path) => {
    expect(await lintKind(column(path))).toEqual([`4:${4 + column("").length + 1} column-path`]);
  });

  it.each([
    "`.spec.phase`",
    ".spec.phase",
    "`.metadata.annotations.example\\.com/x`",
    "`.metadata.whatever`",
    '`.status.conditions[?(@.type=="Ready")].status`',
    '".status.conditions[?(@.type==\\"Ready\\")].status"',
    "`.status.conditions[?(@.type=='Ready')].status`",
    "`.status.conditions[*].type`",
    "`.status.conditions[0].type`",
    "`.status.conditions[-1:].type`",
    "`.status['replicas']`",
    "`.spec.map.anything`",
    "`.spec.labels['example.com/x']`",
    "`.spec.labels.example\\.com/x`",
    "`..phase`",
    "`.status.free.anything`",
    "`.spec.*`",
    "`.kind`",
    "`.`",
  ])("isn't reported for %s", async (path) => {
    expect(await lintKind(column(path))).toEqual([]);
  });

  it("suggests the nearest field", async () => {
    expect(await kindMessages(column(".status.replica"))).toEqual([
      'the column stays empty: .status.replica doesn\'t exist: there is no field "replica" (did you mean `replicas`?)',
    ]);
  });
});

describe("column-type", () => {
  it.each([
    [".spec.phase", "integer"],
    [".spec.phase", "boolean"],
    [".spec.count", "date"],
    [".spec.list", "number"],
    [".spec.on", "integer"],
  ])("is reported for %s as %s", async (path, type) => {
    expect((await lintKind(column(path, type))).map((place) => place.split(" ")[1])).toEqual(["column-type"]);
  });

  it.each([
    [".spec.count", "integer"],
    [".spec.count", "number"],
    [".spec.count", "string"],
    [".spec.list", "string"],
    [".spec.on", "boolean"],
    [".spec.port", "integer"],
    [".status.when", "date"],
    [".metadata.creationTimestamp", "date"],
    [".spec.map.x", "integer,format=int32"],
  ])("isn't reported for %s as %s", async (path, type) => {
    expect(await lintKind(column(path, type))).toEqual([]);
  });
});

describe("bad-column", () => {
  it.each([
    ["`status.replicas`", "string"],
    [".spec.phase", "String"],
    [".spec.phase", "text"],
    [".spec.phase", "string,format=uuid"],
  ])("is reported for %s as %s", async (path, type) => {
    expect((await lintKind(column(path, type))).map((place) => place.split(" ")[1])).toEqual(["bad-column"]);
  });
});

describe("bad-metadata and bad-deprecation-warning", () => {
  it.each([
    ['kubebuilder:metadata:labels="a b=c"', "bad-metadata"],
    ['kubebuilder:metadata:labels="a=c d"', "bad-metadata"],
    ['kubebuilder:metadata:annotations="a b=c"', "bad-metadata"],
    ['kubebuilder:deprecatedversion:warning=""', "bad-deprecation-warning"],
  ])("are reported for %s", async (marker, id) => {
    expect((await lintKind(marker)).map((place) => place.split(" ")[1])).toEqual([id]);
  });
  it("aren't reported for values that the API server accepts", async () => {
    const metadata = 'kubebuilder:metadata:labels="team=a",annotations="example.com/docs=any text"';
    expect(await lintKind(metadata, 'kubebuilder:deprecatedversion:warning="use v2"')).toEqual([]);
  });
});

describe("scale-path and bad-scale-path", () => {
  const scale = (spec: string, status: string, selector?: string) =>
    `kubebuilder:subresource:scale:specpath=${spec},statuspath=${status}${selector ? `,selectorpath=${selector}` : ""}`;

  it.each<[string, string, string?]>([
    [".spec.replicas", ".status.replicas", undefined],
    [".spec.count", ".status.replica", undefined],
    [".spec.phase", ".status.replicas", undefined],
    [".spec.count", ".status.replicas", ".status.labelSelector"],
    [".spec.count", ".status.replicas", ".status.conditions"],
  ])("scale-path is reported for %s %s %s", async (...paths) => {
    expect((await lintKind(scale(...paths))).map((place) => place.split(" ")[1])).toEqual(["scale-path"]);
  });

  it.each<[string, string, string?]>([
    [".status.replicas", ".status.replicas", undefined],
    ["spec.count", ".status.replicas", undefined],
    ['""', ".status.replicas", undefined],
    [".spec.count", ".status.replicas", ".metadata.labels"],
  ])("bad-scale-path is reported for %s %s %s", async (...paths) => {
    expect((await lintKind(scale(...paths))).map((place) => place.split(" ")[1])).toEqual(["bad-scale-path"]);
  });

  it("aren't reported for valid paths", async () => {
    expect(await lintKind(scale(".spec.count", ".status.replicas", ".status.selector"))).toEqual([]);
    expect(await lintKind(scale(".spec.map.x", ".status.free.x"))).toEqual([]);
  });
});

describe("selectable-field", () => {
  it.each([".spec.phases", ".spec.list", ".spec.list[0]", ".metadata.name", "spec.phase", ".spec.map", ".spec.port"])(
    "is reported for %s",
    async (path) => {
      expect(await lintKind(`kubebuilder:selectablefield:JSONPath=${path}`)).toEqual(["4:42 selectable-field"]);
    },
  );

  it.each([".spec.phase", ".spec.count", ".spec.on", ".status.selector"])("isn't reported for %s", async (path) => {
    expect(await lintKind(`kubebuilder:selectablefield:JSONPath=${path}`)).toEqual([]);
  });

  it("is reported for a field that is set twice", async () => {
    const marker = "kubebuilder:selectablefield:JSONPath=.spec.phase";
    expect(await lintKind(marker, marker)).toHaveLength(1);
  });
});

describe("bad-name, bad-scope, bad-group", () => {
  it.each([
    ["path=Things", "bad-name"],
    ["path=my_things", "bad-name"],
    ["singular=Thing", "bad-name"],
    ["shortName=TH", "bad-name"],
    ["shortName=th;1x", "bad-name"],
    ["categories=all;my.cat", "bad-name"],
    ["scope=Clusterwide", "bad-scope"],
    ["scope=cluster", "bad-scope"],
    ["scope=namespaced", "bad-scope"],
  ])("are reported for resource:%s", async (args, id) => {
    const [argument = ""] = args.split("=");
    expect(await lintKind(`kubebuilder:resource:${args}`)).toEqual([`4:${4 + 21 + argument.length + 2} ${id}`]);
  });

  it("have a hint with a valid name", async () => {
    expect((await kindMessages("kubebuilder:resource:path=My_Things"))[0]).toContain("such as my-things");
    expect((await kindMessages("kubebuilder:resource:scope=Clusterwide"))[0]).toContain("use scope=Cluster");
  });

  it("aren't reported for values that the API server accepts", async () => {
    expect(
      await lintKind("kubebuilder:resource:path=things,singular=thing,shortName=th;t2,categories=all,scope=Cluster"),
    ).toEqual([]);
    expect(await lintKind("kubebuilder:resource:scope=Namespaced")).toEqual([]);
  });

  it.each(["apps", "Example.com", "example..com"])("are reported for the group %s", async (group) => {
    const { diagnostics } = await runCrds({ "api/v1/thing.ts": kindText([], "", group) }, { lint: true });
    expect(diagnostics.map(({ id }) => id)).toEqual(["bad-group"]);
  });

  it("are a warning for a reserved group, because kustomize may add the annotation", async () => {
    const reserved = { "api/v1/thing.ts": kindText([], "", "x.k8s.io") };
    const { diagnostics } = await runCrds(reserved, { lint: true });
    expect(diagnostics.map(({ severity, id }) => [severity, id])).toEqual([["warning", "unapproved-group"]]);
    const approval = 'kubebuilder:metadata:annotations="api-approved.kubernetes.io=https://example.com/1"';
    const approved = { "api/v1/thing.ts": kindText([approval], "", "x.k8s.io") };
    expect((await runCrds(approved, { lint: true })).diagnostics).toEqual([]);
  });

  it("are reported for a version that isn't a DNS label", async () => {
    const { diagnostics } = await runCrds({ "api/v1.alpha/thing.ts": kindText([]) }, { lint: true });
    expect(diagnostics.map(({ id }) => id)).toEqual(["bad-name"]);
  });
});

describe("several-storage-versions", () => {
  it("is reported at each marker but the first", async () => {
    const text = kindText(["kubebuilder:storageversion"]);
    const { places } = await runCrds({ "api/v1/thing.ts": text, "api/v2/thing.ts": text }, { lint: true });
    expect(places).toEqual(["api/v2/thing.ts:4:4 error several-storage-versions"]);
  });
  it("isn't reported for one marker", async () => {
    const files = { "api/v1/thing.ts": kindText(["kubebuilder:storageversion"]), "api/v2/thing.ts": kindText([]) };
    expect((await runCrds(files, { lint: true })).places).toEqual([]);
  });
});

describe("crd-too-big", () => {
  const documented = (characters: number) =>
    kindText([]).replace("export interface", `/** ${"a".repeat(characters)} */\nexport interface`);

  it("is reported above the size limit of an annotation", async () => {
    const { places } = await runCrds({ "api/v1/thing.ts": documented(262_144) }, { lint: true });
    expect(places).toEqual(["api/v1/thing.ts:5:1 warning crd-too-big"]);
  });
  it("isn't reported below the limit", async () => {
    expect((await runCrds({ "api/v1/thing.ts": documented(200_000) }, { lint: true })).places).toEqual([]);
  });
});

describe("several versions of a kind", () => {
  const versions = async (v1: string[], v2: string[]) => {
    const files = {
      "api/v1/thing.ts": kindText(["kubebuilder:storageversion", ...v1]),
      "api/v2/thing.ts": kindText(v2),
    };
    return (await runCrds(files, { lint: true })).diagnostics.map(({ file, line, column, id, message }) => {
      return `${file.slice(-11)}:${line}:${column} ${id}: ${message}`;
    });
  };

  it.each([
    ["path=thingies", "path=stuff", "path", '"thingies"', '"stuff"'],
    ["singular=thingy", "singular=stuff", "singular", '"thingy"', '"stuff"'],
    ["scope=Cluster", "path=things", "scope", '"Cluster"', '"Namespaced"'],
    ["shortName=a;b", "shortName=a", "shortName", '"a;b"', '"a"'],
    ["categories=all", "path=things", "categories", '"all"', '""'],
  ])("with different resources are reported: %s and %s", async (v1, v2, argument, own, used) => {
    const marker = "// +kubebuilder:resource:";
    const column = marker.length + v1.indexOf("=") + 2;
    expect(await versions([`kubebuilder:resource:${v1}`], [`kubebuilder:resource:${v2}`])).toEqual([
      `v1/thing.ts:5:${column} different-resource: ${argument} is ${own} here, but ${used} in another version, which is used`,
    ]);
  });

  it.each([
    ["the same markers", ["kubebuilder:resource:path=a,scope=Cluster"], ["kubebuilder:resource:path=a,scope=Cluster"]],
    ["a marker on one of them", ["kubebuilder:resource:path=a,scope=Cluster"], []],
    ["a default in one of them", ["kubebuilder:resource:path=a"], ["kubebuilder:resource:scope=Namespaced"]],
  ])("with %s aren't reported", async (_, v1, v2) => {
    expect(await versions(v1, v2)).toEqual([]);
  });

  it("have a wrong name or label reported only where its marker is", async () => {
    const wrong = ["kubebuilder:resource:singular=A_b", 'kubebuilder:metadata:labels="a b=c"'];
    expect((await versions(wrong, [])).map((each) => each.split(" ").slice(0, 2).join(" "))).toEqual([
      "v1/thing.ts:5:35 bad-name:",
      "v1/thing.ts:6:33 bad-metadata:",
    ]);
  });
});
