// The samples of a migrated project: tests of the new project create all of them.
import { describe, expect, it } from "vitest";
import {
  bases,
  controller,
  directoryBeside,
  type Files,
  migrate,
  project,
  text,
  widget,
} from "../test-support/go-project.ts";

const crd = (rules: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgetry.tools.example.org
spec:
  group: tools.example.org
  names: {kind: Widget, listKind: WidgetList, plural: widgetry, singular: widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          spec:
            type: object
            required: [zone]
            properties:
              zone: {type: string, maxLength: 30}
              size: {type: integer}
${rules}`;
const impossible = `            x-kubernetes-validations:
            - rule: self.zone.size() == 23 && self.zone.startsWith('eu') && self.zone.endsWith('a')
              message: must be a zone of Europe
`;
const object = (spec: string, name = "mine") =>
  `apiVersion: tools.example.org/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
const sample = "config/samples/tools_v1_widget.yaml";

async function migrated(rules: string, files: Files) {
  const entry = widget("v1", "    namespaced: true\n  controller: true\n");
  const root = directoryBeside({ PROJECT: project(entry), [bases]: crd(rules), ...files });
  const end = await migrate(root);
  expect(end).toMatchObject({ code: 0 });
  return { root, notes: end.stderr };
}

describe("the sample of a migrated kind", () => {
  it("is the Go project's own one, of several in a file and in directories below", async () => {
    const { root, notes } = await migrated("", {
      "config/samples/more/all.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n---\n${object("  # A comment.\n  zone: a\n")}`,
    });
    expect(text(root, sample)).toBe(object("  # A comment.\n  zone: a\n"));
    expect(notes).not.toContain("not taken over: config/samples/more/all.yaml");
  });

  it("has no fields that the CRD doesn't have, each with a note", async () => {
    const { root, notes } = await migrated("", {
      [sample]: object("  # A comment.\n  zone: a\n  gone: 1\n  size: null\n"),
    });
    expect(text(root, sample)).toBe(object("  # A comment.\n  zone: a\n"));
    expect(notes).toContain(`${sample}:8: not copied, because the API server rejects it: .spec.gone unknown field`);
    expect(notes).toContain(
      `${sample}:9: not copied, because the API server rejects it: .spec.size null is not allowed`,
    );
  });

  it("is generated if the Go project's own one is rejected by a rule, with a note", async () => {
    const rule = "            x-kubernetes-validations:\n            - rule: self.zone.startsWith('eu-')\n";
    const { root, notes } = await migrated(rule, { [sample]: object("  zone: us-1\n") });
    expect(text(root, sample)).toContain("\n  zone: eu-example\n");
    expect(notes).toContain(`not taken over: ${sample}:5: the API server rejects it: .spec failed rule: self.zone`);
  });

  it("is an object in another file of the Go project if no valid one can be generated", async () => {
    const { root, notes } = await migrated(impossible, {
      "docs/example.yaml": object("  zone: eu-central-1-frankfurta\n"),
    });
    expect(text(root, sample)).toBe(object("  zone: eu-central-1-frankfurta\n"));
    expect(notes).toContain(`${sample} is from docs/example.yaml: no other sample of Widget is valid`);
  });

  it("is listed with its line, and left out by the test of the role, if none is valid", async () => {
    const { root, notes } = await migrated(impossible, {});
    expect(notes).toContain(
      `${sample}:9: the API server rejects this sample: .spec must be a zone of Europe: correct it, and remove it from test/role.test.ts, which leaves it out`,
    );
    const test = text(root, "test/role.test.ts");
    expect(test).toContain(`const rejectedSamples = [\n  "${sample}"\n];`);
    expect(test).toContain('createObjects(["config/samples"], { except: rejectedSamples })');
    expect(test).toContain(
      `  it.${["to", "do"].join("")}("creates ${sample}, which the API server rejects: .spec must be a zone of Europe");`,
    );
    expect(test.trimEnd().endsWith("});")).toBe(true);
  });

  it("has no namespace that the operator doesn't watch, with a note", async () => {
    const role =
      "// +kubebuilder:rbac:groups=tools.example.org,namespace=tools,resources=widgetry,verbs=get;list;watch";
    const own = object("  zone: a\n").replace("  name: mine\n", "  name: mine\n  # A comment.\n  namespace: other\n");
    const files = { "internal/controller/widget_controller.go": controller(role), [sample]: own };
    const { root, notes } = await migrated("", files);
    expect(text(root, sample)).not.toContain("namespace");
    expect(notes).toContain(`${sample}:6: the namespace other isn't copied, because the operator watches only tools`);
    const watched = await migrated("", { ...files, [sample]: own.replace("namespace: other", "namespace: tools") });
    expect(text(watched.root, sample)).toContain("namespace: tools");
    const everywhere = await migrated("", { [sample]: own });
    expect(text(everywhere.root, sample)).toContain("namespace: other");
  });
});
