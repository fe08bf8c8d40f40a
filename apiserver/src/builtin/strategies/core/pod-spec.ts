import type { JsonObject } from "../../../json/json.ts";
import type { FieldError } from "../../../request/field-error.ts";
import { duplicateValue, invalidValue, notSupported, required } from "../../../request/paths.ts";
import { isDNS1123Label, isValidPortName, isValidPortNumber } from "../../../validation/name-rules.ts";

function objects(value: JsonObject[string]): JsonObject[] {
  return (value ?? []) as JsonObject[];
}

/**
 * Checks the specification of a Pod or of a template.
 *
 * @param spec - the specification
 * @param path - its path
 * @returns the errors
 */
export function podSpecErrors(spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = volumeErrors(spec, path);
  errors.push(...volumes.errors);
  const names = new Set<string>();
  if (objects(spec.containers).length === 0) errors.push(required(`${path}.containers`, ""));
  for (const key of ["containers", "initContainers"]) {
    for (const [index, container] of objects(spec[key]).entries()) {
      errors.push(...containerErrors(container, `${path}.${key}[${index}]`, names, volumes.names));
    }
  }
  const restart = (spec.restartPolicy as string | undefined) ?? "";
  if (restart === "") errors.push(required(`${path}.restartPolicy`, ""));
  else if (!["Always", "Never", "OnFailure"].includes(restart)) {
    errors.push(notSupported(`${path}.restartPolicy`, restart, ["Always", "Never", "OnFailure"]));
  }
  const dns = (spec.dnsPolicy as string | undefined) ?? "";
  const policies = ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"];
  if (dns === "") errors.push(required(`${path}.dnsPolicy`, ""));
  else if (!policies.includes(dns)) errors.push(notSupported(`${path}.dnsPolicy`, dns, policies));
  const grace = spec.terminationGracePeriodSeconds as number | undefined;
  if (grace === undefined) errors.push(required(`${path}.terminationGracePeriodSeconds`, ""));
  const deadline = spec.activeDeadlineSeconds as number | undefined;
  if (deadline !== undefined && (deadline < 1 || deadline > 2 ** 31 - 1)) {
    errors.push(invalidValue(`${path}.activeDeadlineSeconds`, deadline, "must be between 1 and 2147483647, inclusive"));
  }
  return errors;
}

function volumeErrors(spec: JsonObject, path: string): { errors: FieldError[]; names: Set<string> } {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, volume] of objects(spec.volumes).entries()) {
    const at = `${path}.volumes[${index}]`;
    const name = (volume.name as string | undefined) ?? "";
    if (name === "") errors.push(required(`${at}.name`, ""));
    else errors.push(...isDNS1123Label(name).map((problem) => invalidValue(`${at}.name`, name, problem)));
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
  }
  return { errors, names };
}

function containerErrors(
  container: JsonObject,
  path: string,
  names: Set<string>,
  volumes: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = (container.name as string | undefined) ?? "";
  const image = (container.image as string | undefined) ?? "";
  if (name === "") errors.push(required(`${path}.name`, ""));
  else errors.push(...isDNS1123Label(name).map((problem) => invalidValue(`${path}.name`, name, problem)));
  if (name !== "" && names.has(name)) errors.push(duplicateValue(`${path}.name`, name));
  names.add(name);
  if (image === "") errors.push(required(`${path}.image`, ""));
  else if (image !== image.trim()) {
    errors.push(invalidValue(`${path}.image`, image, "must not have leading or trailing whitespace"));
  }
  const pull = (container.imagePullPolicy as string | undefined) ?? "";
  if (pull !== "" && !["Always", "IfNotPresent", "Never"].includes(pull)) {
    errors.push(notSupported(`${path}.imagePullPolicy`, pull, ["Always", "IfNotPresent", "Never"]));
  }
  errors.push(...portErrors(container, path), ...environmentErrors(container, path));
  for (const [index, mount] of objects(container.volumeMounts).entries()) {
    const at = `${path}.volumeMounts[${index}]`;
    const volume = (mount.name as string | undefined) ?? "";
    if (volume === "") errors.push(required(`${at}.name`, ""));
    else if (!volumes.has(volume))
      errors.push({ type: "FieldValueNotFound", field: `${at}.name`, value: volume, detail: "" });
    if (!mount.mountPath) errors.push(required(`${at}.mountPath`, ""));
  }
  return errors;
}

function portErrors(container: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, port] of objects(container.ports).entries()) {
    const at = `${path}.ports[${index}]`;
    const name = (port.name as string | undefined) ?? "";
    if (name !== "") {
      errors.push(...isValidPortName(name).map((problem) => invalidValue(`${at}.name`, name, problem)));
      if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    const number = (port.containerPort as number | undefined) ?? 0;
    if (number === 0) errors.push(required(`${at}.containerPort`, ""));
    else
      errors.push(...isValidPortNumber(number).map((problem) => invalidValue(`${at}.containerPort`, number, problem)));
    const protocol = (port.protocol as string | undefined) ?? "";
    if (!["SCTP", "TCP", "UDP"].includes(protocol)) {
      errors.push(notSupported(`${at}.protocol`, protocol, ["SCTP", "TCP", "UDP"]));
    }
  }
  return errors;
}

function environmentErrors(container: JsonObject, path: string): FieldError[] {
  return objects(container.env).flatMap((variable, index) => {
    const at = `${path}.env[${index}]`;
    const name = (variable.name as string | undefined) ?? "";
    if (name === "") return [required(`${at}.name`, "")];
    return variable.value && variable.valueFrom !== undefined
      ? [invalidValue(`${at}.valueFrom`, "", "may not be specified when `value` is not empty")]
      : [];
  });
}
