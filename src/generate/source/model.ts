// The result of reading a TypeScript file: plain frozen data without compiler types.

import type { Diagnostic } from "../../diagnostics/diagnostic.ts";

/** A position in a file. Lines and columns are 1-based. */
export interface Position {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A comment as written, with its delimiters. `block` is a plain block comment, which the generator ignores. */
export interface RawComment {
  readonly kind: "line" | "jsdoc" | "block";
  readonly text: string;
  readonly at: Position;
  readonly endLine: number;
}

/** The comments of a value of an enum or a union. Absent if there are none. */
export interface Documented {
  readonly leading?: readonly RawComment[];
  /** The comments after the value, on its line. */
  readonly trailing?: readonly RawComment[];
}

/** The target of a name, as far as one file determines it: imports aren't followed. */
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

/** A literal, including `null`. */
export interface LiteralType extends Documented {
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
  /** For a rest element, the type of its items. */
  readonly elements: readonly TypeExpr[];
  /** The form of each element: `T`, `T?` or `...T[]`. Absent if all are `T`. */
  readonly modes?: readonly TupleMode[];
  readonly at: Position;
}

/** An inline `{ … }`; `index` is its string index signature. */
export interface ObjectType {
  readonly kind: "object";
  /** Set if the type checker created it: two such objects may have the same position. */
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

/** Syntax that doesn't describe data, or that only a type checker can resolve. */
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
  /** Not part of the data: a class's methods and hidden members, and signatures. */
  readonly method: boolean;
  /** Set for `(): T` and `new (): T`, which have no name. */
  readonly signature?: true;
  /** Set if the name is an expression in brackets other than a literal, such as `[Symbol.iterator]`. */
  readonly computed?: true;
  readonly leading: readonly RawComment[];
  /** The comments after it on its last line, which the generator ignores. Absent if there are none. */
  readonly trailing?: readonly RawComment[];
  readonly at: Position;
}

export interface TypeParameter {
  readonly name: string;
  readonly default?: TypeExpr;
}

interface DeclarationBase {
  /** Includes the namespaces around it: `A.B`. */
  readonly name: string;
  readonly exported: boolean;
  /** The comments between the preceding code and the declaration. */
  readonly leading: readonly RawComment[];
  /** The comments after it on its last line, which the generator ignores. Absent if there are none. */
  readonly trailing?: readonly RawComment[];
  /** The comments in its braces that belong to no property, which the generator ignores. Absent if there are none. */
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
  /** Properties that are declared again by interfaces merged into this one. */
  readonly repeated?: readonly Member[];
  /** The positions and comments of the interfaces that were merged into this one. */
  readonly merged?: readonly Pick<DeclarationBase, "leading" | "trailing" | "inside" | "at">[];
}

export interface AliasDeclaration extends DeclarationBase {
  readonly kind: "alias";
  readonly parameters: readonly TypeParameter[];
  readonly type: TypeExpr;
}

export interface EnumDeclaration extends DeclarationBase {
  readonly kind: "enum";
  /** `value` is absent if it isn't a literal. */
  readonly members: readonly (Documented & { readonly name: string; readonly value?: string | number })[];
}

/** A constant, with the parts of its initializer that `typeof` and `groupVersion(…)` need. */
export interface ValueDeclaration extends DeclarationBase {
  readonly kind: "value";
  readonly value: ConstValue;
}

/** A function or any other declaration that isn't a type. */
export interface OtherDeclaration extends DeclarationBase {
  readonly kind: "other";
}

export type TypeDeclaration = InterfaceDeclaration | AliasDeclaration | EnumDeclaration;
export type Declaration = TypeDeclaration | ValueDeclaration | OtherDeclaration;

/** The constant parts of an expression. */
export type ConstValue =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
  | { readonly kind: "array"; readonly elements: readonly ConstValue[] }
  | { readonly kind: "object"; readonly properties: readonly { readonly name: string; readonly value: ConstValue }[] }
  | { readonly kind: "call"; readonly callee: Target; readonly args: readonly ConstValue[]; readonly at: Position }
  | { readonly kind: "reference"; readonly target: Target }
  | { readonly kind: "unknown" };

/** `declare module "specifier" { … }`: declarations that a file adds to another module. */
export interface Augmentation {
  readonly specifier: string;
  readonly declarations: readonly Declaration[];
}

/**
 * `export { name as exported } from "specifier"`. `name` is `*` for `export * as exported`; both are `*` for `export *`.
 * Without a specifier, `name` is local. `exported` is `default` for a default export, and `export=` for `export =`.
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
  /** Absent if there are none. */
  readonly augmentations?: readonly Augmentation[];
  /** Syntax errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Comments above a statement without declarations, or at the end of the file. */
export interface LooseComments {
  readonly comments: readonly RawComment[];
  /** The first line of the statement below; 0 at the end of the file. */
  readonly nextLine: number;
}

/** The types that the type parameters in scope are bound to. */
export type Bindings = ReadonlyMap<string, { readonly expr: TypeExpr; readonly scope: Bindings }>;
