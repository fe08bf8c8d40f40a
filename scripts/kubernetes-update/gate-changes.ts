// Differences between the feature gates of two releases, from their Go sources.

/** A feature gate of a release. */
export interface Gate {
  readonly on: boolean;
  readonly stage: string;
}

/**
 * Reads the versioned feature gates of a Go file.
 *
 * @param source - the file
 * @param minor - the minor version that decides which entry of a gate counts, such as `1.37`
 * @returns the gates that this version has, by name
 */
export function gatesOf(source: string, minor: string): Map<string, Gate> {
  const gates = new Map<string, Gate>();
  for (const [, name = "", body = ""] of source.matchAll(/^\t(?:\w+\.)?(\w+): \{\n([\s\S]*?)^\t\},$/gm)) {
    const entries = [
      ...body.matchAll(
        /Version: version\.MustParse\("([\d.]+)"\), Default: (true|false), PreRelease: (?:featuregate\.)?(\w+)/g,
      ),
    ];
    const last = entries.filter(([, version = ""]) => compareMinors(version, minor) <= 0).at(-1);
    if (last !== undefined) gates.set(name, { on: last[2] === "true", stage: last[3] ?? "" });
  }
  return gates;
}

function compareMinors(one: string, other: string): number {
  return Number(one.split(".")[1]) - Number(other.split(".")[1]);
}

/**
 * Lists the changes of gates.
 *
 * @param before - the gates of the older release
 * @param after - those of the newer one
 * @returns one line per gate that is new, removed, has another default or another stage
 */
export function gateChanges(before: ReadonlyMap<string, Gate>, after: ReadonlyMap<string, Gate>): string[] {
  const shown = ({ on, stage }: Gate): string => `${stage}, ${on ? "on" : "off"}`;
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined) return now === undefined ? [] : [`${name}: new (${shown(now)})`];
    if (now === undefined) return [`${name}: removed (was ${shown(old)})`];
    return shown(old) === shown(now) ? [] : [`${name}: ${shown(now)} (was ${shown(old)})`];
  });
}
