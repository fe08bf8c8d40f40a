import type { JsonObject } from "@kubewright/cel/json";
import {
  type FieldError,
  invalidValue,
  isConfigMapKey,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  notSupported,
  required,
} from "@kubewright/cel/validation";
import { fieldsOf, invalidFor, isSet, objectsOf, requiredText, textOf } from "../../fields/fields.ts";
import { withoutParentSteps } from "../paths.ts";
import { allContainers } from "./all-containers.ts";

const variables = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];
const convertible = new Set([
  ...variables,
  "metadata.annotations",
  "metadata.labels",
  "spec.restartPolicy",
  "spec.schedulerName",
  "status.phase",
]);
const resources = ["cpu", "ephemeral-storage", "memory"]
  .flatMap((name) => [`limits.${name}`, `requests.${name}`])
  .sort();
const byteDivisors = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** The fields of a Pod that a volume can contain. */
export const volumeFields: readonly string[] = [
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
];

/** Checks a reference to a field of the Pod. */
export function fieldReferenceErrors(
  reference: JsonObject,
  path: string,
  supported: readonly string[] = variables,
): FieldError[] {
  const [version, field] = [textOf(reference.apiVersion), textOf(reference.fieldPath)];
  if (version === "") return [required(`${path}.apiVersion`, "")];
  if (field === "") return [required(`${path}.fieldPath`, "")];
  const open = field.indexOf("['");
  const isKey = open >= 0 && open + 4 <= field.length && field.endsWith("']");
  const [base, key] = isKey ? [field.slice(0, open), field.slice(open + 2, -2)] : [field, undefined];
  const refuse = (detail: string): FieldError[] => [
    invalidValue(`${path}.fieldPath`, field, `error converting fieldPath: ${detail}`),
  ];
  if (version !== "v1") return refuse(`unsupported pod version: ${version}`);
  if (key !== undefined) {
    if (base === "metadata.annotations") return invalidFor(path, key.toLowerCase(), isQualifiedName(key.toLowerCase()));
    if (base === "metadata.labels") return invalidFor(path, key, isQualifiedName(key));
    return refuse(`field label does not support subscript: ${field}`);
  }
  // Old clients use another name for this field.
  const current = field === "spec.host" ? "spec.nodeName" : field;
  if (!convertible.has(current)) return refuse(`field label not supported: ${field}`);
  return supported.includes(current) ? [] : [notSupported(`${path}.fieldPath`, current, [...supported].sort())];
}

/** Checks a reference to a resource of a container. */
export function resourceReferenceErrors(reference: JsonObject, path: string, isVolume = false): FieldError[] {
  const resource = textOf(reference.resource);
  const errors: FieldError[] = [];
  const isHuge = /^(requests|limits)\.hugepages-/.test(resource);
  if (isVolume && textOf(reference.containerName) === "") errors.push(required(`${path}.containerName`, ""));
  else if (resource === "") errors.push(required(`${path}.resource`, ""));
  else if (!resources.includes(resource) && !isHuge) errors.push(notSupported(`${path}.resource`, resource, resources));
  const divisor = textOf(reference.divisor);
  if (divisor === "" || divisor === "0") return errors;
  const refuse = (values: string, what: string): number =>
    errors.push(
      invalidValue(
        `${path}.divisor`,
        resource,
        `only divisor's values ${values} are supported with the ${what} resource`,
      ),
    );
  if (resource.endsWith(".cpu")) {
    if (divisor !== "1" && divisor !== "1m") refuse("1m and 1", "cpu");
  } else if ((isHuge || resources.includes(resource)) && !byteDivisors.includes(divisor)) {
    const what = resource.endsWith("memory") ? "memory" : isHuge ? "hugepages" : "local ephemeral storage";
    refuse(byteDivisors.join(", "), what);
  }
  return errors;
}

function keyReferenceErrors(reference: JsonObject, path: string): FieldError[] {
  const key = textOf(reference.key);
  const name = textOf(reference.name);
  const errors = invalidFor(`${path}.name`, name, isDNS1123Subdomain(name));
  if (key === "") return [...errors, required(`${path}.key`, "")];
  return [...errors, ...invalidFor(`${path}.key`, key, isConfigMapKey(key))];
}

