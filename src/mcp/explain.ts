import { definitions, isDiagnosticId } from "../diagnostics/definitions/index.ts";
import { didYouMean } from "../diagnostics/did-you-mean.ts";
import { errorSections } from "../diagnostics/errors/index.ts";
import { markerRegistry } from "../generate/markers/index.ts";
import { Failure } from "./failure.ts";

/** The explanation of a marker, a diagnostic or an error. */
export interface Explanation {
  readonly kind: "marker" | "diagnostic" | "error";
  readonly name: string;
  readonly summary: string;
  readonly details?: string;
  readonly targets?: readonly string[];
  readonly arguments?: readonly { readonly name: string; readonly type: string; readonly summary: string }[];
  readonly example?: string;
  readonly fix?: string;
  /** The URL of the reference. */
  readonly docs: string;
}

/**
 * Explains a name.
 *
 * @param name - a marker, with or without `+`, or the id of a diagnostic or error
 * @param site - the address of the site
 * @throws Failure for an unknown name, with the most similar one
 */
export function explain(name: string, site: string): Explanation {
  const written = name.trim().replace(/^\+/, "").replace(/=.*$/s, "");
  const page = (path: string): string => new URL(`reference/${path}`, site).href;
  const errors = Object.fromEntries(errorSections.flatMap(([, entries]) => Object.entries(entries)));
  const markers = markerRegistry.definitions.filter((definition) => definition.name === written);
  const [marker] = markers;
  if (marker !== undefined) {
    const example = /`(\+[^`]+)`/.exec(marker.details ?? "")?.[1];
    return {
      kind: "marker",
      name: `+${marker.name}`,
      summary: marker.summary,
      ...(marker.details === undefined ? {} : { details: marker.details }),
      targets: markers.map(({ target }) => target),
      arguments: marker.fields.map(({ name, type, summary = "" }) => ({ name, type: type.kind, summary })),
      ...(example === undefined ? {} : { example }),
      docs: page("markers.html"),
    };
  }
  if (isDiagnosticId(written)) {
    const { cause, fix } = definitions[written];
    return { kind: "diagnostic", name: written, summary: cause, fix, docs: page(`diagnostics.html#${written}`) };
  }
  const error = Object.hasOwn(errors, written) ? errors[written] : undefined;
  if (error !== undefined) {
    const [summary, fix] = error;
    return { kind: "error", name: written, summary, fix, docs: page(`errors.html#${written}`) };
  }
  const names = [
    ...markerRegistry.definitions.map((markerDefinition) => markerDefinition.name),
    ...Object.keys(definitions),
    ...Object.keys(errors),
  ];
  const near = didYouMean(written, names);
  throw new Failure(
    "unknown-name",
    `${JSON.stringify(name)} isn't a marker, a diagnostic or an error`,
    near === undefined ? "search_docs finds other terms" : `did you mean ${near}?`,
  );
}
