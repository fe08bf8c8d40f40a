import type { Json, JsonObject } from "@kubewright/cel/json";
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isValidPortName,
  isValidPortNumber,
  required,
} from "@kubewright/cel/validation";
import {
  fieldsOf,
  invalidFor,
  isSet,
  numberOf,
  objectsOf,
  oneOf,
  optionalOneOf,
  requiredText,
  textOf,
} from "../../fields/fields.ts";
import { localPathErrors } from "../paths.ts";
import { environmentErrors } from "./environment.ts";
import { lifecycleErrors } from "./handlers.ts";
import { resourceErrors } from "./resources.ts";
import { restartErrors } from "./restart-rules.ts";
import { containerSecurityErrors } from "./security-context.ts";

/** The parts of a Pod that all its containers refer to. */
export interface PodParts {
  /** The valid volumes by name. */
  volumes: ReadonlyMap<string, JsonObject>;
  /** The names of resource claims. */
  claims: readonly string[];
  spec: JsonObject;
}

const never = "may not be set for init containers without restartPolicy=Always";

function portErrors(container: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, port] of objectsOf(container.ports).entries()) {
    const at = `${path}.ports[${index}]`;
    const name = textOf(port.name);
    const problems = name === "" ? [] : isValidPortName(name);
    errors.push(...invalidFor(`${at}.name`, name, problems));
    if (name !== "" && problems.length === 0) {
      if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
      names.add(name);
    }
    const [number, host] = [numberOf(port.containerPort), numberOf(port.hostPort)];
    if (number === 0) errors.push(required(`${at}.containerPort`, ""));
    else errors.push(...invalidFor(`${at}.containerPort`, number, isValidPortNumber(number)));
    if (host !== 0) errors.push(...invalidFor(`${at}.hostPort`, host, isValidPortNumber(host)));
    if (textOf(port.protocol) === "") errors.push(required(`${at}.protocol`, ""));
    else errors.push(...oneOf(port.protocol, `${at}.protocol`, ["SCTP", "TCP", "UDP"]));
  }
  return errors;
}

function mountErrors(container: JsonObject, path: string, volumes: ReadonlyMap<string, JsonObject>): FieldError[] {
  const errors: FieldError[] = [];
  const mounted = new Set<string>();
  const list = `${path}.volumeMounts`;
  const devices = objectsOf(container.volumeDevices);
  for (const [index, mount] of objectsOf(container.volumeMounts).entries()) {
    const at = `${list}[${index}]`;
    const [name, to] = [textOf(mount.name), textOf(mount.mountPath)];
    if (name === "") errors.push(required(`${at}.name`, ""));
    if (!volumes.has(name)) errors.push({ type: "FieldValueNotFound", field: `${at}.name`, value: name, detail: "" });
    if (to === "") errors.push(required(`${at}.mountPath`, ""));
    if (mounted.has(to)) errors.push(invalidValue(`${at}.mountPath`, to, "must be unique"));
    mounted.add(to);
    if (devices.some((device) => device.name === name)) {
      errors.push(invalidValue(`${at}.name`, name, "must not already exist in volumeDevices"));
    }
    if (devices.some((device) => device.devicePath === to)) {
      errors.push(invalidValue(`${at}.mountPath`, to, "must not already exist as a path in volumeDevices"));
    }
    // The server leaves the index out of the following paths.
    const [part, expression] = [textOf(mount.subPath), textOf(mount.subPathExpr)];
    if (part !== "") errors.push(...localPathErrors(part, `${list}.subPath`));
    if (expression !== "") {
      if (part !== "") {
        const detail = "subPathExpr and subPath are mutually exclusive";
        errors.push(invalidValue(`${at}.subPathExpr`, expression, detail));
      }
      errors.push(...localPathErrors(expression, `${list}.subPathExpr`));
    }
    errors.push(...propagationErrors(mount, container, list));
  }
  return errors;
}

