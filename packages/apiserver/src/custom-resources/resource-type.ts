import { createHash } from "node:crypto";
import {
  type CustomResourceVersion,
  coerceCustomResource,
  customResourceWarnings,
  customVersion,
  hasSchema,
  validateCustomResource,
  validateCustomResourceStatus,
  validateCustomResourceUpdate,
} from "@kubewright/cel/crd";
import { cloneJson, equalJson, goJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { applyDefaults, prune } from "@kubewright/cel/schema";
import { decodeMetadata, malformedMetadata } from "@kubewright/cel/validation";
import { schemaOfKind } from "../builtin/models.ts";
import { codecOf } from "../builtin/resources.ts";
import { compareVersions, isConditionTrue } from "../crd/validate-definition.ts";
import {
  type ApiObject,
  type Decoded,
  DecodeError,
  type ResourceType,
  type ServedVersion,
  type Strategy,
  type SubresourceInfo,
} from "../model/resource.ts";
import { invalid, StatusError } from "../model/status.ts";
import { ConvertedStates } from "../registry/converted-states.ts";
import { notAnObject } from "../request/body.ts";
import { customColumns, scaleColumns } from "./columns.ts";

/** A version in the specification of a CustomResourceDefinition. */
interface DefinedVersion extends JsonObject {
  name: string;
  served: boolean;
  storage: boolean;
}

/** Converts objects between versions; receives and returns whole objects. */
export type ConvertCustom = (object: ApiObject, apiVersion: string) => ApiObject | Promise<ApiObject>;

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
/** The objects of a definition that is being deleted can only go. */
const terminatingVerbs = ["delete", "deletecollection", "get", "list", "watch"];
const subresourceVerbs = ["get", "patch", "update"];

/**
 * Creates the resource that a definition describes.
 *
 * @param definition - the CustomResourceDefinition, with accepted names
 * @param convert - converts objects between its versions
 * @param cleanSince - the revision of the definition: objects that are older are decoded when they are read
 * @returns the resource
 */
export function customResourceType(definition: ApiObject, convert: ConvertCustom, cleanSince: number): ResourceType {
  const spec = definition.spec as JsonObject;
  const names = ((definition.status as JsonObject | undefined)?.acceptedNames ?? spec.names) as JsonObject;
  const group = spec.group as string;
  const kind = names.kind as string;
  const versions = (spec.versions as DefinedVersion[]).map((version) => ({
    defined: version,
    model: customVersion(group, kind, spec, version),
  }));
  const storage =
    versions.find(({ defined }) => defined.storage)?.defined.name ?? (versions[0]?.defined.name as string);
  const hash = createHash("sha256").update(`${group}/${storage}/${kind}`).digest().subarray(0, 8).toString("base64");
  const modelOf = (apiVersion: Json | undefined): CustomResourceVersion | undefined =>
    versions.find(({ model }) => `${model.group}/${model.version}` === apiVersion)?.model;
  const served = versions
    .filter(({ defined }) => defined.served)
    .sort((a, b) => compareVersions(a.defined.name, b.defined.name))
    .map(({ defined, model }): [string, ServedVersion] => [
      defined.name,
      servedVersion(
        defined,
        model,
        modelOf,
        hash,
        isConditionTrue(definition, "Terminating"),
        deprecationWarning(spec, defined),
      ),
    ]);
  const models = new Map(
    versions.map(({ defined, model }) => [defined.name, { model, hasStatus: hasStatus(defined) }]),
  );
  return {
    group,
    resource: names.plural as string,
    singular: names.singular as string,
    kind,
    listKind: names.listKind as string,
    shortNames: (names.shortNames ?? []) as string[],
    categories: (names.categories ?? []) as string[],
    namespaced: spec.scope === "Namespaced",
    versions: new Map(served),
    unserved: new Map(
      versions
        .filter(({ defined }) => !defined.served)
        .map(({ defined, model }) => [defined.name, { schema: model.schema }]),
    ),
    storageVersion: storage,
    collection: `${names.plural}.${group}`,
    strategy: customStrategy(models),
    custom: true,
    cleanSince,
    ...(isConvertedByWebhook(spec) ? { converted: new ConvertedStates(served.map(([name]) => name)) } : {}),
    dropsDefaults: models.get(storage)?.model.schema.properties?.status?.default !== undefined,
    decodeStored(object) {
      // Objects from before a change of the storage version are in the version of that time.
      const own = object.apiVersion?.split("/")[1] ?? storage;
      const { model } = (models.get(own) ?? models.get(storage)) as VersionRules;
      coerceCustomResource(model, object, { stored: true });
      applyDefaults(object, model.schema);
      return object;
    },
    prune(object, version) {
      const { model } = models.get(version) as VersionRules;
      if (!model.preserveUnknownFields && hasSchema(model, object)) prune(object, model.schema, true);
    },
    dropUnknown(object, version) {
      coerceCustomResource((models.get(version) as VersionRules).model, object);
      return object;
    },
    convert: (object, version) => {
      const apiVersion = `${group}/${version}`;
      if (object.apiVersion === apiVersion) return object;
      if (modelOf(object.apiVersion) === undefined) {
        const problem = `request to convert CR from an invalid group/version: ${object.apiVersion}`;
        throw new StatusError(500, "", problem);
      }
      return convert(object, apiVersion);
    },
  };
}

/** Returns the warning of a deprecated version: its own, or one that names the newest version to use instead. */
function deprecationWarning(spec: JsonObject, version: DefinedVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (typeof version.deprecationWarning === "string") return version.deprecationWarning;
  const nameOf = (name: string): string => `${spec.group}/${name} ${(spec.names as JsonObject).kind}`;
  const [newest] = (spec.versions as DefinedVersion[])
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(name, version.name) < 0)
    .map(({ name }) => name)
    .sort(compareVersions);
  return `${nameOf(version.name)} is deprecated${newest === undefined ? "" : `; use ${nameOf(newest)}`}`;
}

