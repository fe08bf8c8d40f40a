import { listed } from "../text/list.ts";
import { shown } from "../text/shown.ts";
import { entryOf, sameResource, versionsOf } from "./entries.ts";
import { existingVersionProblem } from "./names.ts";
import { webhookFile } from "./paths.ts";
import { webhookPathText } from "./patterns.ts";
import { inputProblem, type Problem, stateProblem } from "./problem.ts";
import { modelOf, type Project, type ProjectResource } from "./project-file.ts";
import type { Resource } from "./resource.ts";
import { type AdmissionType, typesOf, type Webhooks, type WebhookType, webhookPath, webhooksOf } from "./webhooks.ts";

/** The flag of each webhook type. */
const webhookFlags: Readonly<Record<WebhookType, string>> = {
  defaulting: "--defaulting",
  validation: "--programmatic-validation",
  conversion: "--conversion",
};

/** Checks the values and combinations of the webhook flags, independent of the project. */
export function webhookInputProblem(version: string | undefined, wanted: Webhooks): Problem | undefined {
  return (
    pathProblem("--defaulting-path", wanted.defaultingPath, wanted.defaulting, webhookFlags.defaulting) ??
    pathProblem("--validation-path", wanted.validationPath, wanted.validation, webhookFlags.validation) ??
    samePathProblem(wanted) ??
    spokeProblem(version, wanted)
  );
}

/** Checks that at least one webhook type is set. */
export function noTypeProblem(wanted: Webhooks): Problem | undefined {
  if (typesOf(wanted).length > 0) return undefined;
  const flags = Object.values(webhookFlags);
  return inputProblem(
    "no-webhook-type",
    `nothing to create: set at least one of ${listed(flags)}, such as --defaulting`,
  );
}

function pathProblem(flag: string, path: string | undefined, wanted: boolean, needs: string): Problem | undefined {
  if (path === undefined) return undefined;
  if (!wanted) return inputProblem("path-without-type", `${flag} requires ${needs}`);
  if (webhookPathText.test(path)) return undefined;
  return inputProblem(
    "bad-path",
    `${flag} ${shown(path)} isn't a valid path: use "/" followed by letters, digits, "-" and "_", in segments separated by "/", at most 200 characters, such as /check-game`,
  );
}

function samePathProblem({ defaultingPath, validationPath }: Webhooks): Problem | undefined {
  if (defaultingPath === undefined || defaultingPath !== validationPath) return undefined;
  return inputProblem(
    "same-path",
    `--defaulting-path and --validation-path are both ${defaultingPath}: use different paths, such as /default-game and /check-game`,
  );
}

function spokeProblem(version: string | undefined, { spokes, conversion }: Webhooks): Problem | undefined {
  if (spokes.length === 0) return undefined;
  if (!conversion) return inputProblem("spoke-without-conversion", "--spoke requires --conversion");
  const bad = spokes.find((spoke) => existingVersionProblem(spoke) !== undefined);
  if (bad !== undefined) {
    return inputProblem(
      "bad-spoke",
      `--spoke ${shown(bad)} isn't a valid API version: use a version such as v1, v1alpha1 or v1beta1`,
    );
  }
  const twice = spokes.find((spoke, index) => spokes.indexOf(spoke) !== index);
  if (twice !== undefined) return inputProblem("same-spoke", `--spoke lists ${twice} twice`);
  if (version === undefined || !spokes.includes(version)) return undefined;
  return inputProblem(
    "hub-as-spoke",
    `--spoke ${version} can't be used: ${version} is the hub; list only the other versions in --spoke`,
  );
}

/** Checks whether the project's state allows a valid call. */
export function webhookStateProblem(
  project: Project,
  of: Resource,
  wanted: Webhooks,
  force: boolean,
): Problem | undefined {
  return (
    conversionProblem(project, of, wanted) ??
    (force ? undefined : existingProblem(project, of, wanted)) ??
    fileProblem(project, of) ??
    takenPathProblem(project, of, wanted)
  );
}