function propagationErrors(mount: JsonObject, container: JsonObject, list: string): FieldError[] {
  const { mountPropagation: propagation, recursiveReadOnly: recursive } = mount;
  const field = `${list}.mountPropagation`;
  const errors = optionalOneOf(propagation, field, ["Bidirectional", "HostToContainer", "None"]);
  if (propagation === "Bidirectional" && fieldsOf(container.securityContext).privileged !== true) {
    const detail = "Bidirectional mount propagation is available only to privileged containers";
    errors.push(forbiddenValue(field, detail));
  }
  const at = `${list}.recursiveReadOnly`;
  if (recursive === "Enabled" || recursive === "IfPossible") {
    if (mount.readOnly !== true) errors.push(forbiddenValue(at, "may only be specified when readOnly is true"));
    if (isSet(propagation) && propagation !== "None") {
      errors.push(forbiddenValue(at, "may only be specified when mountPropagation is None or not specified"));
    }
  } else errors.push(...optionalOneOf(recursive, at, ["Disabled", "Enabled", "IfPossible"]));
  return errors;
}

function deviceErrors(container: JsonObject, path: string, volumes: ReadonlyMap<string, JsonObject>): FieldError[] {
  // Of mounts of the same name, the last one counts.
  const mounts = new Map(objectsOf(container.volumeMounts).map((one) => [textOf(one.name), textOf(one.mountPath)]));
  const names = new Set<string>();
  const devicePaths = new Set<string>();
  return objectsOf(container.volumeDevices).flatMap((device, index) => {
    const at = `${path}.volumeDevices[${index}]`;
    const [name, to] = [textOf(device.name), textOf(device.devicePath)];
    const errors: FieldError[] = name === "" ? [required(`${at}.name`, "")] : [];
    if (names.has(name)) errors.push(invalidValue(`${at}.name`, name, "must be unique"));
    const volume = volumes.get(name);
    const isClaim = isSet(volume?.persistentVolumeClaim) || isSet(volume?.ephemeral);
    if (volume !== undefined && !isClaim) {
      const detail = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      errors.push(invalidValue(`${at}.name`, name, detail));
    }
    if (volume === undefined) errors.push({ type: "FieldValueNotFound", field: `${at}.name`, value: name, detail: "" });
    if (to === "") errors.push(required(`${at}.devicePath`, ""));
    if (devicePaths.has(to)) errors.push(invalidValue(`${at}.devicePath`, to, "must be unique"));
    if (localPathErrors(to, "", true).length > 0) {
      errors.push(invalidValue(`${at}.devicePath`, to, "can not contain backsteps ('..')"));
    } else devicePaths.add(to);
    if (mounts.has(name)) {
      errors.push(invalidValue(`${at}.name`, name, "must not already exist in volumeMounts"));
    }
    if ([...mounts.values()].includes(to)) {
      errors.push(invalidValue(`${at}.devicePath`, to, "must not already exist as a path in volumeMounts"));
    }
    if (name !== "") names.add(name);
    return errors;
  });
}

