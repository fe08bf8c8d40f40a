import { encodeSorted, type Json } from "@kubewright/cel/json";

const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** Returns a number in letters that don't form words. */
export function encodeHash(hash: number): string {
  return [...String(hash)].map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
}

/**
 * Hashes a template for names and labels, in the form of kube-controller-manager: FNV-1a with 32 bits. The values differ from
 * those of a cluster, which hashes Go's representation of the template.
 *
 * @param template - the template
 * @param collisions - how often the result was taken
 * @returns for example `7c5ddbdf54`
 */
export function templateHash(template: Json, collisions = 0): string {
  const text = `${encodeSorted(template)}${collisions === 0 ? "" : collisions}`;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return encodeHash(hash);
}
