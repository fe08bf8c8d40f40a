/** The lines of the envtest suite between which the kind is named that its API server converts. */
function linesOf(kind: string) {
  return { above: `      kinds: [${kind}],\n`, line: `      convertibleKinds: [${kind}],\n` };
}

/**
 * Has the API server of a scaffolded suite convert a kind: CRDs in config/crd/bases have no conversion webhook, and without it
 * other versions lose all fields that the stored one doesn't have.
 *
 * @param kind the kind's name in the file
 */
export function startConverting(text: string, kind: string): string {
  const { above, line } = linesOf(kind);
  return text.includes("convertibleKinds:") ? text : text.replace(above, () => above + line);
}

/** Takes the line of {@link startConverting} out again. */
export function stopConverting(text: string, kind: string): string {
  return text.replace(linesOf(kind).line, "");
}
