import { dataFile } from "./data.ts";
import type { KubernetesVersion } from "./versions.ts";

interface Gate {
  stage: "PreAlpha" | "Alpha" | "Beta" | "GA" | "Deprecated";
  default: boolean;
  locked: boolean;
}

/** The gates that switch all gates of a stage, unless these are set themselves. */
const stageGates: Readonly<Record<string, Gate["stage"]>> = { AllAlpha: "Alpha", AllBeta: "Beta" };

/** The values of booleans on command lines, in the form of Go. */
export const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

const gatesOf = dataFile<Record<string, Gate>>("feature-gates.json");

/** Reports which features are on. */
export interface FeatureGates {
  /**
   * @param name - the gate of a feature
   * @returns true if the feature is on
   */
  enabled(name: string): boolean;
}

/**
 * Creates the feature gates of a server.
 *
 * @param version - the version of Kubernetes, which sets the defaults
 * @param settings - the gates that differ from their defaults
 * @returns the gates
 * @throws RangeError with kube-apiserver's message for a gate that doesn't exist or can't have this value
 */
export function createFeatureGates(
  version: KubernetesVersion,
  settings: Readonly<Record<string, boolean>> = {},
): FeatureGates {
  const gates = gatesOf(version);
  const find = (name: string): Gate | undefined => (Object.hasOwn(gates, name) ? gates[name] : undefined);
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== "boolean") throw invalidValue(name, String(value));
    if (Object.hasOwn(stageGates, name)) continue;
    const gate = find(name);
    if (gate === undefined) throw new RangeError(`unrecognized feature gate: ${name}`);
    const problem = `cannot set feature gate ${name} to ${value}, feature is`;
    if (gate.locked && gate.default !== value) throw new RangeError(`${problem} locked to ${gate.default}`);
    if (gate.stage === "PreAlpha") throw new RangeError(`${problem} PreAlpha at emulated version ${version}`);
  }
  const stages = Object.entries(stageGates).flatMap(([name, stage]) => {
    const value = settings[name];
    return value === undefined ? [] : [[stage, value] as const];
  });
  const ofStages = new Map(stages);
  return {
    enabled(name) {
      const gate = find(name);
      if (gate === undefined) return false;
      if (Object.hasOwn(settings, name)) return settings[name] as boolean;
      return ofStages.get(gate.stage) ?? gate.default;
    },
  };
}

/**
 * Reads the gates of a command line.
 *
 * @param texts - the values of the flag, such as `ShardedListAndWatch=true,AllBeta=false`. A gate may have the prefix `kube:`.
 * @returns the gates by name; the last value of a gate counts
 * @throws RangeError with kube-apiserver's message for a gate without a boolean
 */
export function parseFeatureGates(texts: readonly string[]): Record<string, boolean> {
  const settings: [string, boolean][] = [];
  for (const pair of texts.flatMap((text) => text.split(","))) {
    if (pair === "") continue;
    const colon = pair.indexOf(":");
    const component = pair.slice(0, Math.max(colon, 0)).trim();
    if (colon >= 0 && component !== "kube") throw new RangeError(`component not registered: ${component}`);
    const setting = pair.slice(colon + 1);
    const equals = setting.indexOf("=");
    if (equals < 0) throw new RangeError(`missing bool value for ${setting.trim()}`);
    const [name, text] = [setting.slice(0, equals).trim(), setting.slice(equals + 1).trim()];
    const value = booleans.get(text);
    if (value === undefined) throw invalidValue(name, text);
    settings.push([name, value]);
  }
  return Object.fromEntries(settings);
}

function invalidValue(name: string, text: string): RangeError {
  const problem = `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`;
  return new RangeError(`invalid value of ${name}=${text}, err: ${problem}`);
}
