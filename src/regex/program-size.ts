/**
 * About how many instructions a pattern compiles to, found without compiling it: counted repetitions multiply what they repeat.
 * It is never far below the real number, and gives up at `most`.
 */
export function programSize(pattern: string, most: number): number {
  const outer: number[] = [];
  let group = 0;
  let atom = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (group > most) return group;
    if (character === "(") {
      outer.push(group);
      group = 2;
      atom = 0;
    } else if (character === ")") {
      atom = group;
      group = (outer.pop() ?? 0) + atom;
    } else if (character === "{") {
      const [all, least, end] = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(pattern.slice(at, at + 12)) ?? [];
      if (all === undefined) continue;
      // `x{2,}` is two copies and a loop; an optional copy takes one instruction more.
      const copies = end === undefined ? Number(least) : Math.max(Number(least) + 1, Number(end) * 2);
      group += atom * Math.max(0, copies - 1);
      atom *= Math.max(1, copies);
      at += all.length - 1;
    } else {
      at = endOfAtom(pattern, at);
      atom = 1;
      group += 1;
    }
  }
  return outer.reduce((sum, each) => sum + each, group);
}

/** The last character of an escape or a class, or the character itself. */
function endOfAtom(pattern: string, start: number): number {
  if (pattern[start] === "\\") return start + 1;
  if (pattern[start] !== "[") return start;
  // A bracket stands for itself directly behind the opening one.
  let at = start + (pattern[start + 1] === "^" ? 3 : 2);
  while (at < pattern.length && pattern[at] !== "]") {
    if (pattern.startsWith("[:", at)) at = Math.max(at, pattern.indexOf(":]", at) + 1);
    else if (pattern[at] === "\\") at++;
    at++;
  }
  return at;
}
