// The content of an API reference, as plain data that each format renders.
import type { Block } from "./doc-comment.ts";

/** The destination of a link: an address, or the section of a type. */
export type Destination =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "section"; readonly key: string };

/** A part of the name of a type. */
export type TextPart = string | { readonly text: string; readonly to: Destination };

/** A rule for values: `Required`, `MinLength: 1`, or a CEL rule with its message. */
export interface ValidationEntry {
  readonly label: string;
  readonly code?: string;
  readonly text?: string;
}

/** A value of an enum. */
export interface ValueDocs {
  readonly value: string;
  readonly description: readonly Block[];
}

/** A row in the table of fields. */
export interface FieldDocs {
  /** With the names of the inline objects around it, such as `limits.min` or `ports[].name`. */
  readonly name: string;
  readonly type: readonly TextPart[];
  readonly description: readonly Block[];
  /** The text of the tag `@deprecated`. */
  readonly deprecated?: string;
  /** As JSON. */
  readonly default?: string;
  readonly example?: string;
  readonly validation: readonly ValidationEntry[];
  /** The values of an inline enum, if one of them has a description. */
  readonly values: readonly ValueDocs[];
}

/** Facts about a version of a kind that its types don't contain. */
export interface KindFacts {
  readonly name: string;
  /** Such as `games.example.com`. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly path: string;
    readonly description?: string;
    readonly isWide: boolean;
  }[];
  readonly selectableFields: readonly string[];
  readonly isServed: boolean;
  readonly isStorage: boolean;
  /** The warning of a deprecated version; empty for the default one. */
  readonly deprecated?: string;
  /** An object as YAML. */
  readonly sample?: string;
}

/** The section of a type. */
export interface TypeDocs {
  readonly key: string;
  readonly name: string;
  readonly description: readonly Block[];
  readonly deprecated?: string;
  readonly kind?: KindFacts;
  /** The type that an alias stands for; absent for objects. */
  readonly underlying?: readonly TextPart[];
  /** The members of a union. */
  readonly members: readonly (readonly TextPart[])[];
  readonly validation: readonly ValidationEntry[];
  readonly fields: readonly FieldDocs[];
  readonly values: readonly ValueDocs[];
}

/** A group and version. */
export interface PackageDocs {
  readonly group: string;
  readonly version: string;
  /** Such as `example.com/v1`. */
  readonly name: string;
  readonly description: readonly Block[];
  /** Sorted by name. */
  readonly kinds: readonly TypeDocs[];
  /** The other types, sorted by name. */
  readonly types: readonly TypeDocs[];
}

/** An API reference. */
export interface ApiReference {
  readonly title: string;
  /** Sorted by group and version. */
  readonly packages: readonly PackageDocs[];
  /** The keys of the sections in which each section's type is used. */
  readonly appearsIn: ReadonlyMap<string, ReadonlySet<string>>;
}
