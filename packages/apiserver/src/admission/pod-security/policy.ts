import type { FieldError } from "@kubewright/cel/validation";

/** The levels of the Pod Security Standards, from the least to the most strict. */
const levels = ["privileged", "baseline", "restricted"] as const;

/** A level of the Pod Security Standards. */
export type Level = (typeof levels)[number];

/** A level in the form that a version of Kubernetes has introduced. */
export interface LevelVersion {
  level: Level;
  /** `latest`, or a version such as `v1.36`. */
  version: string;
}

/** The levels of a namespace. The one for audit isn't here, because the server has no audit log. */
export interface Policy {
  /** Pods that violate it are refused. */
  enforce: LevelVersion;
  /** Pods and templates of Pods that violate it cause a warning. */
  warn: LevelVersion;
}

/** Returns a level and its version as messages print them, for example `restricted:latest`. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

/** Returns a negative number, 0 or a positive number, if the first level is less, as or more strict than the other. */
export function compareLevels(one: Level, other: Level): number {
  return levels.indexOf(one) - levels.indexOf(other);
}

/** Returns the minor version of Kubernetes, infinite for the latest. */
export function minorVersion({ version }: LevelVersion): number {
  return version === "latest" ? Number.POSITIVE_INFINITY : Number(version.slice("v1.".length));
}

const prefix = "pod-security.kubernetes.io/";

/**
 * Reads the labels of a namespace. Labels that can't be read stand for the restricted level if they are enforced, and for no
 * warnings otherwise.
 *
 * @param labels - the labels
 * @returns the levels, and an error for each label that can't be read
 */
export function policyOf(labels: Readonly<Record<string, string>> = {}): { policy: Policy; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const read = <T>(name: string, parse: (text: string) => T | undefined, rule: string): T | undefined => {
    const value = labels[prefix + name];
    const parsed = value === undefined ? undefined : parse(value);
    if (value !== undefined && parsed === undefined) {
      const field = `metadata.labels[${prefix}${name}]`;
      errors.push({ type: "FieldValueInvalid", field, value, detail: rule });
    }
    return parsed;
  };
  const readMode = (mode: string): { level: Level | undefined; version: string } => ({
    level: read(mode, parseLevel, `must be one of ${levels.join(", ")}`),
    version: read(`${mode}-version`, parseVersion, 'must be "latest" or "v1.x"') ?? "latest",
  });
  const isGiven = (name: string): boolean => labels[prefix + name] !== undefined;
  const enforce = readMode("enforce");
  readMode("audit");
  const warn = readMode("warn");
  const policy: Policy = {
    enforce: { ...enforce, level: enforce.level ?? (isGiven("enforce") ? "restricted" : "privileged") },
    warn: { ...warn, level: warn.level ?? "privileged" },
  };
  // By default, what is enforced also causes warnings, about templates of Pods.
  if (!isGiven("warn") && enforce.level !== undefined && enforce.level !== "privileged") {
    policy.warn.level = enforce.level;
    if (!isGiven("warn-version")) policy.warn.version = enforce.version;
  }
  return { policy, errors };
}

function parseLevel(text: string): Level | undefined {
  return levels.find((level) => level === text);
}

const largestMinor = 2n ** 63n - 1n;

function parseVersion(text: string): string | undefined {
  if (text === "latest") return text;
  const [, minor] = /^v1\.(0|[1-9][0-9]*)$/.exec(text) ?? [];
  return minor !== undefined && BigInt(minor) <= largestMinor ? text : undefined;
}
