// What a reader makes of a TypeScript file: plain frozen data without any compiler type, so that the reader can be replaced.

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** Where something stands. Lines and columns count from 1. */
export interface Position {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A comment as written, delimiters included. `block` is a plain block comment, which never says anything to the generator. */
export interface RawComment {
  readonly kind: "line" | "jsdoc" | "block";
  readonly text: string;
  readonly at: Position;
  readonly endLine: number;
}

/** What a name refers to, as far as one file tells: modules are not followed. */
export type Target =
  | { readonly kind: "local"; readonly file: string; readonly name: string }
  | { readonly kind: "import"; readonly file: string; readonly specifier: string; readonly name: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "global"; readonly name: string };

export type KeywordName =
  | "string"
  | "number"
  | "boolean"
  | "any"
  | "unknown"
  | "object"
  | "undefined"
  | "never"
  | "void"
  | "bigint"
  | "symbol";

export interface KeywordType {
  readonly kind: "keyword";
  readonly name: KeywordName;
  readonly at: Position;
}

/** A literal, `null` included. */
export interface LiteralType {
  readonly kind: "literal";
  readonly value: string | number | boolean | null;
  readonly at: Position;
}

export interface ArrayType {
  readonly kind: "array";
  readonly element: TypeExpr;
  readonly at: Position;
}

export type TupleMode = "required" | "optional" | "rest";

export interface TupleType {
  readonly kind: "tuple";
  /** Of a rest element the type of its items. */
  readonly elements: readonly TypeExpr[];
  /** How each element is written: `T`, `T?` or `...T[]`. Absent if all are just there. */
  readonly modes?: readonly TupleMode[];
  readonly at: Position;
}

/** An inline `{ … }`; `index` is its string index signature. */
export interface ObjectType {
  readonly kind: "object";
  /** Set where the type checker made it: two such objects may have one place. */
  readonly checked?: true;
  readonly members: readonly Member[];
  readonly index?: IndexSignature;
  readonly at: Position;
}

export interface IndexSignature {
  readonly key: TypeExpr;
  readonly value: TypeExpr;
}

export interface UnionType {
  readonly kind: "union";
  readonly types: readonly TypeExpr[];
  readonly at: Position;
}

export interface IntersectionType {
  readonly kind: "intersection";
  readonly types: readonly TypeExpr[];
  readonly at: Position;
}

/** A name with its type arguments. */
export interface RefType {
  readonly kind: "ref";
  /** As written, such as `core.Pod`. */
  readonly text: string;
  readonly target: Target;
  readonly args: readonly TypeExpr[];
  readonly at: Position;
}

export interface KeyofType {
  readonly kind: "keyof";
  readonly type: TypeExpr;
  readonly at: Position;
}

/** `object[index]`. */
export interface IndexedType {
  readonly kind: "indexed";
  readonly object: TypeExpr;
  readonly index: TypeExpr;
  readonly at: Position;
}

/** `typeof name`. */
export interface TypeofType {
  readonly kind: "typeof";
  readonly text: string;
  readonly target: Target;
  readonly at: Position;
}

/** `{ [parameter in constraint as name]?: type }`. */
export interface MappedType {
  readonly kind: "mapped";
  readonly parameter: string;
  readonly constraint: TypeExpr;
  readonly name?: TypeExpr;
  readonly type: TypeExpr;
  readonly optional?: "+" | "-";
  readonly at: Position;
}

/** A template literal type: texts around types. */
export interface TemplateType {
  readonly kind: "template";
  readonly texts: readonly string[];
  readonly types: readonly TypeExpr[];
  readonly at: Position;
}

/** Syntax that describes no data, or that only a type checker can work out. */
export interface OtherType {
  readonly kind: "other";
  /** Such as `function` or `conditional`. */
  readonly syntax: string;
  readonly text: string;
  readonly at: Position;
}

export type TypeExpr =
  | KeywordType
  | LiteralType
  | ArrayType
  | TupleType
  | ObjectType
  | UnionType
  | IntersectionType
  | RefType
  | KeyofType
  | IndexedType
  | TypeofType
  | MappedType
  | TemplateType
  | OtherType;

/** A property or a method of an interface, a class or an inline object. */
export interface Member {
  readonly name: string;
  readonly optional: boolean;
  /** Absent on a class's methods and on properties without an annotation. */
  readonly type?: TypeExpr;
  /** No part of the data: a class's methods, what it hides, and signatures. */
  readonly method: boolean;
  /** `(): T` or `new (): T`: it has no name. */
  readonly signature?: true;
  /** The name is an expression in brackets that is no literal: `[Symbol.iterator]`. */
  readonly computed?: true;
  readonly leading: readonly RawComment[];
  /** The comments behind it on the line on which it ends, which say nothing to the generator. Absent where there are none. */
  readonly trailing?: readonly RawComment[];
  readonly at: Position;
}

export interface TypeParameter {
  readonly name: string;
  readonly default?: TypeExpr;
}

interface DeclarationBase {
  /** With the namespaces around it: `A.B`. */
  readonly name: string;
  readonly exported: boolean;
  /** The comments between the end of what stands before and the declaration. */
  readonly leading: readonly RawComment[];
  /** The comments behind it on the line on which it ends, which say nothing to the generator. Absent where there are none. */
  readonly trailing?: readonly RawComment[];
  /** The comments within its braces that belong to no property, which say nothing to the generator. Absent where there are none. */
  readonly inside?: readonly RawComment[];
  readonly at: Position;
}

/** An interface, or a class read as the interface of its properties. */
export interface InterfaceDeclaration extends DeclarationBase {
  readonly kind: "interface" | "class";
  readonly parameters: readonly TypeParameter[];
  readonly extends: readonly TypeExpr[];
  readonly members: readonly Member[];
  readonly index?: IndexSignature;
  /** Properties that interfaces merged into this one declare once more. */
  readonly repeated?: readonly Member[];
  /** Where the interfaces that were merged into this one stood. */
  readonly merged?: readonly Pick<DeclarationBase, "leading" | "trailing" | "inside" | "at">[];
}

export interface AliasDeclaration extends DeclarationBase {
  readonly kind: "alias";
  readonly parameters: readonly TypeParameter[];
  readonly type: TypeExpr;
}

export interface EnumDeclaration extends DeclarationBase {
  readonly kind: "enum";
  /** `value` is absent where it isn't a literal. */
  readonly members: readonly { readonly name: string; readonly value?: string | number }[];
}

/** A constant: what `typeof` and `groupVersion(…)` need of its initializer. */
export interface ValueDeclaration extends DeclarationBase {
  readonly kind: "value";
  readonly value: ConstValue;
}

/** A function or anything else that is no type. */
export interface OtherDeclaration extends DeclarationBase {
  readonly kind: "other";
}

export type TypeDeclaration = InterfaceDeclaration | AliasDeclaration | EnumDeclaration;
export type Declaration = TypeDeclaration | ValueDeclaration | OtherDeclaration;

/** An expression as far as it is constant. */
export type ConstValue =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "array"; readonly elements: readonly ConstValue[] }
  | { readonly kind: "object"; readonly properties: readonly { readonly name: string; readonly value: ConstValue }[] }
  | { readonly kind: "call"; readonly callee: Target; readonly args: readonly ConstValue[]; readonly at: Position }
  | { readonly kind: "reference"; readonly target: Target }
  | { readonly kind: "unknown" };

