import { describe, expect, it } from "vitest";
import { withOptions, withResource } from "./change-project.ts";
import { collisionProblem } from "./collisions.ts";
import { modelOf, newProjectText, type Project, readProject } from "./project-file.ts";
import { resource } from "./resource.ts";

const base = {
  domain: "example.com",
  projectName: "shop",
  repo: "@acme/shop",
  cliVersion: "1.2.3",
  multigroup: false,
  namespaced: false,
};

function project(text = newProjectText(base)): Project {
  const read = readProject(text);
  if ("message" in read) throw new Error(read.message);
  return read;
}
const game = (more: Partial<Parameters<typeof resource>[0]> = {}) =>
  resource({ group: "shop", domain: "example.com", version: "v1", kind: "Game", namespaced: true, ...more });
const both = { api: true, controller: true };

it("writes kubebuilder's keys in alphabetical order", () => {
  const keys = project()
    .text.split("\n")
    .filter((line) => /^\w/.test(line))
    .map((line) => line.split(":")[0]);
  expect(keys).toEqual(["cliVersion", "domain", "layout", "projectName", "repo", "version"]);
  expect(project()).toMatchObject({
    domain: "example.com",
    projectName: "shop",
    repo: "@acme/shop",
    multigroup: false,
  });
});

it("records a resource as kubebuilder does", () => {
  expect(withResource(project(), game(), both)).toContain(`resources:
- api:
    crdVersion: v1
    namespaced: true
  controller: true
  domain: example.com
  group: shop
  kind: Game
  path: "@acme/shop/api/v1"
  version: v1
version: "3"
`);
});

it("records a plural that differs from kubebuilder's, and reads a missing plural as kubebuilder does", () => {
  const example = game({ kind: "ExampleA" });
  expect(example.plural).toBe("exampleas");
  const text = withResource(project(), example, both);
  expect(text).toContain("  plural: exampleas\n");
  const plurals = (written: string) => project(written).resources.map((entry) => modelOf(entry).plural);
  expect(plurals(text)).toEqual(["exampleas"]);
  expect(plurals(text.replace("  plural: exampleas\n", ""))).toEqual(["examplea"]);
});

it("adds new keys to an entry, and keeps unknown ones", () => {
  const first = withResource(project(), game(), { ...both, controller: false });
  const own = first.replace("  kind: Game", "  kind: Game # mine\n  other: 1");
  const second = withResource(project(own), game(), both);
  expect(second).toContain("    namespaced: true\n  controller: true\n  domain: example.com");
  expect(second).toContain("  kind: Game # mine\n  other: 1\n");
  expect(withResource(project(second), game(), both)).toBe(second);
});

it("keeps all entries", () => {
  let text = newProjectText(base);
  for (const kind of ["A", "B", "C"]) text = withResource(project(text), game({ kind }), both);
  expect(project(text).resources.map(({ kind }) => kind)).toEqual(["A", "B", "C"]);
});

it("keeps comments and unknown keys", () => {
  const text = `# top\nplugins: # why\n  x/v1: {a: 1}\n${newProjectText(base)}# end\n`;
  const changed = withResource(project(text), game(), both);
  for (const part of ["# top", "plugins:", "# why", "x/v1: {", "# end"]) expect(changed).toContain(part);
});

it.each([
  ["", "it is empty"],
  ["null", "it must be a map"],
  ["a: *x", "Unresolved alias"],
  ["a: 1", "version is missing"],
  ["version: 3", "layout is missing"],
  ["- a", "it must be a map"],
  ["a: [", "PROJECT can't be read"],
  [newProjectText(base).replace('"3"', '"2"'), 'version "2" isn\'t supported'],
  [newProjectText(base).replace("ts.kubewright.io/v1", "go.kubebuilder.io/v4"), "created by another tool"],
  [newProjectText(base).replace("projectName: shop\n", ""), "projectName is missing"],
  [newProjectText(base).replace("projectName: shop", "projectName: ../shop"), "isn't a valid DNS label"],
  [newProjectText(base).replace("example.com", "'x y'"), "isn't a valid DNS name"],
  [newProjectText(base).replace("example.com", "[a]"), "isn't a valid DNS name"],
  [`multigroup: yes please\n${newProjectText(base)}`, "must be true or false"],
  [
    `${newProjectText({ ...base, webhookCerts: "self" })}`.replace("Certs: self", "Certs: vault"),
    "webhookCerts must be one of self",
  ],
  [`${newProjectText(base)}resources: 5\n`, "resources must be a list"],
  [`${newProjectText(base)}resources:\n- 5\n`, "resources[0] isn't a map"],
  [`${newProjectText(base)}resources:\n- kind: A\n`, "resources[0] needs a version"],
  [
    `${newProjectText(base)}resources:\n- kind: A\n  version: v1\n  group: 7\n`,
    'resources[0].group "7" isn\'t a valid group',
  ],
])("rejects the PROJECT file %j", (text, message) => {
  expect(readProject(text)).toMatchObject({ kind: "state", message: expect.stringContaining(message) });
});

