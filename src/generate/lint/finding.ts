import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { KindVersion, Site } from "./site.ts";

/** The finding of a lint, before its position in the user's files is known. */
export interface Finding {
  readonly id: Diagnostic["id"];
  readonly message: string;
  readonly hint?: string;
  /** The markers that may cause it, by the registry's name; the plain name also finds `items:` forms. */
  readonly markers?: readonly string[];
  /** Selects one of several markers of the same name: by its value, by an element of the value, or by its arguments. */
  readonly matching?: string | Readonly<Record<string, string>>;
  /** The argument to point at; by default the value of an anonymous marker. */
  readonly argument?: string;
}

/** Checks one schema. Schemas inside it are checked separately. */
export type SchemaLint = (site: Site, report: (finding: Finding) => void) => void;

/** Checks one version of a kind; findings point at the markers of the kind's own type. */
export type KindLint = (kind: KindVersion, report: (finding: Finding) => void) => void;

/** Adds the prefix that most of the linted markers have. */
export const validation = (name: string): string => `kubebuilder:validation:${name}`;
