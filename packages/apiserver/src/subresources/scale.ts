import { cloneJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import { invalidValue } from "@kubewright/cel/validation";
import { managedFieldsAfterScale, managedFieldsOfScale, type ReplicasPaths } from "../apply/scale.ts";
import type { Answer } from "../model/request.ts";
import type { ApiObject, ServedVersion } from "../model/resource.ts";
import { conflict, internalError, invalid } from "../model/status.ts";
import type { Preconditions, WriteOptions } from "../model/write-options.ts";
import { admissionAttributes, optionsObject } from "../registry/attributes.ts";
import { checkName, ensureNamespace } from "../registry/metadata.ts";
import { patchOf } from "../registry/patch.ts";
import { getEntry, readObject } from "../registry/read.ts";
import { acceptedOf, objectAnswer } from "../registry/respond.ts";
import type { Scope } from "../registry/scope.ts";
import { updateObject } from "../registry/write.ts";
import { decodeBody, readBody } from "../request/body.ts";
import { rejectExport, writeOptions } from "../request/options.ts";

interface Paths {
  spec: readonly string[];
  status: readonly string[];
  /** The selector as text: `none` if the object has none, `specification` if it must be written from that of the specification. */
  selector: readonly string[] | "none" | "specification";
}

const apiVersion = "autoscaling/v1";

function pathsOf({ scale }: ServedVersion): Paths {
  const parts = (path: string): string[] => path.replace(/^\./, "").split(".");
  if (scale === undefined)
    return { spec: ["spec", "replicas"], status: ["status", "replicas"], selector: "specification" };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return {
    spec: parts(specReplicasPath),
    status: parts(statusReplicasPath),
    selector: labelSelectorPath === undefined ? "none" : parts(labelSelectorPath),
  };
}

function read(object: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = object;
  for (const part of path) value = isObject(value) ? value[part] : undefined;
  return value;
}

function write(object: JsonObject, path: readonly string[], value: Json): void {
  let target = object;
  for (const part of path.slice(0, -1)) {
    if (!isObject(target[part])) target[part] = {};
    target = target[part] as JsonObject;
  }
  target[path.at(-1) as string] = value;
}

/** The paths of the replicas in all versions, for the owners of fields. */
function replicasPaths({ type }: Scope): ReplicasPaths {
  return Object.fromEntries(
    [...type.versions.values()].map((version) => {
      const name = type.group === "" ? version.version : `${type.group}/${version.version}`;
      return [name, version.subresources.has("scale") ? pathsOf(version).spec : null];
    }),
  );
}

function scaleOf(scope: Scope, object: ApiObject): ApiObject {
  const paths = pathsOf(scope.version);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const owners = managedFieldsOfScale(object.metadata.managedFields as Json | undefined, replicasPaths(scope));
  const replicas = read(object, paths.spec);
  const selector = selectorOf(object, paths.selector);
  return {
    kind: "Scale",
    apiVersion,
    metadata: {
      name: name as string,
      ...(namespace === undefined ? {} : { namespace }),
      uid: uid as string,
      resourceVersion: resourceVersion as string,
      creationTimestamp: creationTimestamp as string,
      ...(scope.info.verb === "get" || owners === undefined ? {} : { managedFields: owners as JsonObject[] }),
    },
    spec: typeof replicas === "number" && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: (read(object, paths.status) as number | undefined) ?? 0,
      ...(selector === "" ? {} : { selector }),
    },
  };
}

/** Custom resources have a scale only while the field of their replicas exists. */
function checkReplicas({ type, version }: Scope, object: ApiObject): void {
  if (!type.custom || read(object, pathsOf(version).spec) !== undefined) return;
  throw internalError(`the spec replicas field ${JSON.stringify(version.scale?.specReplicasPath)} does not exist`);
}

function selectorOf(object: ApiObject, path: Paths["selector"]): string {
  if (path === "none") return "";
  if (path === "specification") return selectorText(read(object, ["spec", "selector"]));
  const selector = read(object, path);
  return typeof selector === "string" ? selector : "";
}

/** Writes the selector of a workload as text. */
function selectorText(selector: Json | undefined): string {
  if (!isObject(selector)) return "";
  // Replication controllers have a plain map.
  const isPlain = selector.matchLabels === undefined && selector.matchExpressions === undefined;
  const labels = (isPlain ? selector : (selector.matchLabels ?? {})) as Record<string, string>;
  const terms = Object.keys(labels).map((key): [string, string] => [key, `${key}=${labels[key]}`]);
  for (const requirement of (selector.matchExpressions ?? []) as JsonObject[]) {
    const key = String(requirement.key);
    const values = `(${[...((requirement.values ?? []) as string[])].sort().join(",")})`;
    const text: Record<string, string> = {
      In: `${key} in ${values}`,
      NotIn: `${key} notin ${values}`,
      Exists: key,
      DoesNotExist: `!${key}`,
    };
    terms.push([key, text[String(requirement.operator)] ?? key]);
  }
  return terms
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, term]) => term)
    .join(",");
}