function isConvertedByWebhook({ conversion }: JsonObject): boolean {
  return isObject(conversion) && conversion.strategy === "Webhook";
}

function hasStatus(version: DefinedVersion): boolean {
  return (version.subresources as JsonObject | undefined)?.status !== undefined;
}

function servedVersion(
  defined: DefinedVersion,
  model: CustomResourceVersion,
  modelOf: (apiVersion: Json | undefined) => CustomResourceVersion | undefined,
  storageVersionHash: string,
  terminating: boolean,
  deprecation: string | undefined,
): ServedVersion {
  const { kind } = model;
  const decode = (value: Json, admitted: boolean): Decoded => {
    if (Array.isArray(value))
      throw new DecodeError(`couldn't get version/kind; json parse error: ${notAnObject(value)}`);
    const object = cloneJson(isObject(value) ? value : {}) as ApiObject;
    if (typeof object.kind !== "string" || object.kind === "") {
      throw new DecodeError(`Object 'Kind' is missing in '${goJson(value)}'`);
    }
    try {
      // Bodies can name another version, which is refused later. A version that doesn't exist has no fields.
      const named = modelOf(object.apiVersion) ?? { ...model, schema: {} };
      const unknown = coerceCustomResource(named, object, { admitted });
      if (hasSchema(named, object)) applyDefaults(object, named.schema);
      if (!isObject(object.metadata)) object.metadata = {};
      return { object, strict: unknown.map((path) => `unknown field ${JSON.stringify(path)}`) };
    } catch (error) {
      throw new DecodeError((error as Error).message);
    }
  };
  const subresources = new Map<string, SubresourceInfo>();
  if (hasStatus(defined)) subresources.set("status", { name: "status", kind, verbs: subresourceVerbs });
  if (model.scale !== undefined) {
    const scale = {
      name: "scale",
      kind: "Scale",
      group: "autoscaling",
      version: "v1",
      verbs: subresourceVerbs,
      codec: codecOf("autoscaling", "v1", "Scale"),
      printer: scaleColumns,
      schema: schemaOfKind("autoscaling", "v1", "Scale"),
    };
    subresources.set("scale", scale);
  }
  const fields = ((defined.selectableFields ?? []) as { jsonPath: string }[]).map(({ jsonPath }) =>
    jsonPath.replace(/^\./, ""),
  );
  return {
    version: defined.name,
    verbs: terminating ? terminatingVerbs : verbs,
    ...(terminating ? { createProblem: "create not allowed while custom resource definition is terminating" } : {}),
    subresources,
    codec: {
      stored(object) {
        object.metadata = decodeMetadata(object.metadata).metadata as ApiObject["metadata"];
        return object;
      },
      complete(object) {
        applyDefaults(object, model.schema);
        return object;
      },
      decode: (value) => decode(value, false),
      decodeAdmitted(value) {
        const { metadata } = isObject(value) ? value : {};
        const error = malformedMetadata(metadata);
        if (error === undefined) return decode(value, true);
        const name = isObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
        throw invalid({ group: model.group, kind }, name, [error]);
      },
    },
    encodings: ["json", "yaml"],
    schema: model.schema,
    printer: customColumns(defined),
    storageVersionHash,
    ...(deprecation === undefined ? {} : { deprecation }),
    fields: Object.fromEntries(fields.map((path) => [path, (object: ApiObject) => fieldText(object, path)])),
    ...(model.scale === undefined ? {} : { scale: model.scale }),
  };
}

