import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { KindVersion, Site } from "./site.ts";

/** What a lint has to say; where it stands in the user's files is worked out afterwards. */
export interface Finding {
  readonly id: Diagnostic["id"];
  readonly message: string;
  readonly hint?: string;
  /** The markers that may be to blame, by the registry's name; `items:` forms are found by the plain name. */
  readonly markers?: readonly string[];
  /** Tells the marker among those of the same name: by its value, an element of it, or by values of its arguments. */
  readonly says?: string | Readonly<Record<string, string>>;
  /** The argument to point at; without it the value of an anonymous marker. */
  readonly argument?: string;
}

/** Looks at one schema. The ones below it have their own turn. */
export type SchemaLint = (site: Site, report: (finding: Finding) => void) => void;

/** Looks at one version of a kind; what it finds is said by the markers of the kind's own type. */
export type KindLint = (kind: KindVersion, report: (finding: Finding) => void) => void;

/** Prefix of most markers that lints blame. */
export const validation = (name: string): string => `kubebuilder:validation:${name}`;
