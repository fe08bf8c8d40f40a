import { expect, it } from "vitest";
import { withResource } from "./resources.ts";

const text = "namePrefix: a-\nresources:\n#- ../crd\n- ../rbac\n- ../manager\n# Metrics.\n- metrics.yaml\n";

it("adds an entry behind the manager, and removes it again", () => {
  const added = withResource(text, "../policy", true);
  expect(added).toBe(text.replace("- ../manager\n", "- ../manager\n- ../policy\n"));
  expect(withResource(added, "../policy", true)).toBe(added);
  expect(withResource(added, "../policy", false)).toBe(text);
  expect(withResource(text, "../policy", false)).toBe(text);
});

it.each([
  ["resources:\n- x.yaml\n", "resources:\n- ../policy\n- x.yaml\n"],
  ["resources: [x.yaml]\n", "resources: [x.yaml]\n"],
  ["", ""],
])("%j", (before, after) => expect(withResource(before, "../policy", true)).toBe(after));
