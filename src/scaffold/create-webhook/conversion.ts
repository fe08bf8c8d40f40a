import {
  apiDirectory,
  conversionFile,
  conversionPatchFile,
  kindFile,
  relativeImport,
  typesFile,
} from "../../project/paths.ts";
import { modelOf, sameResource } from "../../project/project-file.ts";
import type { Resource } from "../../project/resource.ts";
import { insertAtAnchor } from "../anchors.ts";
import { appendElements } from "../code/arrays.ts";
import { applyEdits } from "../code/edits.ts";
import { addImports, importStatement } from "../code/imports.ts";
import { openParser } from "../code/parse.ts";
import { objectHead } from "../code-lines.ts";
import type { PlanBuilder } from "../plan.ts";
import {
  isStorageVersion,
  markStorageVersion,
  storageVersionAdvice,
  unmarkStorageVersion,
} from "../storage-version.ts";
import type { Templates } from "../templates.ts";
import type { CreateWebhookInput } from "./input.ts";

const crdKustomization = "config/crd/kustomization.yaml";

/** The hub, the spokes with a test of the way there and back, the storage version, and the CRD's patch. */
export async function addConversion(
  plan: PlanBuilder,
  templates: Templates,
  input: CreateWebhookInput,
  values: object,
): Promise<void> {
  const { project, resource, all, wanted, force } = input;
  const entry = project.resources.find((candidate) => sameResource(candidate, resource));
  const old = force ? [] : (entry?.webhooks?.spoke ?? []);
  const file = conversionFile(resource, project);
  const hubExists = entry?.webhooks?.conversion === true && !force;
  const fresh = (hubExists ? wanted.spokes : all.spokes).filter((spoke) => !old.includes(spoke));
  const patchFile = conversionPatchFile(resource, project);
  if (hubExists) {
    const parse = await openParser();
    plan.edit(file, (text) => {
      const code = parse(file, text);
      const edits = [
        ...addImports(
          code,
          fresh.map((spoke) => spokeImport(input, spoke)),
        ),
        ...appendElements(code, { constant: "converter", property: "spokes" }, fresh),
      ];
      return applyEdits(text, edits);
    });
  } else {
    const hub = {
      ...values,
      patchFile,
      spokeList: all.spokes.join(", "),
      hubImports: [
        importStatement(["type Converter"], "@kubewright/runtime"),
        ...all.spokes
          .map((spoke) => spokeImport(input, spoke))
          .map(({ names, module }) => importStatement(names, module)),
        importStatement([resource.kind], `./${kindFile(resource.kind)}-types.ts`),
      ].join("\n"),
    };
    for (const { path, content } of templates.render("webhook/hub", hub)) plan.file(path, content, "refuse");
  }
  for (const spoke of fresh) addSpoke(plan, templates, input, values, spoke);
  storeHub(plan, input);
  plan.edit(crdKustomization, (text) =>
    insertAtAnchor(text, crdKustomization, {
      anchor: "crdkustomizewebhookpatch",
      lines: [`- path: patches/${patchFile}`],
    }),
  );
}

function spokeOf({ resource }: CreateWebhookInput, version: string): Resource {
  return { ...resource, version };
}

function spokeImport(input: CreateWebhookInput, version: string) {
  const from = conversionFile(input.resource, input.project);
  const to = conversionFile(spokeOf(input, version), input.project);
  return { module: relativeImport(from, to), names: [`spoke as ${version}`] };
}

function addSpoke(
  plan: PlanBuilder,
  templates: Templates,
  input: CreateWebhookInput,
  values: object,
  version: string,
): void {
  const { project, resource } = input;
  const spoke = spokeOf(input, version);
  // No kind may be hidden by the name that its hub's type gets here.
  const hubAlias = resource.kind === "Hub" ? "HubVersion" : "Hub";
  const rendered = templates.render("webhook/spoke", {
    ...values,
    spokeVersion: version,
    spokePath: apiDirectory(spoke, project).slice("api/".length),
    hubAlias,
    hubModule: relativeImport(conversionFile(spoke, project), typesFile(resource, project)),
    spokeHead: objectHead("spoke", "SpokeConverter", [hubAlias, resource.kind]),
    spokeSpec: exampleSpec(plan, typesFile(spoke, project), resource.kind),
    hubSpec: exampleSpec(plan, typesFile(resource, project), resource.kind),
  });
  for (const { path, content } of rendered) plan.file(path, content, "refuse");
}

/** A value for the field that new types have; what the user has made of them is the user's to fill in. */
function exampleSpec(plan: PlanBuilder, file: string, kind: string): string {
  const spec = new RegExp(`^export interface ${kind}Spec \\{([^}]*)\\}`, "m").exec(plan.text(file) ?? "")?.[1] ?? "";
  return /^\s*foo\?: string;$/m.test(spec) ? '{ foo: "bar" }' : "{}";
}

/** The hub is what is stored. Where another version was it before, the user is told: it may hold objects. */
function storeHub(plan: PlanBuilder, { project, resource }: CreateWebhookInput): void {
  const versions = project.resources
    .filter((entry) => entry.api !== undefined && sameResource({ ...entry, version: resource.version }, resource))
    .map(modelOf);
  const hub = typesFile(resource, project);
  for (const other of versions.filter(({ version }) => version !== resource.version)) {
    const file = typesFile(other, project);
    if (!isStorageVersion(plan.text(file) ?? "")) continue;
    plan.editIfPossible(
      file,
      unmarkStorageVersion,
      `${resource.version} is the stored version of ${resource.kind} now: take "+kubebuilder:storageversion" out of ${file}`,
    );
    plan.note(
      `${resource.kind} is stored as ${resource.version} from now on, no longer as ${other.version}: objects that are in a cluster already must be written once more after the change`,
    );
  }
  if (isStorageVersion(plan.text(hub) ?? "")) return;
  plan.editIfPossible(hub, (text) => markStorageVersion(text, resource.kind), storageVersionAdvice(hub, resource.kind));
}