/** Answers requests to `scale`. */
export async function scale(scope: Scope): Promise<Answer> {
  const accepted = acceptedOf(scope);
  if (scope.info.verb === "get") {
    rejectExport(scope.info.query);
    const object = await readObject(scope, getEntry(scope));
    checkReplicas(scope, object);
    return objectAnswer(scope, 200, accepted, scaleOf(scope, object));
  }
  const isPatch = scope.info.verb === "patch";
  const patcher = isPatch ? patchOf(scope) : undefined;
  const kind = isPatch ? "PatchOptions" : "UpdateOptions";
  const options = writeOptions(scope.info.query, kind, patcher?.apply);
  const { change, preconditions } = patcher
    ? { change: patcher.prepare(options), preconditions: undefined }
    : replacement(scope, options);
  const shown = optionsObject(scope, "UpdateOptions", options);
  const written = await updateObject(scope, {
    name: scope.info.name,
    options,
    forceCreate: false,
    needsOwners: patcher?.apply === true,
    ...(preconditions === undefined ? {} : { preconditions }),
    change: async (existing) => {
      const object = cloneJson(existing as ApiObject);
      const live = scaleOf(scope, object);
      const wanted = await change(live);
      ensureNamespace(wanted, scope.type, scope.info.namespace);
      checkName(wanted, scope.info.name);
      const attributes = admissionAttributes(scope, "UPDATE", wanted, live, shown, options.dryRun);
      const admitted = (await scope.engine.admission.mutate(attributes)) ?? wanted;
      return applyScale(scope, object, live, admitted);
    },
    validateCreate: async () => {},
    validateUpdate: async (object, old) => {
      // Only mutating admission sees the owners of the replicas.
      const [after, before] = [scaleOf(scope, object), scaleOf(scope, old)];
      delete after.metadata.managedFields;
      delete before.metadata.managedFields;
      const attributes = admissionAttributes(scope, "UPDATE", after, before, shown, options.dryRun);
      await scope.engine.admission.validate(attributes);
    },
  });
  const scale = scaleOf(scope, written.object);
  delete scale.metadata.managedFields;
  return objectAnswer(scope, 200, accepted, scale);
}

interface Replacement {
  change(live: ApiObject | undefined): Promise<ApiObject>;
  preconditions: Preconditions | undefined;
}

function replacement(scope: Scope, options: WriteOptions): Replacement {
  const body = readBody(scope.request, scope.version.encodings);
  const object = decodeBody(scope.expected(), body, options.fieldValidation, (message) => scope.warn(message));
  ensureNamespace(object, scope.type, scope.info.namespace);
  checkName(object, scope.info.name);
  const { uid } = object.metadata;
  return {
    change: (live) => scope.fieldManager().update(live, cloneJson(object), scope.manager(options.fieldManager)),
    preconditions: uid ? { uid } : undefined,
  };
}

/** Transfers a Scale to the object that it scales. */
function applyScale(scope: Scope, object: ApiObject, live: ApiObject, wanted: ApiObject): ApiObject {
  const { metadata } = wanted;
  const { name } = scope.info;
  const replicas = ((wanted.spec ?? {}) as JsonObject).replicas ?? 0;
  const path = scope.version.scale?.specReplicasPath;
  if (path !== undefined && typeof replicas === "number" && replicas < 0) {
    throw invalid(scope.type, name, [invalidValue(path, replicas, "should be a non-negative integer")]);
  }
  if (typeof replicas !== "number" || replicas < 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, name, [
      invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  if (metadata.uid && metadata.uid !== live.metadata.uid && !scope.type.custom) {
    const { group, resource } = scope.groupResource;
    const detail = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: ${live.metadata.uid}`;
    throw conflict({ group, resource: `${resource}/scale` }, name, detail);
  }
  // Custom resources have no unconditional update, but their scale has.
  object.metadata.resourceVersion =
    metadata.resourceVersion || (scope.type.custom ? object.metadata.resourceVersion : "");
  write(object, pathsOf(scope.version).spec, replicas);
  const owners = managedFieldsAfterScale(
    object.metadata.managedFields as Json | undefined,
    metadata.managedFields as Json | undefined,
    scope.apiVersion,
    replicasPaths(scope),
  );
  if (owners === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = owners as JsonObject[];
  return object;
}
