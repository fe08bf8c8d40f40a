import { equalJson, isObject, type Json, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  tooMany,
  validateAnnotations,
  validateLabels,
} from "@kubewright/cel/validation";
import type { ApiObject, Strategy, StrategyContext } from "../../../model/resource.ts";
import { nodeSelectorErrors } from "../core/node/scheduling.ts";
import { otherMetadataErrors } from "../core/volume/volumes.ts";
import {
  declaredImmutable,
  fieldsOf,
  immutableInternal,
  isSet,
  objectsOf,
  oneOf,
  requiredText,
  textOf,
  textsOf,
} from "../fields/fields.ts";
import { claimSpecErrors, dropDisabledClaimFields, requestNameErrors, requestNames } from "./claim-spec.ts";
import { configurationErrors, maximumConfigurations } from "./configurations.ts";
import { bindingErrors } from "./device.ts";
import { deviceIDErrors, deviceStatusErrors, keptDevices, shareErrors } from "./device-status.ts";
import { listErrors, repeatedErrors, repeatedItems } from "./lists.ts";

const maximumConsumers = 256;
const maximumResults = 32;
const adminLabel = "resource.kubernetes.io/admin-access";

function resultsOf(claim: ApiObject): JsonObject[] {
  return objectsOf(fieldsOf(fieldsOf(fieldsOf(claim.status).allocation).devices).results);
}

/** Removes what drivers reported about devices that the claim gives back. */
function dropReleasedDevices(claim: ApiObject, old: ApiObject): void {
  const status = fieldsOf(claim.status);
  const devices = keptDevices(objectsOf(status.devices), resultsOf(claim), resultsOf(old));
  if (devices.length > 0) status.devices = devices;
  else delete status.devices;
}

/** The rules of ResourceClaims, whose specification can't change. */
export const resourceClaim: Strategy = {
  validate: (object, context) => [
    ...adminErrors(fieldsOf(object.spec), object.metadata.namespace ?? "", context),
    ...claimSpecErrors(fieldsOf(object.spec), "spec"),
  ],
  prepareForCreate: (object) => dropDisabledClaimFields(fieldsOf(object.spec)),
  prepareForUpdate(object, old, { subresource }) {
    dropDisabledClaimFields(fieldsOf(object.spec));
    if (subresource !== "status") return;
    for (const result of resultsOf(object)) delete result.skipNodeOperations;
    dropReleasedDevices(object, old);
  },
  validateUpdate: (object, old, context) =>
    context.subresource === "status"
      ? [...adminStatusErrors(object, old, context), ...statusErrors(object, old)]
      : declaredImmutable(object.spec, old.spec, "spec"),
};

/**
 * Checks that only namespaces with a label request access to devices that are in use.
 *
 * @param spec - the specification of a claim
 * @param namespace - its namespace
 * @param context - reads namespaces
 * @returns the error, if there is one
 */
export function adminErrors(spec: JsonObject, namespace: string, context: StrategyContext): FieldError[] {
  const requests = objectsOf(fieldsOf(spec.devices).requests);
  const index = requests.findIndex(({ exactly }) => fieldsOf(exactly).adminAccess === true);
  if (index < 0 || allowsAdmin(namespace, context)) return [];
  return [forbiddenValue(`spec.devices.requests[${index}].adminAccess`, adminDetail)];
}

