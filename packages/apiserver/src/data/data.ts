import { readFileSync } from "node:fs";
import { packageRoot } from "./package-root.ts";
import type { KubernetesVersion } from "./versions.ts";

/**
 * Keeps a value for each version of Kubernetes, which is created when it is first used.
 *
 * @param create - creates the value for a version
 * @returns a function that returns the value for a version
 */
export function perVersion<T>(create: (version: KubernetesVersion) => T): (version: KubernetesVersion) => T {
  const values = new Map<KubernetesVersion, T>();
  return (version) => {
    const present = values.get(version);
    if (present !== undefined) return present;
    const value = create(version);
    values.set(version, value);
    return value;
  };
}

/**
 * Loads a data file of the package, once for each version of Kubernetes.
 *
 * @param name - the name of the file in `data/<version>/`
 * @returns a function that returns its content for a version
 */
export function dataFile<T>(name: string): (version: KubernetesVersion) => T {
  return perVersion(
    (version) => JSON.parse(readFileSync(new URL(`data/${version}/${name}`, packageRoot()), "utf8")) as T,
  );
}