/** Checks whether a webhook exists already. Adding spokes to an existing conversion is allowed. */
function existingProblem(project: Project, of: Resource, wanted: Webhooks): Problem | undefined {
  const present = webhooksOf(entryOf(project, of));
  const name = `${of.qualifiedGroup === "" ? "" : `${of.qualifiedGroup}/`}${of.version}, Kind=${of.kind}`;
  const exists = (what: string) =>
    stateProblem(
      "webhook-exists",
      `${what} of ${name} already exists; use --force to overwrite its files, including your changes`,
    );
  if (wanted.defaulting && present.defaulting) return exists("the defaulting webhook");
  if (wanted.validation && present.validation) return exists("the validation webhook");
  if (!wanted.conversion || !present.conversion) return undefined;
  const old = wanted.spokes.find((spoke) => present.spokes.includes(spoke));
  if (old !== undefined) return exists(`the conversion between ${old} and ${of.version}`);
  return wanted.spokes.length === 0 ? exists("the conversion webhook") : undefined;
}

/** Checks the versions of a conversion: all must be versions of one of the project's own kinds, with a single hub. */
function conversionProblem(project: Project, of: Resource, wanted: Webhooks): Problem | undefined {
  if (!wanted.conversion) return undefined;
  if (of.origin !== "own") {
    return stateProblem(
      "foreign-conversion",
      `--conversion can't be used for ${of.kind}: it isn't a kind of this project, and only the owner of its CRD can convert it`,
    );
  }
  const versions = versionsOf(project, of);
  const others = versions.map(({ version }) => version).filter((version) => version !== of.version);
  const missing = wanted.spokes.find((spoke) => !others.includes(spoke));
  if (missing !== undefined) {
    const there =
      others.length === 0
        ? `${of.version} is the only version`
        : `${of.kind} has ${[of.version, ...others].join(", ")}`;
    return stateProblem(
      "unknown-spoke",
      `--spoke ${missing} can't be used: ${of.kind} has no version ${missing} (${there})`,
      `create it first: npx scaffold create api --group ${of.group} --version ${missing} --kind ${of.kind} --controller=false`,
    );
  }
  const hub = versions.find((entry) => entry.version !== of.version && entry.webhooks?.conversion === true);
  if (hub === undefined) return undefined;
  return stateProblem(
    "other-hub",
    `${of.version} can't be the hub of ${of.kind}: ${hub.version} already is; add spokes to it with --version ${hub.version} --conversion --spoke …`,
  );
}

/** Kinds of the same name in different groups share a file in the single-group layout. */
function fileProblem(project: Project, of: Resource): Problem | undefined {
  const file = webhookFile(of, project);
  const rival = otherWebhooks(project, of).find(({ model }) => webhookFile(model, project) === file);
  if (rival === undefined) return undefined;
  const group = rival.model.qualifiedGroup || "core";
  return stateProblem(
    "name-collision",
    `${of.kind} can't have webhooks: ${file} contains those of kind ${rival.model.kind} of ${group}/${rival.model.version}`,
    "separate the groups with npx scaffold edit --multigroup",
  );
}

function takenPathProblem(project: Project, of: Resource, wanted: Webhooks): Problem | undefined {
  const own = webhooksOf(entryOf(project, of));
  const taken = new Map<string, string>();
  const note = (model: Resource, webhooks: Webhooks, types: readonly AdmissionType[]) => {
    for (const type of types) {
      if (webhooks[type]) taken.set(webhookPath(type, model, webhooks), `the ${type} webhook of ${model.kind}`);
    }
  };
  for (const { model, entry } of otherWebhooks(project, of)) {
    note(model, webhooksOf(entry), ["defaulting", "validation"]);
  }
  note(
    of,
    own,
    (["defaulting", "validation"] as const).filter((type) => !wanted[type]),
  );
  for (const type of ["defaulting", "validation"] as const) {
    const path = webhookPath(type, of, wanted);
    const holder = wanted[type] ? taken.get(path) : undefined;
    if (holder === undefined) continue;
    const flag = type === "defaulting" ? "--defaulting-path" : "--validation-path";
    return stateProblem(
      "path-taken",
      `${path} can't be the path of the ${type} webhook: ${holder} uses it; choose another with ${flag}`,
    );
  }
  return undefined;
}

function otherWebhooks(project: Project, of: Resource): { entry: ProjectResource; model: Resource }[] {
  return project.resources
    .filter((entry) => entry.webhooks !== undefined && !sameResource(entry, of))
    .map((entry) => ({ entry, model: modelOf(entry) }));
}

/** Whether a webhook's name is unique without the group. Otherwise, the group must be part of it. */
export function nameIsUnique(project: Project, type: AdmissionType, of: Resource): boolean {
  return !otherWebhooks(project, of).some(
    ({ entry, model }) =>
      entry.webhooks?.[type] === true &&
      model.version === of.version &&
      model.kind.toLowerCase() === of.kind.toLowerCase(),
  );
}
