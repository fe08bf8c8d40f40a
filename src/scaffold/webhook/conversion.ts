import { versionIdentifier } from "../../project/names.ts";
import {
  apiDirectory,
  conversionFile,
  conversionPatchFile,
  kindFile,
  relativeImport,
  typesFile,
} from "../../project/paths.ts";
import type { Project } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { importStatement, type WantedImport } from "../code/print.ts";
import type { Tree } from "../files/tree.ts";
import { crdKustomization } from "../parts/config-options.ts";
import { exampleSpec, hasSpec } from "../parts/sample.ts";
import { insertAtAnchor, removeInsertion } from "../plan/anchors.ts";
import type { WebhookParts } from "./parts.ts";
import type { WebhookStep } from "./step.ts";

/** Scaffolds the hub, the spokes with round-trip tests, and the CRD's patch. */
export async function scaffoldConversion(step: WebhookStep): Promise<void> {
  const { scaffold, templates, parts, values } = step;
  const { rest, wanted, resource, project } = parts;
  const spokes = wanted.spokes.filter((spoke) => !rest.spokes.includes(spoke));
  const patchFile = conversionPatchFile(resource, project);
  if (rest.conversion) await changeHub(step, spokes);
  else {
    const hub = {
      ...values,
      patchFile,
      spokeList: spokes.map(versionIdentifier).join(", "),
      hubImports: hubImports(parts, spokes),
    };
    for (const { path, content } of templates.render("webhook/hub", hub)) scaffold.file(path, content, "refuse");
  }
  for (const spoke of spokes) scaffoldSpoke(step, spoke);
  const line = `- path: patches/${patchFile}`;
  scaffold.change(
    crdKustomization,
    (text) => insertAtAnchor(text, crdKustomization, { anchor: "crdkustomizewebhookpatch", lines: [line] }),
    (text) => {
      if (rest.conversion) return text;
      // The line is commented out if webhooks are switched off.
      return [line, `#${line}`].reduce((before, each) => removeInsertion(before, [each]) ?? before, text);
    },
  );
}

/** Adds spokes to an existing hub, or removes them. */
async function changeHub({ scaffold, parts }: WebhookStep, spokes: readonly string[]): Promise<void> {
  if (spokes.length === 0) return;
  const editor = await import("../code/editor.ts");
  const file = conversionFile(parts.resource, parts.project);
  const list = { constant: "converter", property: "spokes" };
  const imports = spokes.map((spoke) => spokeImport(parts, spoke));
  const names = spokes.map(versionIdentifier);
  scaffold.change(
    file,
    (text) =>
      editor.editSource(file, text, (source) => {
        editor.addImports(source, imports);
        editor.appendElements(source, file, list, names);
      }),
    (text) =>
      editor.editSource(file, text, (source) => {
        editor.removeElements(source, list, names);
        editor.removeImports(source, imports);
      }),
  );
}

function hubImports(parts: WebhookParts, spokes: readonly string[]): string {
  const { kind, typeName } = parts.resource;
  return [
    importStatement(["type Converter"], "@kubewright/runtime"),
    ...spokes.map((spoke) => spokeImport(parts, spoke)).map(({ names, module }) => importStatement(names, module)),
    importStatement([typeName], `./${kindFile(kind)}-types.ts`),
  ].join("\n");
}

function spokeOf({ resource }: WebhookParts, version: string): Resource {
  return { ...resource, version };
}

function spokeImport(parts: WebhookParts, version: string): WantedImport {
  const from = conversionFile(parts.resource, parts.project);
  const to = conversionFile(spokeOf(parts, version), parts.project);
  return { module: relativeImport(from, to), names: [`spoke as ${versionIdentifier(version)}`] };
}

function scaffoldSpoke({ scaffold, tree, templates, parts, values }: WebhookStep, version: string): void {
  const { project, resource } = parts;
  const spoke = spokeOf(parts, version);
  // The alias of the hub's type must not shadow a kind.
  const hubAlias = resource.typeName === "Hub" ? "HubVersion" : "Hub";
  const files = [resource, spoke].map((each) => typesFile(each, project));
  const rendered = templates.render("webhook/spoke", {
    ...values,
    spokeVersion: version,
    spokePath: apiDirectory(spoke, project).slice("api/".length),
    hubAlias,
    hubModule: relativeImport(conversionFile(spoke, project), typesFile(resource, project)),
    haveSpec: files.every((file) => hasSpec(tree, file, resource.typeName)),
    spokeSpec: specFor(tree, spoke, project),
    hubSpec: specFor(tree, resource, project),
  });
  for (const { path, content } of rendered) scaffold.file(path, content, "refuse");
}

/**
 * Returns a value for a spec: that of the kind's sample, or one for the field of newly scaffolded types. If the author has changed
 * these, it is empty, and the compiler reports the required fields.
 */
function specFor(tree: Tree, resource: Resource, project: Project): string {
  const text = tree.readText(typesFile(resource, project)) ?? "";
  const declaration = new RegExp(`^export interface ${resource.typeName}Spec \\{([^}]*)(?:\\}|(?![\\s\\S]))`, "m");
  const isNew = /^[ \t]*foo\?: string;?[ \t]*$/m.test(declaration.exec(text)?.[1] ?? "");
  return exampleSpec(tree, resource) ?? (isNew ? '{ foo: "bar" }' : "{}");
}
