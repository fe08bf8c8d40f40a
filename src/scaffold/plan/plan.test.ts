import { expect, it } from "vitest";
import { applyPlan } from "../files/apply.ts";
import { openTree } from "../files/tree.ts";
import { pristinePath, readPristine, replacePristine } from "../pristine/pristine.ts";
import { snapshot, testDirectory } from "../test-support/tree.ts";
import { PlanBuilder } from "./plan.ts";

const copyOfA = String(
  replacePristine(
    { root: "", read: () => undefined, readText: () => undefined },
    new Map([["a.ts", "one\n"]]),
  ).contents.get(pristinePath),
);
const builder = (root: string, force = false) => new PlanBuilder(openTree(root), { force });

it("reports all files of the user at the paths of new files", () => {
  const plan = builder(testDirectory({ "a.ts": "mine", "b.ts": "mine" }));
  for (const target of plan.both()) target.file("a.ts", "ours", "refuse");
  for (const target of plan.both()) target.file("b.ts", "ours", "refuse");
  expect(() => plan.build()).toThrow("a.ts, b.ts exist already and would be overwritten");
});

it("overwrites these files with force and lists them", () => {
  const plan = builder(testDirectory({ "a.ts": "mine" }), true);
  for (const target of plan.both()) target.file("a.ts", "ours", "refuse");
  const { overwritten, operations } = plan.build();
  expect(overwritten).toEqual(["a.ts"]);
  expect(operations.map(({ op, path }) => `${op} ${path}`)).toEqual([
    "create .kubewright/pristine.txtar",
    "update a.ts",
  ]);
});

it("keeps the user's file without a pristine copy", () => {
  const plan = builder(testDirectory({ "README.md": "mine" }));
  for (const target of plan.both()) target.file("README.md", "ours", "keep");
  expect(plan.build()).toMatchObject({ operations: [], kept: ["README.md"] });
});

it("has no operations for an unchanged file", async () => {
  const root = testDirectory();
  const first = builder(root);
  for (const target of first.both()) target.file("a.ts", "ours", "refuse");
  await applyPlan(first.build());
  const second = builder(root);
  for (const target of second.both()) target.file("a.ts", "ours", "refuse");
  expect(second.build().operations).toEqual([]);
});

it("changes the pristine copy with the file, without the user's changes", async () => {
  const root = testDirectory();
  const first = builder(root);
  for (const target of first.both()) target.file("a.ts", "one\n", "refuse");
  await applyPlan(first.build());
  const edited = testDirectory({ "a.ts": "one\nmine\n" });
  await applyPlan({
    root: edited,
    kept: [],
    overwritten: [],
    operations: [{ op: "create", path: pristinePath, content: copyOfA }],
  });
  const second = builder(edited);
  for (const target of second.both()) target.edit("a.ts", (text) => `${text}two\n`);
  await applyPlan(second.build());
  expect(snapshot(edited)["a.ts"]).toBe("644 one\nmine\ntwo\n");
  expect(readPristine(openTree(edited), "a.ts")).toBe("one\ntwo\n");
});

it("keeps the user's changes out of the pristine copy after several changes of a file", async () => {
  const edited = testDirectory({ "a.ts": "one\nmine\n" });
  await applyPlan({
    root: edited,
    kept: [],
    overwritten: [],
    operations: [{ op: "create", path: pristinePath, content: copyOfA }],
  });
  const plan = builder(edited);
  for (const target of plan.both()) target.edit("a.ts", (text) => `${text}two\n`);
  for (const target of plan.both()) target.edit("a.ts", (text) => `${text}three\n`);
  await applyPlan(plan.build());
  expect(snapshot(edited)["a.ts"]).toBe("644 one\nmine\ntwo\nthree\n");
  expect(readPristine(openTree(edited), "a.ts")).toBe("one\ntwo\nthree\n");
});
