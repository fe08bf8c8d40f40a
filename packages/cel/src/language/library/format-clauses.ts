import { EvaluationError } from "../values/evaluation-error.ts";

/** A clause of a format, for example `%.2f`. */
export interface FormatClause {
  verb: string;
  precision: number | undefined;
  /** The position of its argument. */
  index: number;
}

const parseFailure = (problem: string): EvaluationError =>
  new EvaluationError(`could not parse formatting clause: ${problem}`);
const precisionFailure = (problem: string): EvaluationError =>
  parseFailure(`error while parsing precision: ${problem}`);

/**
 * Replaces the clauses of a format.
 *
 * @param format - the format
 * @param size - the number of arguments
 * @param replace - returns the text of a clause
 * @returns the text
 * @throws EvaluationError for invalid clauses and missing arguments, and the errors of `replace`
 */
export function replaceClauses(format: string, size: number, replace: (clause: FormatClause) => string): string {
  let next = 0;
  return format.replace(
    /%(?:(%)|(\.?)(\d*)([\s\S]|$))/gu,
    (match, percent?: string, dot = "", digits = "", verb = "") => {
      if (percent !== undefined) return "%";
      if (match === "%") throw new EvaluationError("unexpected end of string");
      const index = next++;
      if (index >= size) throw new EvaluationError(`index ${index} out of range`);
      if (dot === "" && digits !== "") throw unknownVerb(digits[0]);
      if (verb === "") throw precisionFailure("could not find end of precision specifier");
      if (dot !== "" && digits === "") {
        throw precisionFailure('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax');
      }
      if (!"sdfebxXo".includes(verb)) throw unknownVerb(verb);
      return replace({ verb, precision: dot === "" ? undefined : Number(digits), index });
    },
  );
}

function unknownVerb(verb: string): EvaluationError {
  return parseFailure(`unrecognized formatting clause "${verb}"`);
}

/** The rules of the clauses for the types of their arguments, as errors print them. */
export const clauseRules: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  o: "octal clause can only be used on integers",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  X: "only integers, byte buffers, and strings can be formatted as hex",
};

/**
 * Creates the error for an argument of the wrong type.
 *
 * @param verb - the verb of the clause
 * @param type - the name of the type
 * @returns the error
 */
export function wrongArgument(verb: string, type: string): EvaluationError {
  return new EvaluationError(`error during formatting: ${clauseRules[verb]}, was given ${type}`);
}