function resizeErrors(container: JsonObject, path: string, restartPolicy: Json | undefined): FieldError[] {
  const seen = new Set<string>();
  const field = `${path}.resizePolicy`;
  return objectsOf(container.resizePolicy).flatMap((policy, index) => {
    const [resource, restart] = [textOf(policy.resourceName), textOf(policy.restartPolicy)];
    const errors: FieldError[] = seen.has(resource) ? [duplicateValue(`${field}[${index}]`, resource)] : [];
    seen.add(resource);
    if (resource === "") errors.push(required(field, ""));
    else errors.push(...oneOf(resource, field, ["cpu", "memory"]));
    if (restart === "") errors.push(required(field, ""));
    else errors.push(...oneOf(restart, field, ["NotRequired", "RestartContainer"]));
    if (restartPolicy === "Never" && restart !== "NotRequired") {
      errors.push(invalidValue(field, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}

/** Checks the fields that all kinds of containers have. */
export function commonErrors(container: JsonObject, path: string, parts: PodParts): FieldError[] {
  const policy = textOf(container.terminationMessagePolicy);
  const pull = textOf(container.imagePullPolicy);
  return [
    ...requiredText(container.name, `${path}.name`, isDNS1123Label),
    ...requiredText(container.image, `${path}.image`),
    ...(policy === ""
      ? [required(`${path}.terminationMessagePolicy`, "")]
      : oneOf(policy, `${path}.terminationMessagePolicy`, ["File", "FallbackToLogsOnError"])),
    ...portErrors(container, path),
    ...environmentErrors(container, path),
    ...mountErrors(container, path, parts.volumes),
    ...deviceErrors(container, path, parts.volumes),
    ...(pull === ""
      ? [required(`${path}.imagePullPolicy`, "")]
      : oneOf(pull, `${path}.imagePullPolicy`, ["Always", "IfNotPresent", "Never"])),
    ...resourceErrors(fieldsOf(container.resources), `${path}.resources`, parts.claims),
    ...resizeErrors(container, path, parts.spec.restartPolicy),
    ...containerSecurityErrors(container.securityContext, `${path}.securityContext`, parts.spec),
  ];
}

function hostPortConflicts(containers: readonly JsonObject[], path: string): FieldError[] {
  const used = new Set<string>();
  return containers.flatMap((container, index) =>
    objectsOf(container.ports).flatMap((port, place) => {
      const number = numberOf(port.hostPort);
      if (number === 0) return [];
      const key = `${port.protocol}/${textOf(port.hostIP)}/${number}`;
      if (used.has(key)) return [duplicateValue(`${path}[${index}].ports[${place}].hostPort`, key)];
      used.add(key);
      return [];
    }),
  );
}

/**
 * Checks the containers of a Pod, and those that start before the others.
 *
 * @param parts - the Pod
 * @param path - the path of its specification
 * @returns the errors
 */
export function containersErrors(parts: PodParts, path: string): FieldError[] {
  const { spec } = parts;
  const containers = objectsOf(spec.containers);
  const errors: FieldError[] = containers.length === 0 ? [required(`${path}.containers`, "")] : [];
  const names = new Set<string>();
  const lifecycleOf = (container: JsonObject, at: string): FieldError[] =>
    lifecycleErrors(container, at, spec.terminationGracePeriodSeconds);
  for (const [index, container] of containers.entries()) {
    const at = `${path}.containers[${index}]`;
    errors.push(...commonErrors(container, at, parts));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    names.add(name);
    errors.push(...lifecycleOf(container, at));
    errors.push(...restartErrors(container, at, false));
  }
  errors.push(...hostPortConflicts(containers, `${path}.containers`));
  for (const [index, container] of objectsOf(spec.initContainers).entries()) {
    const at = `${path}.initContainers[${index}]`;
    errors.push(...commonErrors(container, at, parts));
    errors.push(...restartErrors(container, at, true));
    const name = textOf(container.name);
    if (names.has(name)) errors.push(duplicateValue(`${at}.name`, name));
    else if (name !== "") names.add(name);
    errors.push(...hostPortConflicts([container], `${path}.initContainers`));
    if (container.restartPolicy === "Always") errors.push(...lifecycleOf(container, at));
    else {
      for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]) {
        if (isSet(container[field])) errors.push(forbiddenValue(`${at}.${field}`, never));
      }
      errors.push(...resizeRestartErrors(container, at));
    }
  }
  return errors;
}

/** Checks that the server doesn't have to restart a container that ends before the others start. */
function resizeRestartErrors(container: JsonObject, path: string): FieldError[] {
  return objectsOf(container.resizePolicy).flatMap(({ restartPolicy }, index) => {
    if (restartPolicy !== "RestartContainer") return [];
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    return [invalidValue(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail)];
  });
}

/** Checks an image for leading and trailing whitespace, which is valid only in templates. */
export function trimmedImageErrors(container: JsonObject, path: string): FieldError[] {
  const image = textOf(container.image);
  if (image === image.trim()) return [];
  return [invalidValue(`${path}.image`, image, "must not have leading or trailing whitespace")];
}

/** Applies the rules for containers of Pods that containers of templates may break. */
export function podOnlyErrors(spec: JsonObject): FieldError[] {
  return ["containers", "initContainers"].flatMap((key) =>
    objectsOf(spec[key]).flatMap((container, index) => trimmedImageErrors(container, `spec.${key}[${index}]`)),
  );
}
