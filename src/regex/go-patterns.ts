import { RE2JS } from "re2js";
import { patternCost } from "./pattern-cost.ts";

/** Maximum length of a pattern that is compiled, in UTF-16 units. No pattern of a known API has a tenth of it. */
const maxPatternLength = 20_000;
/** Maximum number of repetitions in Go: the product of all nested counts. */
const maxRepeats = 1000;
/** Maximum number of instructions of one program: matching takes a step per instruction and character. */
const maxProgramSize = 20_000;
/** Maximum number of instructions of all programs together: compiling takes about two seconds for a million. */
const maxInstructions = 500_000;
/** Maximum number of steps of all matches together: about two seconds. */
const maxSteps = 100_000_000;

/**
 * Compiles the regular expressions of schemas as the API server does: with RE2, whose matching time is linear in the text.
 * The total cost of all patterns of one document is limited too.
 */
export class GoPatterns {
  readonly #compiled = new Map<string, RE2JS | string | undefined>();
  #instructions = 0;
  #steps = 0;

  /**
   * Returns why Go can't compile a pattern.
   *
   * @returns undefined for a valid pattern, and for one that would cost too much to try
   */
  problem(pattern: string): string | undefined {
    const compiled = this.#compile(pattern);
    return typeof compiled === "string" ? compiled : undefined;
  }

  /**
   * Whether a pattern matches anywhere in a text.
   *
   * @returns undefined if Go can't compile the pattern, or the match would cost too much
   */
  test(pattern: string, text: string): boolean | undefined {
    const compiled = this.#compile(pattern);
    if (compiled === undefined || typeof compiled === "string") return undefined;
    const steps = compiled.programSize() * (text.length + 1);
    if (this.#steps + steps > maxSteps) return undefined;
    this.#steps += steps;
    return compiled.test(text);
  }

  #compile(pattern: string): RE2JS | string | undefined {
    if (this.#compiled.has(pattern)) return this.#compiled.get(pattern);
    const compiled = this.#compileNew(pattern);
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  #compileNew(pattern: string): RE2JS | string | undefined {
    if (pattern.length > maxPatternLength) return undefined;
    const { size, repeats } = patternCost(pattern);
    // Reject a pattern with too many repetitions before compiling anything.
    if (repeats <= maxRepeats) {
      if (size > maxProgramSize || this.#instructions + size > maxInstructions) return undefined;
      this.#instructions += size;
    }
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      return text.replace(/^error parsing regexp: /, "");
    }
  }
}
