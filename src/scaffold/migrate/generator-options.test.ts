import { describe, expect, it } from "vitest";
import { parseOptions } from "../../generate/options/index.ts";
import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { migratedOptions } from "./generator-options.ts";

const files = [{ path: "hack/header.txt", text: () => "# Ours.\n" }];
const described = (description: string) =>
  [{ spec: { versions: [{ schema: { openAPIV3Schema: { description } } }] } }] as unknown as CustomResourceDefinition[];
const migrated = (text: string, description = "") =>
  migratedOptions(text, {
    crds: described(description),
    files,
    hasOption: (option) => parseOptions([option]).config !== undefined,
  });

describe("the options of controller-gen in a migrated project", () => {
  it.each([
    "crd",
    "webhook",
    "rbac:roleName=manager-role",
    "crd:crdVersions={v1},generateEmbeddedObjectMeta=true,maxDescLen=0",
  ])("are the same: %s", (text) => {
    expect(migrated(text, "A long description.")).toEqual({ text, files: new Map(), notes: [] });
  });

  it("don't name another file for the role, because kustomize reads role.yaml", () => {
    expect(migrated("rbac:roleName=mine,fileName=roles.yaml")).toMatchObject({
      text: "rbac:roleName=mine",
      notes: [
        'not taken over: the option "rbac:fileName=roles.yaml" of controller-gen: kustomize reads config/rbac/role.yaml',
      ],
    });
  });

  it("leave out those of earlier versions, which today's refuses", () => {
    expect(migrated("crd:trivialVersions=true,maxDescLen=0")).toMatchObject({
      text: "crd:maxDescLen=0",
      notes: [
        'not taken over: the option "crd:trivialVersions=true" of controller-gen: version 0.23 has no such option',
      ],
    });
  });

  it("keep the file of a header, if there is one", () => {
    expect(migrated("crd:headerFile=./hack/header.txt")).toEqual({
      text: "crd:headerFile=./hack/header.txt",
      files: new Map([["hack/header.txt", "# Ours.\n"]]),
      notes: [],
    });
    expect(migrated("webhook:headerFile=none.txt").text).toBe("webhook");
  });

  it("leave out values that only make or a shell can evaluate", () => {
    expect(migrated("crd:year=$(YEAR),maxDescLen=0")).toMatchObject({
      text: "crd:maxDescLen=0",
      notes: ['not taken over: the option "crd:year=$(YEAR)" of controller-gen: add it to the Makefile'],
    });
  });

  it("limit descriptions to the longest one in the CRDs, which are cut already", () => {
    expect(migrated("crd:maxDescLen=10", "It has...").text).toBe("crd:maxDescLen=10");
    expect(migrated("crd:maxDescLen=10", "The thing...")).toMatchObject({
      text: "crd:maxDescLen=12",
      notes: [expect.stringContaining("maxDescLen=12 now")],
    });
  });
});
