// Creates kubebuilder's golden projects with kubebuilder, and records what they deploy for the tests here. Needs Go and kubectl:
//   npx tsx conformance/kustomize/record.ts
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { goProject } from "../../scripts/test-support/kubebuilder.ts";
import { build, containersOf, type Json } from "../../scripts/test-support/manifests.ts";
import { baseOf, choices, choose, nameOf } from "./choices.ts";

const testdata = fileURLToPath(new URL("../../testdata/kubebuilder", import.meta.url));

/**
 * Removes the parts that only the plugin deploy-image adds: images, the fields of its kinds, permissions for its objects.
 */
function withoutPlugin(
  objects: Record<string, Json>,
  kinds: readonly string[],
  ownDeployments: boolean,
): Record<string, Json> {
  const copy: Record<string, Json> = structuredClone(objects);
  if (kinds.length === 0) return copy;
  for (const object of Object.values(copy)) {
    if (object.kind === "Deployment") {
      for (const container of containersOf(object)) {
        container.env = container.env?.filter(({ name }) => !/_IMAGE$/.test(name));
        if (container.env?.length === 0) delete container.env;
      }
    }
    if (
      object.kind === "CustomResourceDefinition" &&
      kinds.includes((object.spec as { names: { kind: string } }).names.kind)
    ) {
      object.spec = "of the plugin deploy-image";
    }
    const { rules, metadata } = object as { rules?: { apiGroups?: string[] }[]; metadata: { name: string } };
    if (rules !== undefined && metadata.name.endsWith("-manager-role")) {
      const gone = ["", "events.k8s.io", ...(ownDeployments ? [] : ["apps"])];
      object.rules = rules.filter(({ apiGroups = [] }) => !gone.includes(apiGroups[0] ?? "-"));
    }
  }
  return copy;
}

const projects = JSON.parse(readFileSync(join(testdata, "projects.json"), "utf8"));
for (const { name, calls } of projects) {
  const parent = mkdtempSync(join(tmpdir(), "kubebuilder-golden-"));
  try {
    const root = await goProject(parent, name);
    const base = baseOf(root);
    const kinds = calls
      .filter((call: { plugin?: string }) => call.plugin !== undefined)
      .map((call: { argv: string }) => /--kind (\w+)/.exec(call.argv)?.[1] ?? "");
    const ownDeployments = calls.some((call: { argv: string }) =>
      /create api --group apps .*--kind Deployment/.test(call.argv),
    );
    const results = choices.map((choice) => {
      choose(root, base, choice);
      return { name: nameOf(choice), objects: withoutPlugin(build(root), kinds, ownDeployments) };
    });
    // Few objects depend on the choice, so each form of an object is stored once, and choices refer to forms.
    const objects: Record<string, Json[]> = {};
    const recorded = results.map(({ name: choice, objects: built }) => {
      const forms = Object.entries(built).map(([key, value]) => {
        objects[key] ??= [];
        const index = objects[key].findIndex((form) => isDeepStrictEqual(form, value));
        return [key, index < 0 ? objects[key].push(value) - 1 : index];
      });
      return [choice, Object.fromEntries(forms)];
    });
    const project = parse(readFileSync(join(root, "PROJECT"), "utf8"));
    writeFileSync(
      join(testdata, `${name}.json`),
      `${JSON.stringify({ resources: project.resources, objects, choices: Object.fromEntries(recorded) }, null, 1)}\n`,
    );
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