/** `declare module "specifier" { … }`: what a file adds to a module that is declared elsewhere. */
export interface Augmentation {
  readonly specifier: string;
  readonly declarations: readonly Declaration[];
}

/**
 * `export { name as exported } from "specifier"`. `name` is `*` for `export * as exported`, and both are for `export *`. Without a
 * specifier it is a local name. A default export is exported as `default`, what `export =` gives as `export=`.
 */
export interface ReExport {
  readonly exported: string;
  readonly name: string;
  readonly target?: Target;
  readonly specifier?: string;
}

export interface SourceFile {
  readonly path: string;
  readonly declarations: readonly Declaration[];
  readonly reExports: readonly ReExport[];
  /** The comments above imports, exports and other statements, and at the end of the file; in source order. */
  readonly loose: readonly LooseComments[];
  /** Absent where there are none. */
  readonly augmentations?: readonly Augmentation[];
  /** Syntax errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Comments above a statement that declares nothing, or at the end of the file. */
export interface LooseComments {
  readonly comments: readonly RawComment[];
  /** First line of the statement below; 0 at the end of the file. */
  readonly nextLine: number;
}

/** What the type parameters in scope stand for. */
export type Bindings = ReadonlyMap<string, { readonly expr: TypeExpr; readonly scope: Bindings }>;

/** The port: everything that the generator wants of a TypeScript compiler. */
export interface SourceReader {
  /** Reads `text` as the file `path`. */
  parse(path: string, text: string): SourceFile;
}
