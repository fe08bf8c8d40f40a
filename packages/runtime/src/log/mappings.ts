/** A position in a bundle. Lines and columns start at 1, as in stack traces. */
export interface Position {
  line: number;
  column: number;
}

/** A position in a source: the index of the source in the map, line and column. */
export interface Origin extends Position {
  source: number;
}

const digits = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((c, i) => [c, i]));
const digitBits = 5;
const moreDigits = 1 << digitBits;

/**
 * Maps positions of a bundle to its sources by the `mappings` of its source map (https://tc39.es/ecma426/). Unmapped
 * positions are `undefined`. Libraries keep all positions of a map, about 20 MiB for an operator; this reads the text
 * once and keeps only the results.
 */
export function originsOf(mappings: string, positions: readonly Position[]): (Origin | undefined)[] {
  const wanted = positions.map((position, index) => ({ ...position, index }));
  wanted.sort((a, b) => a.line - b.line || a.column - b.column);
  const origins: (Origin | undefined)[] = positions.map(() => undefined);
  // Generated column, source, line and column: each is relative to the previous segment.
  const state = [0, 0, 0, 0];
  let line = 1;
  let next = 0;
  let before: Origin | undefined;

  /** Maps the positions before a column: the previous segment is the one that covers them. */
  const settleUntil = (column: number): void => {
    for (; next < wanted.length && wanted[next]!.line === line && wanted[next]!.column < column; next++) {
      origins[wanted[next]!.index] = before;
    }
  };

  let at = 0;
  while (next < wanted.length && at < mappings.length) {
    const sign = mappings[at];
    if (sign === ";" || sign === ",") {
      at++;
      if (sign === ",") continue;
      settleUntil(Number.POSITIVE_INFINITY);
      line++;
      state[0] = 0;
      before = undefined;
      continue;
    }
    let fields = 0;
    for (; at < mappings.length && mappings[at] !== ";" && mappings[at] !== ","; fields++) {
      let value = 0;
      for (let shift = 0; ; shift += digitBits) {
        const digit = digits.get(mappings[at++] ?? "") ?? 0;
        value += (digit & (moreDigits - 1)) << shift;
        if (digit < moreDigits) break;
      }
      // The lowest bit is the sign. The fifth field, a name, is ignored.
      if (fields < state.length) state[fields]! += value & 1 ? -(value >> 1) : value >> 1;
    }
    const [column = 0, source = 0, sourceLine = 0, sourceColumn = 0] = state;
    settleUntil(column + 1);
    before = fields < state.length ? undefined : { source, line: sourceLine + 1, column: sourceColumn + 1 };
  }
  settleUntil(Number.POSITIVE_INFINITY);
  return origins;
}
