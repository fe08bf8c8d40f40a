import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import type { KnownMarker } from "../../markers/index.ts";
import type { JSONSchema } from "../../schema/model/json-schema.ts";
import type { KindVersion, Site } from "./site.ts";

/** The finding of a lint, before its position in the user's files is known. */
export interface Finding {
  readonly id: Diagnostic["id"];
  readonly message: string;
  readonly hint?: string;
  /** The keywords of the schema whose markers may cause it. */
  readonly keywords?: readonly (keyof JSONSchema)[];
  /** The other markers that may cause it. */
  readonly markers?: readonly KnownMarker[];
  /** Selects one of several markers of the same name: by its value, by an element of the value, or by its arguments. */
  readonly matching?: string | Readonly<Record<string, string>>;
  /** The argument to point at; by default the value of an anonymous marker. */
  readonly argument?: string;
}

/** Checks one schema. Schemas inside it are checked separately. */
export type SchemaLint = (site: Site, report: (finding: Finding) => void) => void;

/** Checks one version of a kind; findings point at the markers of the kind's own type. */
export type KindLint = (kind: KindVersion, report: (finding: Finding) => void) => void;
