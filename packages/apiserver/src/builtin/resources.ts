import { cloneJson, isObject, type Json } from "@kubewright/cel/json";
import { splitApiVersion } from "@kubewright/cel/validation";
import { dataFile, perVersion } from "../data/data.ts";
import { type KubernetesVersion, newestVersion } from "../data/versions.ts";
import {
  type ApiObject,
  type Decoded,
  DecodeError,
  type ObjectCodec,
  type ResourceType,
  type ServedVersion,
  type StoredForm,
  type SubresourceInfo,
} from "../model/resource.ts";
import { normalize } from "./codec/decode.ts";
import { type GoStruct, structOfKind } from "./codec/go-types.ts";
import { decodeProtobuf, encodeProtobuf } from "./codec/protobuf.ts";
import { storedEvents } from "./codec/stored-events.ts";
import { convertAutoscaler } from "./defaults/autoscaler-versions.ts";
import { defaultsOf } from "./defaults/defaults.ts";
import { disabledFields } from "./disabled-fields.ts";
import { schemaOfKind } from "./models.ts";
import { printerOf } from "./printers.ts";
import { selectableFields } from "./selectable-fields.ts";
import { builtInStrategies } from "./strategies/strategies.ts";

interface RawResource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  group?: string;
  version?: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
}

interface RawGroup {
  name: string;
  versions: { version: string; resources: RawResource[] }[];
}

const groups = dataFile<RawGroup[]>("resources.json");

/** A built-in group: its name and its versions, the preferred one first. */
export interface BuiltInGroup {
  name: string;
  versions: string[];
}

/** Returns the built-in groups in the order of discovery. */
export function builtInGroups(kubernetes: KubernetesVersion = newestVersion): BuiltInGroup[] {
  return groups(kubernetes).map(({ name, versions }) => ({ name, versions: versions.map(({ version }) => version) }));
}

/** The resources whose objects are stored with those of another group, which serves them too. */
const storedWith: Readonly<Record<string, { collection: string; storedForm: StoredForm }>> = {
  "events.k8s.io/events": { collection: "events", storedForm: storedEvents },
};

/** The conversions between versions with different fields. */
const conversions: Readonly<Record<string, ResourceType["convert"]>> = {
  "autoscaling/horizontalpodautoscalers": convertAutoscaler,
};

/** The version of kinds with conversions that the cells of Tables read. */
const printedVersion = "v2";

/** The paths in etcd that aren't the names of the resources, mostly for reasons of history. */
const registryPaths: Readonly<Record<string, string>> = {
  "/endpoints": "services/endpoints",
  "/nodes": "minions",
  "/replicationcontrollers": "controllers",
  "/services": "services/specs",
  "apiextensions.k8s.io/customresourcedefinitions": "apiextensions.k8s.io/customresourcedefinitions",
  "apiregistration.k8s.io/apiservices": "apiregistration.k8s.io/apiservices",
  "networking.k8s.io/ingresses": "ingress",
};