/** Checks a reference to a variable in a file of a volume. */
function fileReferenceErrors(reference: JsonObject, path: string): FieldError[] {
  const file = textOf(reference.path);
  return [
    ...requiredText(reference.key, `${path}.key`, nameProblems),
    ...requiredText(reference.volumeName, `${path}.volumeName`, isDNS1123Label),
    ...(file === "" ? [required(`${path}.path`, "")] : withoutParentSteps(file, `${path}.path`)),
  ];
}

/** Checks that the files of variables are in volumes that Pods can write to. */
export function fileVolumeErrors(spec: JsonObject, path: string): FieldError[] {
  const volumes = new Map(objectsOf(spec.volumes).map((volume) => [textOf(volume.name), volume]));
  return allContainers(spec, path).flatMap(([at, container]) =>
    objectsOf(container.env).flatMap((variable, index): FieldError[] => {
      const reference = fieldsOf(variable.valueFrom).fileKeyRef;
      if (!isSet(reference)) return [];
      const field = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`;
      const name = textOf(fieldsOf(reference).volumeName);
      const volume = volumes.get(name);
      if (volume === undefined) return [{ type: "FieldValueNotFound", field, value: name, detail: "" }];
      return isSet(volume.emptyDir) ? [] : [invalidValue(field, name, "referenced volume must be of type emptyDir")];
    }),
  );
}

function sourceErrors(variable: JsonObject, path: string): FieldError[] {
  if (!isSet(variable.valueFrom)) return [];
  const source = fieldsOf(variable.valueFrom);
  const errors: FieldError[] = [];
  let count = 0;
  const check = (key: string, errorsOf: (reference: JsonObject, path: string) => FieldError[]): void => {
    if (!isSet(source[key])) return;
    count++;
    errors.push(...errorsOf(fieldsOf(source[key]), `${path}.${key}`));
  };
  check("fieldRef", fieldReferenceErrors);
  check("resourceFieldRef", resourceReferenceErrors);
  check("configMapKeyRef", keyReferenceErrors);
  check("secretKeyRef", keyReferenceErrors);
  check("fileKeyRef", fileReferenceErrors);
  if (count === 0) {
    const detail =
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
    errors.push(invalidValue(path, "", detail));
  } else if (textOf(variable.value) !== "") {
    errors.push(invalidValue(path, "", "may not be specified when `value` is not empty"));
  } else if (count > 1) errors.push(invalidValue(path, "", "may not have more than one field specified at a time"));
  return errors;
}

function nameProblems(name: string): string[] {
  if (/^[ -<>-~]+$/.test(name)) return [];
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/**
 * Checks the environment of a container.
 *
 * @param container - the container
 * @param path - its path
 * @returns the errors
 */
export function environmentErrors(container: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, variable] of objectsOf(container.env).entries()) {
    const at = `${path}.env[${index}]`;
    const name = textOf(variable.name);
    if (name === "") errors.push(required(`${at}.name`, ""));
    else errors.push(...invalidFor(`${at}.name`, name, nameProblems(name)));
    errors.push(...sourceErrors(variable, `${at}.valueFrom`));
  }
  for (const [index, from] of objectsOf(container.envFrom).entries()) {
    const at = `${path}.envFrom[${index}]`;
    const prefix = textOf(from.prefix);
    if (prefix !== "") errors.push(...invalidFor(`${at}.prefix`, prefix, nameProblems(prefix)));
    const references = ["configMapRef", "secretRef"].filter((key) => isSet(from[key]));
    for (const key of references) {
      const name = textOf(fieldsOf(from[key]).name);
      if (name === "") errors.push(required(`${at}.${key}.name`, ""));
      else errors.push(...invalidFor(`${at}.${key}.name`, name, isDNS1123Subdomain(name)));
    }
    if (references.length === 0) {
      // The server leaves out the index.
      errors.push(invalidValue(`${path}.envFrom`, "", "must specify one of: `configMapRef` or `secretRef`"));
    } else if (references.length > 1) {
      errors.push(invalidValue(`${path}.envFrom`, "", "may not have more than one field specified at a time"));
    }
  }
  return errors;
}
