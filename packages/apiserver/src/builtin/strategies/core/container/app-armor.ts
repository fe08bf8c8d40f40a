import type { JsonObject } from "@kubewright/cel/json";
import { appArmorErrors } from "./security-context.ts";

const localPrefix = "localhost/";

/**
 * Turns an annotation of older versions into an AppArmor profile.
 *
 * @param annotation - the value of the annotation
 * @returns the profile; undefined if there is none for the value
 */
export function profileOfAnnotation(annotation: string): JsonObject | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  const localhostProfile = annotation.startsWith(localPrefix) ? annotation.slice(localPrefix.length) : "";
  const profile = { type: "Localhost", localhostProfile };
  return appArmorErrors(profile, "").length > 0 ? undefined : profile;
}
