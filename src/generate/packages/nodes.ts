import type { MarkerValues } from "../markers/index.ts";
import type { Member, Position, TypeDeclaration, TypeExpr } from "../source/model.ts";

/** A directory of the user's code. */
export interface ApiPackage {
  /** Absolute path. */
  readonly directory: string;
  readonly markers: MarkerValues;
  /** Absent if neither a marker nor `groupVersion(…)` sets it. "" is a valid group. */
  readonly group?: string;
  readonly version: string;
  /** Whether the package has `+kubebuilder:skip`: it has no CRDs, but its types can be used. */
  readonly skipped: boolean;
  /** Whether fields without a marker are optional. */
  readonly optionalByDefault: boolean;
}

/** A declared type with its markers and description. */
export interface TypeNode {
  readonly name: string;
  readonly file: string;
  readonly at: Position;
  readonly declaration: TypeDeclaration;
  readonly description: string;
  readonly markers: MarkerValues;
  readonly package: ApiPackage;
}

/** A property with its markers and description. */
export interface FieldNode {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeExpr;
  readonly description: string;
  readonly markers: MarkerValues;
  readonly at: Position;
  readonly member: Member;
}
