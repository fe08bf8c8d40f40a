import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seededNumbers } from "../../../scripts/test-support/random.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import { collectMarkers, markerRegistry } from "../markers/index.ts";
import { toYaml } from "../output/yaml.ts";
import { generateRoles, type RoleDocument } from "./roles.ts";

const rule = (args: string) => `+kubebuilder:rbac:${args}`;

function roles(...packages: string[][]) {
  return rolesNamed("manager-role", ...packages);
}

function rolesNamed(
  roleName: string,
  ...packages: string[][]
): { documents: readonly RoleDocument[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const collected = packages.map((lines) =>
    collectMarkers(
      lines.map((text, index) => ({ text, file: "/rbac.ts", line: index + 1, column: 4 })),
      "package",
      markerRegistry,
      report,
    ),
  );
  return { documents: generateRoles(collected, roleName, report), diagnostics };
}

function text(documents: readonly RoleDocument[]): string {
  return documents
    .map((document) => {
      const result = toYaml(document);
      return "text" in result ? `---\n${result.text}` : result.problem;
    })
    .join("");
}

const rows = readFileSync(new URL("../../../testdata/rbac/merge.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { name: string; markers: string[]; yaml: string });

test.each(rows)("the roles equal those of controller-gen: $name", ({ markers, yaml }) => {
  expect(text(roles(markers).documents)).toBe(yaml);
});

test("the roles don't depend on the order of markers and packages", () => {
  for (const { markers, yaml } of rows.filter((row) => !row.name.includes("without groups"))) {
    expect(text(roles(markers.toReversed()).documents)).toBe(yaml);
    expect(text(roles(...markers.map((marker) => [marker])).documents)).toBe(yaml);
  }
});

test("an empty role name is omitted, as in controller-gen", () => {
  const { documents } = rolesNamed("", [
    rule("groups=apps,resources=deployments,verbs=get"),
    rule('groups=apps,resources=pods,verbs=get,roleName=""'),
    rule("groups=apps,resources=pods,verbs=get,namespace=ns"),
    rule("groups=apps,resources=jobs,verbs=get,roleName=x"),
  ]);
  expect(documents.map(({ kind, metadata }) => [kind, metadata])).toEqual([
    ["ClusterRole", {}],
    ["ClusterRole", { name: "x" }],
    ["Role", { namespace: "ns" }],
  ]);
  expect(text(documents)).toContain("kind: ClusterRole\nmetadata: {}\nrules:\n");
});

test("no document is created without markers", () => {
  expect(roles([]).documents).toEqual([]);
});

test("merged rules keep both verbs if they cover the same objects as another rule", () => {
  const { documents } = roles([
    rule("groups=apps;batch,resources=jobs,verbs=get"),
    rule("groups=apps,resources=jobs,verbs=list"),
    rule("groups=batch,resources=jobs,verbs=list"),
  ]);
  expect(documents[0]!.rules).toEqual([{ apiGroups: ["apps", "batch"], resources: ["jobs"], verbs: ["get", "list"] }]);
});

test("the core group is kept if a rule without groups comes first", () => {
  const { documents } = roles([rule("resources=jobs,verbs=list"), rule("groups=core,resources=jobs,verbs=get")]);
  expect(documents[0]!.rules).toEqual([{ apiGroups: [""], resources: ["jobs"], verbs: ["get", "list"] }]);
});

test("rules that the API server rejects are errors", () => {
  const { diagnostics } = roles([rule("resources=jobs,verbs=list"), rule("groups=apps,resources=jobs,verbs={}")]);
  expect(diagnostics).toMatchObject([
    { id: "rbac-without-group", severity: "error", line: 1, column: 4 },
    { id: "rbac-without-verb", severity: "error", line: 2, column: 4 },
  ]);
});

test.each([
  ["urls=/metrics,verbs=get,namespace=a", ["rbac-urls"]],
  ["groups=apps,resources=jobs,urls=/metrics,verbs=get", ["rbac-urls"]],
  ["groups=apps,verbs=get", ["rbac-without-resource"]],
  ["urls=/metrics,verbs=get", []],
])("the rule %s has the errors %j", (args, ids) => {
  expect(roles([rule(args)]).diagnostics.map(({ id }) => id)).toEqual(ids);
});

test.each([
  ['groups=apps,resources=jobs,verbs="get;list"', "verbs=", 'invalid verb "get;list"', "`verbs=get;list`"],
  ['groups=apps,resources=jobs,verbs="[get]"', "verbs=", 'invalid verb "[get]"', "`verbs=get`"],
  ["groups=apps,resources=jobs,verbs=get list", "verbs=", 'invalid verb "get list"', "`verbs=get;list`"],
  ["groups=apps,resources=jobs,verbs=GET", "verbs=", 'invalid verb "GET"', "`get`"],
  ["groups=apps,resources=Jobs,verbs=get", "resources=", 'invalid resource "Jobs"', "`jobs`"],
  ["groups=apps/v1,resources=jobs,verbs=get", "groups=", 'invalid group "apps/v1"', "`apps`"],
  ["urls=metrics,verbs=get", "urls=", 'invalid URL "metrics"', "`/metrics`"],
])("a value that matches no request is a warning at the argument: %s", (args, argument, message, hint) => {
  const { diagnostics } = roles([rule(args)]);
  const column = 4 + "+kubebuilder:rbac:".length + args.indexOf(argument) + argument.length;
  expect(diagnostics).toEqual([
    {
      id: "rbac-value",
      severity: "warning",
      message,
      file: expect.any(String),
      line: 1,
      column,
      hint: expect.any(String),
    },
  ]);
  expect(diagnostics[0]!.hint).toContain(hint);
});

test.each([
  "groups=*,resources=*,verbs=*",
  'groups="",resources=pods/log;*/scale,verbs=get;use-it',
  "groups=core,resources=pods/*,resourceNames=A b,verbs=get",
  "urls=*;/metrics;/apis/*,verbs=get",
])("wildcards, subresources and custom verbs have no warning: %s", (args) => {
  expect(roles([rule(args)]).diagnostics).toEqual([]);
});

/** Returns the permissions of rules, one text per group, resource (or URL) and verb. */
function permissions(rules: readonly { groups: string[]; resources: string[]; urls: string[]; verbs: string[] }[]) {
  const all = new Set<string>();
  for (const { groups, resources, urls, verbs } of rules) {
    for (const verb of verbs.includes("*") ? ["*"] : verbs) {
      for (const group of groups) for (const resource of resources) all.add(`${group} ${resource} ${verb}`);
      for (const url of urls) all.add(`${url} ${verb}`);
    }
  }
  for (const permission of all) {
    const [, objects] = /^(.*) \S+$/.exec(permission)!;
    if (!permission.endsWith(" *") && all.has(`${objects} *`)) all.delete(permission);
  }
  return [...all].sort();
}

test("merging neither removes nor adds permissions, for random rules", () => {
  const random = seededNumbers(20_231);
  const some = (values: string[]) => [
    ...new Set(Array.from({ length: 1 + random(2) }, () => values[random(values.length)]!)),
  ];
  for (let round = 0; round < 400; round++) {
    const rules = Array.from({ length: 2 + random(8) }, () => ({
      groups: some(["apps", "batch"]),
      resources: some(["jobs", "pods"]),
      urls: random(3) === 0 ? some(["/a", "/b"]) : [],
      verbs: some(["get", "list", "*"]),
    }));
    const lines = rules.map(({ groups, resources, urls, verbs }) => {
      const urlArgument = urls.length > 0 ? `,urls=${urls.join(";")}` : "";
      return rule(`groups=${groups.join(";")},resources=${resources.join(";")}${urlArgument},verbs=${verbs.join(";")}`);
    });
    const merged = roles(lines).documents[0]!.rules.map((policyRule) => ({
      groups: [...(policyRule.apiGroups ?? [])],
      resources: [...(policyRule.resources ?? [])],
      urls: [...(policyRule.nonResourceURLs ?? [])],
      verbs: [...(policyRule.verbs ?? [])],
    }));
    expect(permissions(merged), lines.join("\n")).toEqual(permissions(rules));
  }
});
