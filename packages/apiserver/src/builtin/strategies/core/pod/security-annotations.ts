// The annotations of older versions for profiles of seccomp and AppArmor beside the fields that replace them.
import type { Json, JsonObject } from "@kubewright/cel/json";
import { type FieldError, forbiddenValue } from "@kubewright/cel/validation";
import { fieldsOf, isSet, textOf } from "../../fields/fields.ts";
import { allContainers } from "../container/all-containers.ts";

const localPrefix = "localhost/";

interface Feature {
  /** The name for messages. */
  name: string;
  field: string;
  /** The values of the annotation by the types of profiles. */
  values: Readonly<Record<string, readonly string[]>>;
}

const seccomp: Feature = {
  name: "seccomp",
  field: "seccompProfile",
  values: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default", "docker/default"] },
};
const appArmor: Feature = {
  name: "apparmor",
  field: "appArmorProfile",
  values: { Unconfined: ["unconfined"], RuntimeDefault: ["runtime/default"] },
};

function mismatch(feature: Feature, annotation: string, profile: JsonObject, path: string): FieldError[] {
  const at = `${path}.securityContext.${feature.field}`;
  const refuse = (field: string, what: string): FieldError[] => [
    forbiddenValue(`${at}.${field}`, `${feature.name} ${what} in annotation and field must match`),
  ];
  const type = textOf(profile.type);
  if (type !== "Localhost") {
    const expected = feature.values[type];
    return expected === undefined || expected.includes(annotation) ? [] : refuse("type", "type");
  }
  if (!annotation.startsWith(localPrefix)) return refuse("type", "type");
  const isSame = annotation.slice(localPrefix.length) === profile.localhostProfile;
  return isSame ? [] : refuse("localhostProfile", "profile");
}

/**
 * Checks that the annotations for profiles have the same meaning as the fields, if both exist.
 *
 * @param annotations - the annotations of the Pod or of the template
 * @param spec - its specification
 * @param path - the path of the specification
 * @returns the errors
 */
export function profileAnnotationErrors(annotations: JsonObject, spec: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const check = (feature: Feature, key: string, profile: Json | undefined, at: string): void => {
    const annotation = annotations[key];
    if (annotation === undefined || !isSet(profile)) return;
    errors.push(...mismatch(feature, textOf(annotation), fieldsOf(profile), at));
  };
  const { seccompProfile, appArmorProfile } = fieldsOf(spec.securityContext);
  const containers = allContainers(spec, path);
  check(seccomp, "seccomp.security.alpha.kubernetes.io/pod", seccompProfile, path);
  for (const [at, { name, securityContext }] of containers) {
    const key = `container.seccomp.security.alpha.kubernetes.io/${textOf(name)}`;
    check(seccomp, key, fieldsOf(securityContext).seccompProfile, at);
  }
  if (fieldsOf(spec.os).name === "windows") return errors;
  for (const [at, { name, securityContext }] of containers) {
    const key = `container.apparmor.security.beta.kubernetes.io/${textOf(name)}`;
    const own = fieldsOf(securityContext).appArmorProfile;
    check(appArmor, key, isSet(own) ? own : appArmorProfile, at);
  }
  return errors;
}
