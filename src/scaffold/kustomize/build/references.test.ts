import { expect, it } from "vitest";
import { buildKustomization, openSources } from "./build.ts";

it("follows references of configurations by group as kustomize: an empty one means any, and core kinds have none", () => {
  const files: Readonly<Record<string, string>> = {
    "kustomization.yaml": "namePrefix: my-\nresources: [objects.yaml]\nconfigurations: [names.yaml]\n",
    "names.yaml": `nameReference:
- kind: Secret
  fieldSpecs:
  - {group: "", kind: ConfigMap, path: data/any}
  - {group: v1, kind: ConfigMap, path: data/version}
  - {group: apps, kind: ConfigMap, path: data/apps}
`,
    "objects.yaml": `apiVersion: v1
kind: Secret
metadata: {name: s}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {any: s, version: s, apps: s}
`,
  };
  const objects = buildKustomization(
    openSources((path) => files[path]),
    ".",
  );
  expect(objects.map(({ object }) => object.data)).toEqual([undefined, { any: "my-s", version: "s", apps: "s" }]);
});