it("records the source of webhook certificates with the layout, if the user chose it", () => {
  expect(project()).toMatchObject({ webhookCerts: "cert-manager", choseWebhookCerts: false });
  expect(withOptions(project(), { helm: false }).text).toBe(newProjectText(base));
  const self = withOptions(project(), { webhookCerts: "self" });
  expect(self.text).toBe(newProjectText({ ...base, webhookCerts: "self" }));
  expect(project(self.text)).toMatchObject({ webhookCerts: "self", choseWebhookCerts: true });
  const back = withOptions(project(self.text), { webhookCerts: "cert-manager" });
  expect(back.text).toBe(newProjectText({ ...base, webhookCerts: "cert-manager" }));
  expect(project(back.text)).toMatchObject({ webhookCerts: "cert-manager", choseWebhookCerts: true });
});

it("keeps the other sections of plugins", () => {
  const text = `${newProjectText(base)}plugins:\n  x/v1: { a: 1 } # why\n  ts.kubewright.io/v1:\n    diagnostics:\n      a: off\n`;
  const self = withOptions(project(text), { webhookCerts: "self" });
  expect(self.text).toContain("  x/v1: { a: 1 } # why\n");
  expect(self.text).toContain("    diagnostics:\n      a: off\n    webhookCerts: self\n");
  expect(withOptions(self, { webhookCerts: "cert-manager" }).text).toBe(
    self.text.replace("Certs: self", "Certs: cert-manager"),
  );
});

it("keeps other tools' keys of a kind's API, and updates its scope", () => {
  const recorded = withResource(project(), game(), both);
  const theirs = recorded.replace("    namespaced: true\n", "    namespaced: true\n    ssa: true\n");
  expect(theirs).not.toBe(recorded);
  expect(withResource(project(theirs), game(), both)).toBe(theirs);
  const cluster = withResource(project(theirs), game({ namespaced: false }), both);
  expect(cluster).toBe(theirs.replace("    namespaced: true\n", ""));
});

describe("collisionProblem", () => {
  const existing = (...added: Parameters<typeof game>[0][]) =>
    project(added.reduce((text, more) => withResource(project(text), game(more), both), newProjectText(base)));
  const wanted = { api: true, controller: true, force: false };

  it.each([
    ["the same kind", {}, "api-exists"],
    ["a second group in a single-group project", { group: "other", kind: "Other" }, "second-group"],
    ["a name that differs in case", { kind: "GAME", plural: "others" }, "name-collision"],
    ["a kind with the name of another kind's type", { kind: "GameSpec" }, "name-collision"],
    ["a kind with the name of another kind's list", { kind: "GameList" }, "name-collision"],
    ["a plural that another kind uses", { kind: "Chess", plural: "games" }, "plural-taken"],
    ["another plural for another version", { version: "v2", plural: "gamez" }, "plural-differs"],
    ["another scope for another version", { version: "v2", namespaced: false }, "scope-differs"],
    ["a second controller for another version", { version: "v2" }, "controller-exists"],
  ])("rejects %s", (_, more, id) => {
    expect(collisionProblem(existing({}), game(more), wanted)).toMatchObject({ id, kind: "state" });
  });

  it("accepts another version, another kind, and with force the same kind", () => {
    const has = existing({});
    expect(collisionProblem(has, game({ version: "v2" }), { ...wanted, controller: false })).toBeUndefined();
    expect(collisionProblem(has, game({ kind: "Chess" }), wanted)).toBeUndefined();
    expect(collisionProblem(has, game(), { ...wanted, force: true })).toBeUndefined();
  });

  it("rejects a second controller of the same kind", () => {
    expect(collisionProblem(existing({}), game(), { ...wanted, api: false })).toMatchObject({
      id: "controller-exists",
    });
  });
});