function fieldText(object: ApiObject, path: string): string {
  let value: Json | undefined = object;
  for (const part of path.split(".")) value = isObject(value) ? value[part] : undefined;
  return value === undefined || value === null ? "" : String(value);
}

interface VersionRules {
  model: CustomResourceVersion;
  hasStatus: boolean;
}

/** The rules of custom resources, which depend on the version of the request. */
function customStrategy(versions: ReadonlyMap<string, VersionRules>): Strategy {
  const find = ({ apiVersion }: ApiObject): VersionRules | undefined =>
    versions.get((apiVersion ?? "").split("/").at(-1) as string);
  // A patch may have changed the version, which validation refuses.
  const rulesOf = (object: ApiObject, old?: ApiObject): VersionRules =>
    (find(object) ?? (old && find(old)) ?? [...versions.values()][0]) as VersionRules;
  return {
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: false,
    deleteReturns: "status",
    validatesMetadata: true,
    repeatsErrors: true,
    prepareForCreate(object) {
      if (rulesOf(object).hasStatus) delete object.status;
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old, { subresource }) {
      if (subresource === "status") {
        const { status } = object;
        const { managedFields } = object.metadata;
        for (const key of Object.keys(object)) delete object[key];
        Object.assign(object, cloneJson(old));
        if (status === undefined) delete object.status;
        else object.status = status;
        if (managedFields === undefined) delete object.metadata.managedFields;
        else object.metadata.managedFields = managedFields;
        return;
      }
      const { hasStatus: separate } = rulesOf(object, old);
      if (separate) {
        if (old.status === undefined) delete object.status;
        else object.status = cloneJson(old.status);
      }
      if (!equalJson(withoutMetadata(object, separate), withoutMetadata(old, separate))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    validate: (object) => validateCustomResource(rulesOf(object).model, object),
    validateUpdate(object, old, { subresource, warn }) {
      const { model } = rulesOf(object, old);
      return subresource === "status"
        ? validateCustomResourceStatus(model, object, old, warn)
        : validateCustomResourceUpdate(model, object, old, warn);
    },
    warningsOnCreate: (object) => customResourceWarnings(object, undefined),
    warningsOnUpdate: (object, old) => customResourceWarnings(object, old),
  };
}

function withoutMetadata(object: ApiObject, hasStatusToo: boolean): JsonObject {
  const { metadata: _metadata, status, ...rest } = object;
  return hasStatusToo || status === undefined ? rest : { ...rest, status };
}
