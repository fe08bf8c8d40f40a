import type { Random } from "../../../scripts/test-support/random.ts";
import { coreTypes } from "../core-types.ts";
import { declarationOf } from "../facets.ts";
import type { Case, Options, ScalarName, Type } from "../model.ts";

const scalars: readonly ScalarName[] = [
  ..."string string string bool int int8 int16 uint16 int32 int32 uint32 int64 uint64 bytes".split(" "),
] as ScalarName[];
const small = [...coreTypes.values()].filter((type) => !type.big);
const big = [...coreTypes.values()].filter((type) => type.big);

/** The building blocks of a type. */
export interface Palette {
  readonly api: Case;
  readonly options: Options;
  /** Declarations that types may refer to. */
  readonly declared: readonly (Type & { kind: "declared" })[];
}

/** Generates a type for a field or a named type. */
export function inventType(random: Random, palette: Palette, depth = 2): Type {
  const roll = random.int(100);
  if (depth > 0 && roll < 14) return { kind: "list", of: listItem(random, palette, depth) };
  if (depth > 0 && roll < 22) return mapType(random, palette, depth);
  if (roll < 28) return { kind: "pointer", to: inventType(random, palette, 0) };
  if (roll < 55 && palette.declared.length > 0) return random.pick(palette.declared);
  if (roll < 66) return { kind: "core", name: random.pick(small).name };
  if (roll < 67 && random.chance(0.3)) return { kind: "core", name: random.pick(big).name };
  if (roll < 71 && palette.options.allowDangerousTypes) {
    return { kind: "scalar", name: random.pick(["float32", "float64"]) };
  }
  return { kind: "scalar", name: random.pick(scalars) };
}

function listItem(random: Random, palette: Palette, depth: number): Type {
  return inventType(random, palette, depth - 1);
}

function mapType(random: Random, palette: Palette, depth: number): Type {
  const keys = palette.declared.filter((type) => isText(palette.api, type));
  const of = inventType(random, palette, depth - 1);
  if (keys.length > 0 && random.chance(0.3)) return { kind: "map", of, key: random.pick(keys) };
  return { kind: "map", of };
}

/** Whether a type is an alias of string. Excludes unions, whose members TypeScript's Record would list. */
function isText(api: Case, type: Type): boolean {
  if (type.kind === "scalar") return type.name === "string";
  if (type.kind !== "declared") return false;
  const declaration = declarationOf(api, type);
  return declaration?.kind === "named" && !declaration.values && isText(api, declaration.type);
}
