/** The cost of a pattern, estimated without compiling it. */
export interface PatternCost {
  /** Estimated number of instructions of the program; never far below the real number. */
  readonly size: number;
  /** The highest product of nested repetition counts. */
  readonly repeats: number;
}

/** Estimates the cost of a pattern: a counted repetition multiplies the cost of its operand. */
export function patternCost(pattern: string): PatternCost {
  const outer: PatternCost[] = [];
  let group: PatternCost = { size: 0, repeats: 1 };
  let atom: PatternCost = { size: 0, repeats: 1 };
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "(") {
      outer.push(group);
      group = { size: 2, repeats: 1 };
      atom = { size: 0, repeats: 1 };
    } else if (character === ")") {
      atom = group;
      group = joined(outer.pop() ?? { size: 0, repeats: 1 }, atom);
    } else if (character === "{") {
      const [all, least, most] = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(pattern.slice(at, at + 12)) ?? [];
      if (all === undefined) continue;
      // `x{2,}` is two copies and a loop; an optional copy takes one more instruction.
      const copies = Math.max(1, most === undefined ? Number(least) : Math.max(Number(least) + 1, Number(most) * 2));
      const repeats = atom.repeats * Math.max(1, Number(most || least));
      group = joined(group, { size: atom.size * (copies - 1), repeats });
      atom = { size: atom.size * copies, repeats };
      at += all.length - 1;
    } else {
      at = endOfAtom(pattern, at);
      atom = { size: 1, repeats: 1 };
      group = joined(group, atom);
    }
  }
  return outer.reduce(joined, group);
}

function joined(a: PatternCost, b: PatternCost): PatternCost {
  return { size: a.size + b.size, repeats: Math.max(a.repeats, b.repeats) };
}

/** Returns the index of the last character of an escape or a class, or of the character itself. */
function endOfAtom(pattern: string, start: number): number {
  if (pattern[start] === "\\") return start + 1;
  if (pattern[start] !== "[") return start;
  // A closing bracket directly after the opening one is a literal.
  let at = start + (pattern[start + 1] === "^" ? 3 : 2);
  while (at < pattern.length && pattern[at] !== "]") {
    if (pattern.startsWith("[:", at)) at = Math.max(at, pattern.indexOf(":]", at) + 1);
    else if (pattern[at] === "\\") at++;
    at++;
  }
  return at;
}
