import { expect, it } from "vitest";
import { kustomizeNames } from "./kustomize-names.ts";

const find = (files: Readonly<Record<string, string>>) =>
  kustomizeNames(
    Object.entries(files).map(([path, text]) => ({ path: `config/${path}`, text: () => text })),
    "config/default",
  );
const manager = {
  "manager/kustomization.yaml": "resources: [manager.yaml]\n",
  "manager/manager.yaml": "kind: Deployment\n",
};

it.each([
  [
    "of the kustomization itself",
    { "default/kustomization.yaml": "namespace: a\nnamePrefix: b-\nresources: [../manager]\n", ...manager },
    { namespace: "a", namePrefix: "b-" },
  ],
  [
    "of a file with another name",
    { "default/kustomization.yml": "namespace: a\nnamePrefix: b-\n" },
    { namespace: "a", namePrefix: "b-" },
  ],
  [
    "of a component",
    {
      "default/kustomization.yaml": "resources: [../manager, ../rbac]\ncomponents: [../common]\n",
      "common/kustomization.yaml": "kind: Component\nnamespace: a\nnamePrefix: b-\n",
      "rbac/kustomization.yaml": "",
      ...manager,
    },
    { namespace: "a", namePrefix: "b-" },
  ],
  [
    "of components and the kustomization, which comes last",
    {
      "default/kustomization.yaml": "namespace: a\nnamePrefix: x-\ncomponents: [../one, ../two/]\n",
      "one/kustomization.yaml": "namespace: one\nnamePrefix: z-\n",
      "two/kustomization.yaml": "namespace: two\nnamePrefix: y-\n",
    },
    { namespace: "a", namePrefix: "x-y-z-" },
  ],
  [
    "of a base with all objects",
    {
      "default/kustomization.yaml": "bases:\n- ../crd\n- ../base\n",
      "crd/kustomization.yaml": "",
      "base/kustomization.yaml": "namespace: a\nnamePrefix: b-\nresources: [manager.yaml, rbac.yaml]\n",
      "base/manager.yaml": "kind: Deployment\n",
    },
    { namespace: "a", namePrefix: "b-" },
  ],
  [
    "of the manager's directory, whose prefix isn't that of the roles",
    {
      "default/kustomization.yaml": "resources: [../manager, ../rbac]\n",
      "rbac/kustomization.yaml": "",
      ...manager,
      "manager/kustomization.yaml": "namespace: a\nnamePrefix: b-\nresources: [manager.yaml]\n",
    },
    { namespace: "a" },
  ],
  [
    "of directories that contain each other",
    { "default/kustomization.yaml": "namespace: a\ncomponents: [.]\n" },
    { namespace: "a" },
  ],
  ["none", { "default/kustomization.yaml": "namePrefix: ''\nresources: [https://example.org/x]\n" }, {}],
  ["unknown without a kustomization", { "manager/manager.yaml": "kind: Deployment\n" }, undefined],
])("the namespace and the prefix are those %s", (_, files, expected) => {
  expect(find(files)).toEqual(expected);
});