const adminDetail = `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;

function allowsAdmin(namespace: string, context: StrategyContext): boolean {
  return context.get("", "namespaces", "", namespace)?.metadata.labels?.[adminLabel] === "true";
}

function adminStatusErrors(object: ApiObject, old: ApiObject, context: StrategyContext): FieldError[] {
  const granted = (claim: ApiObject): number => resultsOf(claim).findIndex(({ adminAccess }) => adminAccess === true);
  const index = granted(object);
  if (index < 0 || granted(old) >= 0 || allowsAdmin(object.metadata.namespace ?? "", context)) return [];
  return [forbiddenValue(`status.allocation.devices.results[${index}].adminAccess`, adminDetail)];
}

function statusErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
  const names = requestNames(fieldsOf(object.spec));
  const allocation = isObject(status.allocation) ? status.allocation : undefined;
  return [
    ...consumerErrors(objectsOf(status.reservedFor)),
    ...deviceStatusErrors(
      objectsOf(status.devices),
      "status.devices",
      objectsOf(fieldsOf(allocation?.devices).results),
    ),
    ...reservationErrors(object, old),
    ...(isSet(before.allocation) && allocation !== undefined
      ? keptErrors(allocation, before.allocation, "status.allocation")
      : allocationErrors(allocation, "status.allocation", names)),
  ];
}

/** Checks that a value which is set stays the same. */
function keptErrors(value: JsonObject, old: Json, path: string): FieldError[] {
  return equalJson(value, old) ? [] : [invalidValue(path, null, "field cannot be modified once set")];
}

function consumerErrors(consumers: readonly JsonObject[]): FieldError[] {
  const path = "status.reservedFor";
  if (consumers.length > maximumConsumers) return [tooMany(path, consumers.length, maximumConsumers)];
  const missing = consumers.flatMap((consumer, index) =>
    ["resource", "name", "uid"].flatMap((field) => requiredText(consumer[field], `${path}[${index}].${field}`)),
  );
  return [...missing, ...repeatedItems(consumers, "uid", path)];
}

function reservationErrors(object: ApiObject, old: ApiObject): FieldError[] {
  const [status, before] = [fieldsOf(object.status), fieldsOf(old.status)];
  const consumers = objectsOf(status.reservedFor);
  const path = "status.reservedFor";
  if (consumers.length === 0) return [];
  if (!isSet(status.allocation)) return [forbiddenValue(path, "may not be specified when `allocated` is not set")];
  if (object.metadata.deletionTimestamp === undefined) return [];
  const uids = objectsOf(before.reservedFor).map(({ uid }) => uid);
  if (consumers.every(({ uid }) => uids.includes(uid))) return [];
  const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
  return [forbiddenValue(path, detail)];
}

function allocationErrors(allocation: JsonObject | undefined, path: string, names: ReadonlySet<string>): FieldError[] {
  const devices = fieldsOf(allocation?.devices);
  const results = listErrors(devices.results, `${path}.devices.results`, maximumResults, (result, at) => [
    ...requestNameErrors(textOf(result.request), `${at}.request`, names),
    ...deviceIDErrors(result, at),
    ...bindingErrors(textsOf(result.bindingConditions), textsOf(result.bindingFailureConditions), at),
    ...shareErrors(result.shareID, `${at}.shareID`),
  ]);
  const configurations = listErrors(
    devices.config,
    `${path}.devices.config`,
    2 * maximumConfigurations,
    (config, at) => [
      ...(textOf(config.source) === ""
        ? requiredText("", `${at}.source`)
        : oneOf(config.source, `${at}.source`, ["FromClaim", "FromClass"])),
      ...textsOf(config.requests).flatMap((name, index) => requestNameErrors(name, `${at}.requests[${index}]`, names)),
      ...repeatedErrors(textsOf(config.requests), `${at}.requests`),
      ...configurationErrors(config, at),
    ],
  );
  const selector = allocation?.nodeSelector;
  const selected = isSet(selector) ? nodeSelectorErrors(fieldsOf(selector), `${path}.nodeSelector`) : [];
  return [...results, ...configurations, ...selected];
}

/** The rules of ResourceClaimTemplates, whose specification can't change. */
export const resourceClaimTemplate: Strategy = {
  validate: (object, context) => [
    ...adminErrors(fieldsOf(fieldsOf(object.spec).spec), object.metadata.namespace ?? "", context),
    ...templateErrors(fieldsOf(object.spec)),
  ],
  prepareForCreate: (object) => dropDisabledClaimFields(fieldsOf(fieldsOf(object.spec).spec)),
  prepareForUpdate: (object) => dropDisabledClaimFields(fieldsOf(fieldsOf(object.spec).spec)),
  validateUpdate: (object, old) => [
    ...templateErrors(fieldsOf(object.spec)),
    ...immutableInternal("resource.ResourceClaimTemplateSpec", object.spec, old.spec, "spec"),
  ],
};

function templateErrors(spec: JsonObject): FieldError[] {
  const metadata = fieldsOf(spec.metadata);
  return [
    ...validateAnnotations(metadata.annotations, "spec.metadata.annotations"),
    ...validateLabels(metadata.labels, "spec.metadata.labels"),
    ...otherMetadataErrors(metadata, "spec.metadata"),
    ...claimSpecErrors(fieldsOf(spec.spec), "spec.spec"),
  ];
}
