import { nameIsDNSSubdomain } from "@kubewright/cel/validation";

/**
 * Checks the name of a ClusterTrustBundle.
 *
 * @param name - the name
 * @param isPrefix - whether the name is the prefix of a generated one
 * @param signer - the name of its signer; empty for none
 * @returns the problems
 */
export function trustBundleNameProblems(name: string, isPrefix: boolean, signer: string): string[] {
  if (signer === "") {
    if (name.includes(":")) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return nameIsDNSSubdomain(name, isPrefix);
  }
  const prefix = `${signer.replaceAll("/", ":")}:`;
  if (name.startsWith(prefix)) return nameIsDNSSubdomain(name.slice(prefix.length), isPrefix);
  return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}
