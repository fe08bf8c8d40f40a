import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testDirectory } from "../../scaffold/test-support/tree.ts";
import type { Prepare } from "./refusal.ts";
import { runCli } from "./run-cli.ts";

export type Files = Readonly<Record<string, string>>;

export const definition = readFileSync(join(import.meta.dirname, "../../../testdata/from-crd/everything.yaml"), "utf8");
export const goLayout = "layout:\n- go.kubebuilder.io/v4\n";
export const widget = (version: string, more = "") =>
  `- api:\n    crdVersion: v1\n${more}  domain: example.org\n  group: tools\n  kind: Widget\n  path: example.org/tools/api/${version}\n  plural: widgetry\n  version: ${version}\n`;
export const issuer =
  "- controller: true\n  domain: io\n  external: true\n  group: cert-manager\n  kind: Issuer\n  module: github.com/cert-manager/cert-manager@v1.20.2\n  path: github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1\n  version: v1\n";
export const project = (resources = "", layout = goLayout) =>
  `# Theirs.\ndomain: example.org\n${layout}projectName: tools\nrepo: example.org/tools\n${resources === "" ? "" : `resources:\n${resources}`}version: "3"\n`;
export const controller = (...markers: string[]) =>
  `package controller\n\n${markers.map((line) => `${line}\n`).join("")}`;
export const hooks = "  webhooks:\n    defaulting: true\n    webhookVersion: v1\n";
export const widgets = widget("v1alpha1") + widget("v1", "  controller: true\n");
export const main = 'package main\n\nvar options = ctrl.Options{LeaderElectionID: "0a1b2c3d.example.org"}\n';
export const bases = "config/crd/bases/tools.example.org_widgetry.yaml";

/** Creates a project in Go beside an empty directory. Returns the directory. */
export function directoryBeside(files: Files): string {
  const parent = testDirectory();
  goProject(files)(parent);
  mkdirSync(join(parent, "ts"));
  return join(parent, "ts");
}

export function goProject(files: Files): Prepare {
  return (parent) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(parent, "go", path)), { recursive: true });
      writeFileSync(join(parent, "go", path), text);
    }
  };
}

export const migrate = (root: string, ...flags: string[]) =>
  runCli(root, ["migrate", "../go", "--fetch-deps=false", ...flags]);
export const text = (root: string, path: string) => readFileSync(join(root, path), "utf8");
