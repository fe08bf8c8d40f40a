// Spellings of PROJECT: hand-written ones, and those of other versions of kubebuilder.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bases, definition, directoryBeside, migrate, project, text, widget } from "../test-support/go-project.ts";

const usual = project(widget("v1", "  controller: true\n"));
const version = 'version: "3"';

describe("scaffold migrate reads a PROJECT file", () => {
  it.each([
    ["with the line ends of Windows", usual.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\ufeff${usual}`],
    ["with whitespace at the ends of lines", usual.replaceAll("\n", "  \n")],
    ["with its layout as a text", usual.replace("layout:\n- go.kubebuilder.io/v4", "layout: go.kubebuilder.io/v3")],
    ["with several layouts", usual.replace("v4\n", "v4\n- kustomize.common.kubebuilder.io/v2\n")],
    ["with the layout of version 2", usual.replace("go.kubebuilder.io/v4", "go.kubebuilder.io/v2")],
    ["with a version that is a number", usual.replace(version, "version: 3")],
    ["with the version before kubebuilder 3", usual.replace(version, 'version: "3-alpha"')],
    ["with keys of other tools", `cliVersion: 4.9.0\n${usual}plugins:\n  manifests.sdk.operatorframework.io/v2: {}\n`],
    ["with the domain in the group", usual.replace("group: tools", 'group: "tools.example.org"')],
    ["without a domain", usual.replace("domain: example.org\n", "")],
    [
      "with anchors",
      usual
        .replace("domain: example.org\n", "domain: &d example.org\n")
        .replace("  domain: example.org\n", "  domain: *d\n"),
    ],
    ["with a kind twice", project(widget("v1", "  controller: true\n").repeat(2))],
    ["with a module of a later version", usual.replace("repo: example.org/tools", "repo: example.org/tools/v2")],
    [
      "in one line",
      `{domain: example.org, layout: [go.kubebuilder.io/v4], projectName: tools, repo: example.org/tools, resources: [{api: {crdVersion: v1}, controller: true, domain: example.org, group: tools, kind: Widget, path: example.org/tools/api/v1, version: v1}], version: "3"}\n`,
    ],
  ])("%s", async (_, PROJECT) => {
    const root = directoryBeside({ PROJECT, [bases]: definition });
    expect(await migrate(root)).toMatchObject({ code: 0, stderr: "" });
    expect(text(root, "config/rbac/role.yaml")).not.toContain("object Object");
    for (const file of ["api/v1/widget-types.ts", "src/controller/widget-controller.ts"]) {
      expect(existsSync(join(root, file)), file).toBe(true);
    }
  });

  it("with an invalid value, whose hint is about the Go project", async () => {
    const root = directoryBeside({ PROJECT: usual.replace("projectName: tools", "projectName: My_Tools") });
    expect(await migrate(root)).toMatchObject({
      stderr:
        "error: PROJECT can't be read: projectName \"My_Tools\" isn't a valid DNS label\n  hint: correct it in a copy of the Go project\n",
    });
  });
});
