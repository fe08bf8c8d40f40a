import { goQuote, type JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegment,
  isValidPortNumber,
  required,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@kubewright/cel/validation";
import { timestamp } from "../../../model/metadata.ts";
import type { ApiObject, Strategy } from "../../../model/resource.ts";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  optionalName,
  requiredText,
  textOf,
} from "../fields/fields.ts";

/** The rules of APIServices, which are named after their version and group. */
export const apiService: Strategy = {
  validatesMetadata: true,
  repeatsErrors: true,
  prepareForCreate(object, { now }) {
    if (isSet(fieldsOf(object.spec).service)) return;
    const message = "Local APIServices are always available";
    const condition = {
      type: "Available",
      status: "True",
      lastTransitionTime: timestamp(now),
      reason: "Local",
      message,
    };
    object.status = { conditions: [condition] };
  },
  validate: serviceErrors,
  validateUpdate: (object, old, { subresource }) => [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...(subresource === "status" ? statusErrors(object) : serviceErrors(object)),
  ],
};

function serviceErrors(object: ApiObject): FieldError[] {
  const spec = fieldsOf(object.spec);
  const [group, version] = [textOf(spec.group), textOf(spec.version)];
  const name = `${version}.${group}`;
  const nameProblems = (given: string): string[] => {
    const problems = isPathSegment(given, false);
    if (problems.length > 0 || given === name) return problems;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(name)}`];
  };
  const isLegacy = group !== "" || version === "v1";
  return [
    ...validateObjectMeta(object.metadata, false, nameProblems),
    ...(isLegacy ? [] : [required("spec.group", "only v1 may have an empty group and it better be legacy kube")]),
    ...optionalName(group, "spec.group", isDNS1123Subdomain),
    ...invalidFor("spec.version", version, isDNS1035Label(version)),
    ...priorityErrors(spec, "groupPriorityMinimum", 20_000),
    ...priorityErrors(spec, "versionPriority", 1000),
    ...(isSet(spec.service) ? remoteErrors(spec) : localErrors(spec)),
  ];
}

function priorityErrors(spec: JsonObject, field: string, limit: number): FieldError[] {
  const priority = numberOf(spec[field]);
  if (priority > 0 && priority <= limit) return [];
  return [invalidValue(`spec.${field}`, priority, `must be positive and less than ${limit}`)];
}

function localErrors({ caBundle, insecureSkipTLSVerify }: JsonObject): FieldError[] {
  const bytes = Buffer.byteLength(textOf(caBundle), "base64");
  const skip = "local APIServices may not have insecureSkipTLSVerify";
  return [
    ...(bytes === 0
      ? []
      : [invalidValue("spec.caBundle", `${bytes} bytes`, "local APIServices may not have a caBundle")]),
    ...(insecureSkipTLSVerify === true ? [invalidValue("spec.insecureSkipTLSVerify", true, skip)] : []),
  ];
}

function remoteErrors({ service, caBundle, insecureSkipTLSVerify }: JsonObject): FieldError[] {
  const { namespace, name, port } = fieldsOf(service);
  const problems = isValidPortNumber(numberOf(port));
  const isInsecure = insecureSkipTLSVerify === true && textOf(caBundle) !== "";
  return [
    ...requiredText(namespace, "spec.service.namespace"),
    ...requiredText(name, "spec.service.name"),
    ...problems.map((problem) => invalidValue("spec.service.port", numberOf(port), `port is not valid: ${problem}`)),
    ...(isInsecure ? [invalidValue("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")] : []),
  ];
}

function statusErrors(object: ApiObject): FieldError[] {
  return objectsOf(fieldsOf(object.status).conditions).flatMap(({ status }, index) =>
    oneOf(status, `status.conditions[${index}].status`, ["True", "False", "Unknown"]),
  );
}