/** Warnings for requests to versions that are on their way out. */
const deprecations: Readonly<Record<string, string>> = {
  "/v1/ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
  "/v1/Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};

const described = perVersion((kubernetes) =>
  groups(kubernetes).flatMap(({ name: group, versions }) => {
    const names = new Set(
      versions.flatMap(({ resources }) => resources.map(({ name }) => name.split("/")[0] as string)),
    );
    return [...names].map((resource) => describeResource(group, resource, versions, kubernetes));
  }),
);

/** Returns all built-in resources of a version, with rules that belong to one server. */
export function builtInResources(kubernetes: KubernetesVersion = newestVersion): ResourceType[] {
  const strategyOf = builtInStrategies();
  return described(kubernetes).map((type) => ({ ...type, strategy: strategyOf(type.group, type.resource) }));
}

function describeResource(
  group: string,
  resource: string,
  versions: RawGroup["versions"],
  kubernetes: KubernetesVersion,
): Omit<ResourceType, "strategy"> {
  const served = new Map<string, ServedVersion>();
  let own: RawResource | undefined;
  for (const { version, resources } of versions) {
    const raw = resources.find(({ name }) => name === resource);
    const subresources = resources.filter(({ name }) => name.startsWith(`${resource}/`));
    if (raw === undefined && subresources.length === 0) continue;
    own ??= raw;
    served.set(
      version,
      servedVersion(
        group,
        version,
        raw ?? (subresources[0] as RawResource),
        raw?.verbs ?? [],
        subresources,
        kubernetes,
      ),
    );
  }
  const raw = own as RawResource;
  const storageVersion = [...served.keys()][0] as string;
  const shared = storedWith[`${group}/${resource}`];
  const registryPath = registryPaths[`${group}/${resource}`];
  return {
    group,
    resource,
    singular: raw.singularName,
    kind: raw.kind,
    listKind: `${raw.kind}List`,
    shortNames: raw.shortNames ?? [],
    categories: raw.categories ?? [],
    namespaced: raw.namespaced,
    versions: served,
    storageVersion,
    collection: group === "" ? resource : `${resource}.${group}`,
    ...(registryPath === undefined ? {} : { registryPath }),
    ...shared,
    custom: false,
    convert:
      conversions[`${group}/${resource}`] ??
      ((object, version) => ({ ...object, apiVersion: group === "" ? version : `${group}/${version}` })),
  };
}

function servedVersion(
  group: string,
  version: string,
  raw: RawResource,
  verbs: readonly string[],
  subresources: readonly RawResource[],
  kubernetes: KubernetesVersion,
): ServedVersion {
  return {
    version,
    verbs,
    subresources: new Map(
      subresources.map((rawResource): [string, SubresourceInfo] => [
        rawResource.name.split("/")[1] as string,
        subresource(rawResource, group, version, raw, kubernetes),
      ]),
    ),
    codec: codecOf(group, version, raw.kind, kubernetes),
    encodings: ["json", "yaml", "protobuf"],
    get schema() {
      return schemaOfKind(group, version, raw.kind, kubernetes);
    },
    printer: printerOf(group, raw.kind, kubernetes, toPrinted(group, version, raw.name)),
    ...(deprecations[`${group}/${version}/${raw.kind}`] === undefined
      ? {}
      : { deprecation: deprecations[`${group}/${version}/${raw.kind}`] as string }),
    ...(raw.storageVersionHash === undefined ? {} : { storageVersionHash: raw.storageVersionHash }),
    fields: selectableFields(group, raw.name.split("/")[0] as string),
  };
}

/** Returns the conversion to the version that the cells of a kind read, if it has versions with different fields. */
function toPrinted(group: string, version: string, resource: string): ((object: ApiObject) => ApiObject) | undefined {
  const convert = conversions[`${group}/${resource}`];
  if (convert === undefined || version === printedVersion) return undefined;
  return (object) => convert(cloneJson(object), printedVersion) as ApiObject;
}

/** Describes a subresource. Discovery names its group and version only if they aren't those of the resource. */
function subresource(
  { name, kind, group, version, verbs }: RawResource,
  ownGroup: string,
  ownVersion: string,
  resource: RawResource,
  kubernetes: KubernetesVersion,
): SubresourceInfo {
  const isForeign = version !== undefined;
  const ofGroup = isForeign ? (group ?? "") : ownGroup;
  const ofVersion = version ?? ownVersion;
  const own = {
    name: name.split("/")[1] as string,
    kind,
    ...(isForeign ? { group: ofGroup, version: ofVersion } : {}),
    verbs,
  };
  if (!isForeign && kind === resource.kind) return own;
  return {
    ...own,
    codec: codecOf(ofGroup, ofVersion, kind, kubernetes),
    printer: printerOf(ofGroup, kind, kubernetes),
    // Spreading this object would read the schema, and with it the file of all models.
    get schema() {
      return schemaOfKind(ofGroup, ofVersion, kind, kubernetes);
    },
  };
}

/**
 * Creates the codec of a built-in kind.
 *
 * @param group - the group
 * @param version - the version
 * @param kind - the kind
 * @param kubernetes - the version of Kubernetes
 * @returns the codec
 */
export function codecOf(
  group: string,
  version: string,
  kind: string,
  kubernetes: KubernetesVersion = newestVersion,
): ObjectCodec {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const defaults = defaultsOf(group, version, kind);
  const dropDisabled = disabledFields(kubernetes, `${group}/${version}/${kind}`);
  const structOf = (): GoStruct => {
    const struct = structOfKind(group, version, kind, kubernetes);
    if (struct === undefined) throw new DecodeError(`no type of kind ${kind} in ${apiVersion}`);
    return struct;
  };
  return {
    fromProtobuf: (bytes) =>
      decodeProtobuf(bytes, (apiVersion, kind) => structOfApiVersion(apiVersion, kind, kubernetes)),
    toProtobuf: (object) =>
      encodeProtobuf(
        structOfApiVersion(String(object.apiVersion), String(object.kind), kubernetes) ?? structOf(),
        object,
      ),
    stored: (object, isChecked = true) => {
      const { object: stored } = normalize(structOf(), object, isChecked ? "stored" : "unchecked");
      return { ...stored, apiVersion, kind } as ApiObject;
    },
    decode(value: Json, converted = false): Decoded {
      const struct = structOf();
      const { object, unknown, emptied } = normalize(struct, value, converted ? "converted" : "decoded");
      const strict = unknown.map(unknownField);
      if (!isObject(object.metadata)) object.metadata = {};
      object.apiVersion = apiVersion;
      object.kind = kind;
      // Defaults create structs, whose required fields must be there as well.
      if (defaults !== undefined) {
        defaults(object as ApiObject);
        dropDisabled?.(object);
        return { object: normalize(struct, object).object as ApiObject, strict, emptied };
      }
      return { object: object as ApiObject, strict, emptied };
    },
  };
}

function unknownField(path: string): string {
  return `unknown field ${JSON.stringify(path)}`;
}

/** Returns the type of a kind; undefined for kinds that aren't built in. */
export function structOfApiVersion(
  apiVersion: string,
  kind: string,
  kubernetes: KubernetesVersion = newestVersion,
): GoStruct | undefined {
  const [group, version] = splitApiVersion(apiVersion);
  return structOfKind(group, version, kind, kubernetes);
}
