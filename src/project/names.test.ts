import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { typeName } from "../kubernetes/type-name.ts";
import { shown } from "../text/shown.ts";
import { controllerNameProblem } from "./controllers.ts";
import { isKind, kindProblem } from "./kind-names.ts";
import {
  domainProblem,
  groupProblem,
  metricsServiceName,
  ownerProblem,
  pluralProblem,
  projectNameProblem,
  testClusterName,
  versionProblem,
} from "./names.ts";
import { packageIdentity, repoProblem } from "./repo.ts";

const long = "x".repeat(300);
/** Values that aren't valid for any kind of name. */
const hostile = [
  "a b",
  "a\nb",
  "a\tb",
  "a;b",
  "$(x)",
  "`x`",
  "../a",
  "a/b",
  "a\\b",
  "{{x}}",
  "é",
  "ａ",
  "a\u0000b",
  "\u001b[31m",
  "a'b",
  'a"b',
  "a\u202eb",
];

const group = (value: string) => groupProblem(value, "example.com");

describe.each([
  [
    "domain",
    domainProblem,
    ["example.com", "a", "my.domain", "1a.b-c"],
    ["", ".", "a.", ".a", "-a", "a-", "A.com", "a_b", "a..b", `${"x".repeat(64)}.com`, long],
  ],
  [
    "group",
    group,
    ["shop", "sea-creatures", "foo.policy", ""],
    [
      "Shop",
      "-a",
      "a-",
      "a_b",
      "a..b",
      "x".repeat(64),
      long,
      "vendor",
      "testdata",
      "dist",
      "coverage",
      "aux",
      "com1.x",
    ],
  ],
  [
    "version",
    versionProblem,
    ["v1", "v2", "v1alpha1", "v1beta12", "v10"],
    ["", "1", "v", "V1", "v0", "v1.2", "v1-a", "v1alpha", "v1gamma1", "v01", "__internal", "1-a"],
  ],
  [
    "kind",
    kindProblem,
    [
      "Game",
      "A",
      "VirtualMachine",
      "K8sThing",
      "Class",
      "Type",
      "Pod",
      "AllowList",
      "Object",
      "Event",
      "Client",
      "List",
    ],
    ["", "game", "My-Kind", "My_Kind", "1Game", "X".repeat(64), long],
  ],
  ["plural", pluralProblem, ["games", "a", "game-sets"], ["", "Games", "1games", "-a", "a-", "a.b", "x".repeat(64)]],
  [
    "project name",
    projectNameProblem,
    ["mygame", "my-game", "a", "1a", "x".repeat(44)],
    ["", "MyGame", "my.game", "-a", "a-", "a_b", "123", "x".repeat(45), long],
  ],
  [
    "controller name",
    controllerNameProblem,
    ["game", "game-backup"],
    ["", "Game", "1game", "a-", "a.b", "x".repeat(64)],
  ],
  [
    "repo",
    repoProblem,
    [
      "mygame",
      "@acme/my-game",
      "github.com/acme/op",
      "github.com/acme/op/v2",
      "qingwave.github.io/mygame",
      "github.com/Acme/Op",
    ],
    [
      "",
      "@acme",
      "a/b",
      "UPPER",
      "github.com/",
      "github.com//x",
      "github.com/../x",
      ".a",
      "_a",
      "node_modules",
      "kubewright",
      "typescript",
      "x".repeat(215),
    ],
  ],
] as const)("%s", (_, problem, good, bad) => {
  it.each(good)("accepts %j", (value) => expect(problem(value)).toBeUndefined());

  it.each([...bad, ...hostile])("rejects %j in one line with an example", (value) => {
    const result = problem(value);
    expect(result).toMatchObject({ kind: "input" });
    for (const moving of ["\n", "\r", "\u001b", "\u0000", "\u202e"]) expect(result?.message).not.toContain(moving);
    expect(result?.message).toMatch(/such as/);
    expect(result?.message.length).toBeLessThan(300);
  });
});

