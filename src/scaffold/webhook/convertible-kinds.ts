/** Returns the line of the envtest suite that names a converted kind, and the line above it. */
function linesOf(kind: string) {
  return { above: `      kinds: [${kind}],\n`, line: `      convertibleKinds: [${kind}],\n` };
}

/**
 * Makes the API server of a scaffolded suite convert a kind. CRDs in config/crd/bases have no conversion webhook, and
 * without it, other versions lose the fields that the stored one doesn't have.
 *
 * @param kind the kind's name in the file
 */
export function startConverting(text: string, kind: string): string {
  const { above, line } = linesOf(kind);
  return text.includes("convertibleKinds:") ? text : text.replace(above, () => above + line);
}

/** Removes the line that {@link startConverting} adds. */
export function stopConverting(text: string, kind: string): string {
  return text.replace(linesOf(kind).line, "");
}
