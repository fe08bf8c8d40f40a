import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { KubernetesObject } from "../api/index.ts";
import { readManifests } from "./manifests.ts";

const group = "admissionregistration.k8s.io/";
const kinds = new Set(
  ["ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"].flatMap((kind) => [kind, `${kind}Binding`]),
);

/** The directory in a project that the generator writes. */
const usual = "config/policy";

/**
 * Returns the admission policies and their bindings in files and directories. Other objects are left out.
 *
 * @param root - the directory of the project
 * @param paths - the files and directories, relative to the project. By default, `config/policy` if it exists
 * @throws an `Error` that contains the path of a file or directory that is missing or can't be read
 */
export function readPolicies(
  root: string,
  paths: readonly string[] = existsSync(join(root, usual)) ? [usual] : [],
): KubernetesObject[] {
  return paths.flatMap((path) => {
    const place = resolve(root, path);
    if (!existsSync(place)) throw new Error(`${path}: no such file or directory (policyDirectoryPaths)`);
    return readManifests(place).flatMap(({ value }) => (isPolicy(value) ? [value] : []));
  });
}

function isPolicy(value: unknown): value is KubernetesObject {
  const { apiVersion = "", kind = "" } = (value ?? {}) as KubernetesObject;
  return apiVersion.startsWith(group) && kinds.has(kind);
}