describe("typeName", () => {
  it("returns another name for every global of JavaScript", () => {
    const globals: string[] = runInNewContext("Object.getOwnPropertyNames(globalThis)");
    expect(globals.filter((name) => /^[A-Z]/.test(name) && typeName(name) === name)).toEqual([]);
  });

  it.each([
    ["Game", "Game"],
    ["Object", "ObjectKind"],
    ["ObjectKind", "ObjectKindKind"],
    ["ObjectKindKind", "ObjectKindKindKind"],
    ["GameKind", "GameKind"],
    ["Kind", "Kind"],
    ["Condition", "ConditionKind"],
    ["postgresql", "PostgresqlKind"],
    ["my-Kind", "MyKindKind"],
    ["class", "ClassKind"],
  ])("of the kind %s is %s", (kind, name) => expect(typeName(kind)).toBe(name));
});

it.each([
  ["Game", true],
  ["postgresql", true],
  ["my-kind", true],
  ["My_Kind", false],
  ["1Game", false],
  ["-a", false],
  ["a/b", false],
  ["", false],
])("isKind returns for %j whether the API server accepts it", (kind, isValid) => expect(isKind(kind)).toBe(isValid));

it("groupProblem requires a group or a domain", () => {
  expect(groupProblem("", "")).toMatchObject({ id: "missing-group" });
  expect(groupProblem("apps", "")).toBeUndefined();
});

it("groupProblem rejects a group that is too long together with its domain", () => {
  expect(
    groupProblem("a".repeat(60), `${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.${"e".repeat(60)}`),
  ).toMatchObject({ id: "bad-group" });
});

it.each(["Acme Inc.", 'The "A" & B Ltd', "Çelik"])("ownerProblem accepts the owner %s", (owner) =>
  expect(ownerProblem(owner)).toBeUndefined(),
);

it.each(["", " ", "a\nb", "*/ evil();", "\u0007"])("ownerProblem rejects the owner %j", (owner) =>
  expect(ownerProblem(owner)).toMatchObject({ id: "bad-owner" }),
);

it("shown escapes control characters and shortens long values", () => {
  expect(shown("\u001b[2J\u202e\u009b")).toBe('"\\u001b[2J\\u202e\\u009b"');
  expect(shown(long)).toHaveLength(62);
});

it.each([
  ["mygame", { name: "mygame", fromModulePath: false }],
  ["github.com/acme/op", { name: "op", repository: "https://github.com/acme/op", fromModulePath: true }],
  ["github.com/acme/op/v2", { name: "op", repository: "https://github.com/acme/op", fromModulePath: true }],
  ["github.com/acme/Op", { name: "op", repository: "https://github.com/acme/Op", fromModulePath: true }],
])("packageIdentity reads the package of --repo %s", (repo, identity) =>
  expect(packageIdentity(repo)).toEqual(identity),
);

describe("a long project name", () => {
  it("is rejected with its length and with the longest name that contains it", () => {
    expect(projectNameProblem("x".repeat(45))?.message).toContain("too long with 45 characters");
    expect(projectNameProblem("x".repeat(45))?.message).toContain("<name>-controller-manager");
  });

  it("has a shorter name for the metrics Service if kubebuilder's name is too long", () => {
    expect(metricsServiceName("x".repeat(28))).toBe("controller-manager-metrics-service");
    expect(metricsServiceName("x".repeat(29))).toBe("metrics-service");
  });

  it("is shortened in the test cluster's name, to fit the host name of the node", () => {
    expect(testClusterName("mygame")).toBe("mygame-test-e2e");
    const name = testClusterName(`${"x".repeat(39)}-${"y".repeat(7)}`);
    expect(name).toBe(`${"x".repeat(39)}-test-e2e`);
    expect(`${name}-control-plane`.length).toBeLessThanOrEqual(63);
  });
});
