// Writes the feature gates of kube-apiserver, with their defaults in a release.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { kubernetesSources, moduleSources } from "./sources.ts";

interface Spec {
  default: boolean;
  lockToDefault: boolean;
  preRelease: string;
  version: string;
  minCompatibilityVersion?: string;
}

const [release, out] = process.argv.slice(2);
if (release === undefined || out === undefined) throw new Error("usage: gates.ts RELEASE OUT");
const minor = minorOf(release.replace(/^v/, ""));

function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}

/** Returns the entry that counts in the release. Servers remain compatible with the previous minor version. */
function specOf(specs: readonly Spec[]): Spec | undefined {
  return specs.findLast(
    ({ version, minCompatibilityVersion: compatible }) =>
      minorOf(version) <= minor && (compatible === undefined || minorOf(compatible) < minor),
  );
}

function serverGates(): Map<string, Spec[]> {
  const file = "test/compatibility_lifecycle/reference/versioned_feature_list.yaml";
  const list = load(readFileSync(join(kubernetesSources(release as string), file), "utf8"));
  return new Map((list as { name: string; versionedSpecs: Spec[] }[]).map((gate) => [gate.name, gate.versionedSpecs]));
}

/** Reads the gates of the server's clients, which the list of Kubernetes doesn't contain. */
function clientGates(): Map<string, Spec[]> {
  const module = `k8s.io/client-go@${(release as string).replace(/^v1\./, "v0.")}`;
  const source = readFileSync(join(moduleSources(module), "features/known_features.go"), "utf8");
  const gates = new Map<string, Spec[]>();
  for (const [, name = "", body = ""] of source.matchAll(/^\t(\w+): \{\n([\s\S]*?)^\t\},$/gm)) {
    const entries = body.matchAll(
      /Version: version\.MustParse\("([\d.]+)"\), Default: (true|false), PreRelease: (\w+)(, LockToDefault: true)?/g,
    );
    const specs = [...entries].map(([, version = "", on, preRelease = "", locked]) => ({
      version,
      default: on === "true",
      preRelease,
      lockToDefault: locked !== undefined,
    }));
    gates.set(name, specs);
  }
  return gates;
}

const gates = [...serverGates(), ...clientGates()].flatMap(([name, specs]) => {
  const spec = specOf(specs);
  if (spec === undefined) return [];
  return [[name, { stage: spec.preRelease, default: spec.default, locked: spec.lockToDefault }] as const];
});
gates.sort(([a], [b]) => (a < b ? -1 : 1));
const lines = gates.map(([name, gate]) => `${JSON.stringify(name)}:${JSON.stringify(gate)}`);
writeFileSync(join(out, "feature-gates.json"), `{\n${lines.join(",\n")}\n}\n`);
