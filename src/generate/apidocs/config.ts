import { resolve } from "node:path";
import { isObject } from "../../kubernetes/json.ts";
import { GoPatterns } from "../../regex/go-patterns.ts";
import { readValues } from "../../yaml/values.ts";
import type { ApiDocsOptions } from "../options/index.ts";
import type { Run } from "../run/run.ts";
import { coreTypesVersion } from "../schema/core-types.ts";

/** A type of another package that is documented at an address. */
export interface KnownType {
  readonly name: string;
  readonly package: string;
  readonly link: string;
}

/** The configuration of the API reference. */
export interface ApiDocsConfig {
  /** Whether a type is omitted, by its directory and name, such as `api/v1.Game`. */
  readonly ignoresType: (name: string) => boolean;
  /** The same for a field, such as `api/v1.Game.status`. */
  readonly ignoresField: (name: string) => boolean;
  /** The same for a group and version, such as `example.com/v1`. */
  readonly ignoresGroupVersion: (name: string) => boolean;
  /** The minor version whose API reference is linked. */
  readonly kubernetesVersion: string;
  readonly knownTypes: readonly KnownType[];
}

const defaultFile = "docs/api/config.yaml";
const lists = ["ignoreTypes", "ignoreFields", "ignoreGroupVersions"] as const;

/** Keys of crd-ref-docs without an effect here, with the reason. */
const unneeded: Readonly<Record<string, string>> = {
  "processor.maxDepth": "nested types have no limit",
  "processor.useRawDocstring": "paragraphs, lists and code of comments are always kept",
  "processor.customMarkers": "all fields and rules are listed without templates",
};

/**
 * Reads the configuration. Problems are reported.
 *
 * @returns undefined if the file isn't valid
 */
export function readConfig(run: Run, options: ApiDocsOptions): ApiDocsConfig | undefined {
  const { files, request, report } = run;
  const path = options.config === "" ? defaultFile : options.config;
  const file = resolve(request.cwd, path);
  let isValid = true;
  const at = { file, line: 0, column: 0 };
  const fail = (message: string) => {
    isValid = false;
    report({ id: "bad-apidocs-config", severity: "error", message, ...at });
  };
  const ignored = (key: string) => {
    const hint = unneeded[key] ? `remove it: ${unneeded[key]}` : undefined;
    report({ id: "unknown-apidocs-key", severity: "warning", message: `the key ${key} has no effect`, ...at, hint });
  };
  if (!files.isFile(file)) {
    if (options.config !== "") fail(`the file ${path} of apidocs:config= doesn't exist`);
    return isValid ? configOf({}, "", fail) : undefined;
  }
  const text = files.read(file);
  const read = documentIn(text, fail);
  if (read === undefined) return undefined;
  for (const key of Object.keys(read)) if (key !== "processor" && key !== "render") ignored(key);
  const processor = objectAt(read, "processor", fail);
  const render = objectAt(read, "render", fail);
  for (const key of Object.keys(processor)) if (!lists.some((name) => name === key)) ignored(`processor.${key}`);
  for (const key of Object.keys(render)) {
    if (key !== "kubernetesVersion" && key !== "knownTypes") ignored(`render.${key}`);
  }
  const config = configOf({ ...processor, ...render }, text, fail);
  return isValid ? config : undefined;
}

type Fail = (message: string) => void;
type Values = Readonly<Record<string, unknown>>;

function documentIn(text: string, fail: Fail): Values | undefined {
  try {
    const [value, ...more] = readValues(text);
    if (more.length > 0) fail("the file must have one document");
    else if (value === undefined || isObject(value)) return value ?? {};
    else fail("the file must contain the keys processor and render");
  } catch (error) {
    fail((error as Error).message);
  }
  return undefined;
}

function objectAt(values: Values, key: string, fail: Fail): Values {
  const value = values[key] ?? {};
  if (isObject(value)) return value;
  fail(`${key} must be an object`);
  return {};
}

function configOf(values: Values, text: string, fail: Fail): ApiDocsConfig {
  const patterns = new GoPatterns();
  const [types, fields, groupVersions] = lists.map((key) => {
    const list = textsAt(values, key, fail);
    for (const pattern of list) {
      const problem = patterns.problem(pattern);
      if (problem !== undefined)
        fail(`${key}: ${JSON.stringify(pattern)} isn't a valid regular expression: ${problem}`);
    }
    return (name: string) => list.some((pattern) => patterns.test(pattern, name) === true);
  });
  return {
    ignoresType: types!,
    ignoresField: fields!,
    ignoresGroupVersion: groupVersions!,
    kubernetesVersion: versionIn(values.kubernetesVersion, text, fail),
    knownTypes: knownTypesIn(values.knownTypes ?? [], fail),
  };
}

function textsAt(values: Values, key: string, fail: Fail): readonly string[] {
  const value = values[key] ?? [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  fail(`${key} must be a list of regular expressions`);
  return [];
}

/** Returns the minor version. YAML reads `1.30` as the number 1.3, so the text decides. */
function versionIn(value: unknown, text: string, fail: Fail): string {
  const version = value ?? coreTypesVersion;
  const written = typeof version === "number" ? /\bkubernetesVersion["']?:[ \t]*([\d.]+)/.exec(text)?.[1] : undefined;
  const [, minor] = /^v?(\d+\.\d+)(?:\.\d+)?$/.exec(written ?? String(version)) ?? [];
  if (minor === undefined) fail(`kubernetesVersion must be a version such as "1.37", not ${JSON.stringify(version)}`);
  return minor ?? "";
}

function knownTypesIn(value: unknown, fail: Fail): readonly KnownType[] {
  const isKnownType = (each: unknown) =>
    isObject(each) && ["name", "package", "link"].every((key) => typeof each[key] === "string");
  if (!Array.isArray(value) || !value.every(isKnownType)) {
    fail("knownTypes must be a list of objects with the texts name, package and link");
    return [];
  }
  const types = value as readonly KnownType[];
  // Other schemes, such as javascript:, would run code in the page.
  const wrong = types.find(({ link }) => !/^(?:https?:\/\/|\.{0,2}\/|#)[^\s<>"]*$/.test(link));
  if (wrong)
    fail(`knownTypes: the link of ${wrong.name} must begin with https://, / or #: ${JSON.stringify(wrong.link)}`);
  return types;
}
