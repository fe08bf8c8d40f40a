import type { JsonObject } from "@kubewright/cel/json";
import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import { fieldsOf, isSet } from "../../fields/fields.ts";
import { allContainers } from "../container/all-containers.ts";

function hostProcessOf(holder: JsonObject): boolean | undefined {
  const { hostProcess } = fieldsOf(fieldsOf(holder.securityContext).windowsOptions);
  return isSet(hostProcess) ? hostProcess === true : undefined;
}

/** Checks that a Pod has either only processes of the host (a kind of container on Windows), or none. */
export function hostProcessErrors(spec: JsonObject, path: string): FieldError[] {
  const ofPod = hostProcessOf(spec);
  const containers = allContainers(spec, path);
  const errors: FieldError[] = [];
  for (const [at, container] of containers) {
    const own = hostProcessOf(container);
    if (ofPod === undefined || own === undefined || own === ofPod) continue;
    const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    errors.push(invalidValue(`${at}.securityContext.windowsOptions.hostProcess`, own, detail));
  }
  const count = containers.filter(([, container]) => hostProcessOf(container) ?? ofPod).length;
  if (count === 0) return errors;
  if (count < containers.length) {
    const detail = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(invalidValue(path, "", detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(invalidValue(`${path}.hostNetwork`, false, detail));
  }
  return errors;
}
