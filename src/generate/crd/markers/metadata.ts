import type { CrdEffect } from "./effect.ts";

/** `kubebuilder:metadata`: annotations and labels of the CRD itself. */
export const metadata: CrdEffect = (crd, _version, args) => {
  for (const [kind, singular] of [
    ["annotations", "annotation"],
    ["labels", "label"],
  ] as const) {
    for (const text of args.list(kind)) {
      const equals = text.indexOf("=");
      if (equals < 0) return `${singular} ${text} is not in 'xxx=xxx' format`;
      crd.metadata[kind] = { ...crd.metadata[kind], [text.slice(0, equals)]: text.slice(equals + 1) };
    }
  }
  return undefined;
};
