import { shown } from "../text/shown.ts";
import { isKind } from "./kind-names.ts";
import { existingVersionProblem, isLabel, isSubdomain, pluralProblem } from "./names.ts";
import { externalTypesPath } from "./paths.ts";
import { modulePath, packageSpec, recordedPath, webhookPathText } from "./patterns.ts";

type Values = Readonly<Record<string, unknown>>;
type Rule = (value: unknown) => boolean;

const text =
  (rule: (value: string) => boolean): Rule =>
  (value) =>
    typeof value === "string" && rule(value);
const flag: Rule = (value) => typeof value === "boolean";
const map: Rule = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const version = text((value) => existingVersionProblem(value) === undefined);
const subdomain = text((value) => value === "" || isSubdomain(value));

/** The rules for the keys of a resource, whose values become code and names of files and objects. */
const rules: Readonly<Record<string, readonly [rule: Rule, what: string]>> = {
  version: [version, "API version"],
  kind: [text(isKind), "kind"],
  group: [subdomain, "group"],
  domain: [subdomain, "domain"],
  plural: [text((value) => pluralProblem(value) === undefined), "resource name"],
  path: [text((value) => recordedPath.test(value)), "path"],
  module: [text((value) => packageSpec.test(value)), "npm package"],
  controller: [flag, "flag"],
  core: [flag, "flag"],
  external: [flag, "flag"],
  api: [map, "map of keys"],
  webhooks: [map, "map of keys"],
};

const webhookRules: typeof rules = {
  defaulting: [flag, "flag"],
  validation: [flag, "flag"],
  conversion: [flag, "flag"],
  defaultingPath: [text((value) => webhookPathText.test(value)), "path"],
  validationPath: [text((value) => webhookPathText.test(value)), "path"],
  spoke: [(value) => Array.isArray(value) && value.every(version), "list of API versions"],
};

/**
 * Describes the problem with an entry of `resources` in PROJECT, to be appended to the entry's path.
 *
 * @param repo the key `repo` of PROJECT
 */
export function wrongResource(entry: unknown, repo: string): string | undefined {
  if (!map(entry)) return " isn't a map of keys";
  const values = entry as Values;
  for (const key of ["version", "kind"]) if (values[key] === undefined) return ` needs a ${key}`;
  const wrong =
    wrongValue(values, rules) ??
    (values.webhooks === undefined ? undefined : wrongValue(values.webhooks as Values, webhookRules, ".webhooks"));
  if (wrong !== undefined) return wrong;
  const { group, version, path, external } = values as {
    group?: string;
    version: string;
    path?: string;
    external?: true;
  };
  const isModule =
    path === undefined ||
    [true, false].some((foreign) => path === externalTypesPath(repo, { group, version }, foreign)) ||
    modulePath.test(path);
  if (external === true && !isModule) {
    return `.path ${shown(path)} isn't a module of an npm package`;
  }
  return wrongControllers(values.controllers);
}

function wrongValue(values: Values, allowed: typeof rules, at = ""): string | undefined {
  for (const [key, [rule, what]] of Object.entries(allowed)) {
    const value = values[key];
    if (value !== undefined && !rule(value)) return `${at}.${key} ${shownValue(value)} isn't a valid ${what}`;
  }
  return undefined;
}

function wrongControllers(controllers: unknown): string | undefined {
  if (controllers === undefined) return undefined;
  const isNamed: Rule = (each) =>
    map(each) && isLabel((each as Values).name) && /^[a-z]/.test((each as Values).name as string);
  return Array.isArray(controllers) && controllers.every(isNamed)
    ? undefined
    : ".controllers isn't a list of valid names";
}

function shownValue(value: unknown): string {
  return typeof value === "string" ? shown(value) : shown(JSON.stringify(value) ?? "nothing");
}
