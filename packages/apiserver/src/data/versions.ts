/** A minor version of Kubernetes whose API the server can serve. */
export type KubernetesVersion = "1.37" | "1.36";

/** The versions that the server can serve, the newest first. */
export const kubernetesVersions: readonly KubernetesVersion[] = ["1.37", "1.36"];

/** The version that the server serves by default. */
export const newestVersion: KubernetesVersion = "1.37";

/** The releases whose behavior the versions have. */
const releases: Readonly<Record<KubernetesVersion, string>> = { "1.37": "v1.37.2", "1.36": "v1.36.3" };

/** Returns the release of a version, such as `v1.37.2`. */
export function releaseOf(version: KubernetesVersion): string {
  return releases[version];
}

/**
 * Reads a version that a user gives.
 *
 * @param text - the version, such as `1.37`; undefined for the newest
 * @returns the version
 * @throws RangeError if the server can't serve it
 */
export function readVersion(text: string | undefined): KubernetesVersion {
  if (text === undefined) return newestVersion;
  const version = kubernetesVersions.find((kubernetesVersion) => kubernetesVersion === text);
  if (version !== undefined) return version;
  throw new RangeError(`invalid Kubernetes version ${text}: it must be ${kubernetesVersions.join(" or ")}`);
}
