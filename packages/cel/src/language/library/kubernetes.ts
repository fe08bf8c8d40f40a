import {
  addQuantities,
  approximateFloat,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityToInteger,
} from "../../quantity/quantity.ts";
import { define, type Functions } from "../declarations/function.ts";
import { EvaluationError } from "../values/evaluation-error.ts";
import { OpaqueValue } from "../values/value.ts";

/** A quantity of resources. */
class QuantityValue extends OpaqueValue {
  readonly typeName = "kubernetes.Quantity";
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: QuantityValue): boolean {
    return compare(this, other) === 0;
  }
}

function toQuantity(text: string): QuantityValue {
  try {
    return new QuantityValue(parseQuantity(text));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new EvaluationError(error.message);
  }
}

const compare = (a: QuantityValue, b: QuantityValue): number => compareQuantities(a.quantity, b.quantity);

function integer({ quantity }: QuantityValue): bigint {
  const value = quantityToInteger(quantity);
  if (value === undefined) throw new EvaluationError("cannot convert value to integer");
  return value;
}

function valid(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

function defineQuantity(functions: Functions): void {
  const type = "kubernetes.Quantity";
  const order = (a: QuantityValue, b: QuantityValue) => BigInt(compare(a, b));
  const zero = toQuantity("0");
  define(functions, "quantity", ["string_to_quantity", `(string) -> ${type}`, toQuantity]);
  define(functions, "isQuantity", [
    "is_quantity_string",
    "(string) -> bool",
    (text: string) => valid(() => toQuantity(text)),
  ]);
  define(functions, "sign", ["quantity_sign", `(${type}) -> int`, (a: QuantityValue) => order(a, zero)]);
  define(functions, "isGreaterThan", [
    "quantity_is_greater_than",
    `${type}.(${type}) -> bool`,
    (a: QuantityValue, b: QuantityValue) => compare(a, b) > 0,
  ]);
  define(functions, "isLessThan", [
    "quantity_is_less_than",
    `${type}.(${type}) -> bool`,
    (a: QuantityValue, b: QuantityValue) => compare(a, b) < 0,
  ]);
  define(functions, "compareTo", ["quantity_compare_to", `${type}.(${type}) -> int`, order]);
  define(functions, "asApproximateFloat", [
    "quantity_get_float",
    `${type}.() -> double`,
    (a: QuantityValue) => approximateFloat(a.quantity),
  ]);
  define(functions, "asInteger", ["quantity_get_int", `${type}.() -> int`, integer]);
  define(functions, "isInteger", [
    "quantity_is_integer",
    `${type}.() -> bool`,
    (a: QuantityValue) => valid(() => integer(a)),
  ]);
  const other = (b: QuantityValue | bigint): Quantity =>
    typeof b === "bigint" ? { value: b, scale: 0, format: "decimal", text: undefined } : b.quantity;
  const add = (a: QuantityValue, b: QuantityValue | bigint) => new QuantityValue(addQuantities(a.quantity, other(b)));
  const sub = (a: QuantityValue, b: QuantityValue | bigint) =>
    new QuantityValue(addQuantities(a.quantity, negateQuantity(other(b))));
  define(
    functions,
    "add",
    ["quantity_add", `${type}.(${type}) -> ${type}`, add],
    ["quantity_add_int", `${type}.(int) -> ${type}`, add],
  );
  define(
    functions,
    "sub",
    ["quantity_sub", `${type}.(${type}) -> ${type}`, sub],
    ["quantity_sub_int", `${type}.(int) -> ${type}`, sub],
  );
}

/** A semantic version. */
class Semver extends OpaqueValue {
  readonly typeName = "kubernetes.Semver";
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly string[]) {
    super();
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  compareTo(other: Semver): number {
    for (const [index, number] of this.numbers.entries()) {
      const right = other.numbers[index] as bigint;
      if (number !== right) return number < right ? -1 : 1;
    }
    if (this.prerelease.length === 0 || other.prerelease.length === 0) {
      return Math.sign(other.prerelease.length - this.prerelease.length);
    }
    for (let index = 0; index < Math.min(this.prerelease.length, other.prerelease.length); index++) {
      const [left, right] = [this.prerelease[index] as string, other.prerelease[index] as string];
      if (left === right) continue;
      const [leftNumber, rightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
      if (leftNumber && rightNumber) return BigInt(left) < BigInt(right) ? -1 : 1;
      if (leftNumber !== rightNumber) return leftNumber ? -1 : 1;
      return left < right ? -1 : 1;
    }
    return Math.sign(this.prerelease.length - other.prerelease.length);
  }

  equals(other: Semver): boolean {
    return this.compareTo(other) === 0;
  }
}

function parseSemver(text: string, normalize = false): Semver {
  const source = normalize ? normalized(text) : text;
  if (source === "") throw new EvaluationError("Version string empty");
  const match = /^([^.]*)\.([^.]*)\.([^-+]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(source);
  if (match === null) throw new EvaluationError("No Major.Minor.Patch elements found");
  const names = ["major", "minor", "patch"];
  const numbers = match.slice(1, 4).map((part, index) => {
    const name = names[index] as string;
    if (part === "") throw new EvaluationError('strconv.ParseUint: parsing "": invalid syntax');
    if (!/^\d+$/.test(part)) {
      const label = index < 2 ? `${name[0]?.toUpperCase()}${name.slice(1)}` : "Patch";
      throw new EvaluationError(`Invalid character(s) found in ${label.toLowerCase()} number ${JSON.stringify(part)}`);
    }
    if (part.length > 1 && part.startsWith("0")) {
      const label = `${name[0]?.toUpperCase()}${name.slice(1)}`;
      throw new EvaluationError(`${label} number must not contain leading zeroes ${JSON.stringify(part)}`);
    }
    if (BigInt(part) !== BigInt.asUintN(64, BigInt(part)))
      throw new EvaluationError(`strconv.ParseUint: parsing ${JSON.stringify(part)}: value out of range`);
    return BigInt(part);
  });
  const identifiers = (part: string | undefined, name: string) => {
    const parts = part === undefined ? [] : part.split(".");
    for (const item of parts) {
      if (item === "") throw new EvaluationError(`${name} is empty`);
      if (/[^0-9A-Za-z-]/.test(item)) {
        const quoted = JSON.stringify(item);
        throw new EvaluationError(`Invalid character(s) found in ${name.toLowerCase()} ${quoted}`);
      }
    }
    return parts;
  };
  const prerelease = identifiers(match[4], "Prerelease");
  for (const item of prerelease) {
    if (/^0\d+$/.test(item))
      throw new EvaluationError(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(item)}`);
  }
  identifiers(match[5], "Build meta data");
  return new Semver(numbers as unknown as readonly [bigint, bigint, bigint], prerelease);
}

/** Removes a leading v, adds missing numbers and removes leading zeros. */
function normalized(text: string): string {
  const [major = "", minor, ...rest] = text.replace(/^v/, "").split(".");
  const given = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join(".")])];
  const parts = given.map((part) => (part.length > 1 ? part.replace(/^0*(?=\d)/, "").replace(/^0*(?!\d)/, "0") : part));
  if (parts.length < 3 && /[-+]/.test(parts.at(-1) as string))
    throw new EvaluationError("Short version cannot contain PreRelease/Build meta data");
  while (parts.length < 3) parts.push("0");
  return parts.join(".");
}

function defineSemver(functions: Functions): void {
  const type = "kubernetes.Semver";
  const check = (text: string, normalize = false) => valid(() => parseSemver(text, normalize));
  define(
    functions,
    "semver",
    ["string_to_semver", `(string) -> ${type}`, parseSemver],
    ["string_bool_to_semver", `(string, bool) -> ${type}`, parseSemver],
  );
  define(
    functions,
    "isSemver",
    ["is_semver_string", "(string) -> bool", check],
    ["is_semver_string_bool", "(string, bool) -> bool", check],
  );
  define(functions, "isGreaterThan", [
    "semver_is_greater_than",
    `${type}.(${type}) -> bool`,
    (a: Semver, b: Semver) => a.compareTo(b) > 0,
  ]);
  define(functions, "isLessThan", [
    "semver_is_less_than",
    `${type}.(${type}) -> bool`,
    (a: Semver, b: Semver) => a.compareTo(b) < 0,
  ]);
  define(functions, "compareTo", [
    "semver_compare_to",
    `${type}.(${type}) -> int`,
    (a: Semver, b: Semver) => BigInt(a.compareTo(b)),
  ]);
  for (const [index, name] of ["major", "minor", "patch"].entries()) {
    define(functions, name, [`semver_${name}`, `${type}.() -> int`, (value: Semver) => value.numbers[index] as bigint]);
  }
}

/**
 * Declares the functions of quantities and semantic versions.
 *
 * @param functions - receives the declarations
 */
export function defineKubernetes(functions: Functions): void {
  defineQuantity(functions);
  defineSemver(functions);
}
