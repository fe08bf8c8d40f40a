// Groups of Kubernetes: the API server accepts their CRDs only with an annotation, which Go projects often add with kustomize.
import { describe, expect, it } from "vitest";
import { definition, directoryBeside, type Files, migrate, project, text } from "../test-support/go-project.ts";

const entry = `- api:\n    crdVersion: v1\n  domain: k8s.io\n  group: tools\n  kind: Widget\n  path: example.org/tools/api/v1\n  plural: widgetry\n  version: v1\n`;
const base = "config/crd/bases/tools.k8s.io_widgetry.yaml";
const crd = definition.replaceAll("tools.example.org", "tools.k8s.io").replace(/^.*api-approved.*\n/m, "");
const key = "api-approved.kubernetes.io";
const marker = 'annotations="api-approved.kubernetes.io=unapproved, testing"';
const patchOfCrd = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: widgetry.tools.k8s.io\n  annotations:\n    ${key}: unapproved, testing\n`;
const operations = `- op: add\n  path: /metadata/annotations/${key}\n  value: unapproved, testing\n`;

async function migrated(files: Files) {
  const root = directoryBeside({ PROJECT: project(entry), [base]: crd, ...files });
  const end = await migrate(root);
  expect(end).toMatchObject({ code: 0 });
  return { types: text(root, "api/v1/widget-types.ts"), notes: end.stderr };
}

describe("the approval of a group of Kubernetes", () => {
  it.each([
    [
      "annotations for all objects",
      `commonAnnotations:\n  ${key}: "unapproved, testing"\n`,
      {},
      "config/crd/kustomization.yaml:2",
    ],
    [
      "a patch file",
      "resources: []\n",
      { "config/crd/patches/approval.yaml": patchOfCrd },
      "config/crd/patches/approval.yaml:6",
    ],
    [
      "operations",
      "resources: []\n",
      { "config/crd/patches/approval.yaml": operations },
      "config/crd/patches/approval.yaml:2",
    ],
    [
      "a patch in the kustomization",
      `patches:\n- target: {kind: CustomResourceDefinition}\n  patch: |-\n    - op: add\n      path: /metadata/annotations/${key}\n      value: "unapproved, testing"\n`,
      {},
      "config/crd/kustomization.yaml:5",
    ],
  ])("is copied from %s of kustomize to a marker, with a note", async (_, kustomization, files, place) => {
    const { types, notes } = await migrated({ "config/crd/kustomization.yaml": kustomization, ...files });
    expect(types).toContain(marker);
    expect(notes).toContain(`${place}: the annotation ${key} is a marker of Widget now`);
  });

  it("is not copied from a patch of another CRD, nor for other groups", async () => {
    const other = patchOfCrd.replace("widgetry.", "others.");
    const { types, notes } = await migrated({ "config/crd/patches/approval.yaml": other });
    expect(types).not.toContain(key);
    expect(notes).toContain(
      `${base}: the API server rejects Widget, because tools.k8s.io is a group of Kubernetes: add +kubebuilder:metadata:annotations="${key}=…" to its type`,
    );
  });

  it("is unchanged in a CRD that has it", async () => {
    const { types, notes } = await migrated({
      [base]: crd.replace(/^ {2}annotations:\n/m, `$&    ${key}: "unapproved, testing"\n`),
    });
    expect(types).toContain("api-approved.kubernetes.io=unapproved, testing");
    expect(notes).not.toContain(key);
  });
});
