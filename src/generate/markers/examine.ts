import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.ts";
import { cure } from "./cure.ts";
import type { MarkerDefinition, MarkerTarget } from "./definition.ts";
import type { Marker, MarkerLine } from "./marker.ts";
import type { MarkerValue } from "./marker-value.ts";
import { parseMarker } from "./parse.ts";
import type { Registry } from "./registry.ts";
import { knownFor, nearestName, nearMiss, repair } from "./suggest.ts";

/** Prefixes under `kubebuilder:` that belong to the scaffolder and to documentation tools, not to the generator. */
const OTHER_TOOLS = ["kubebuilder:scaffold:", "kubebuilder:docs-gen:"];

/** Words of Go's code generators and of Kubernetes' own sources that are near one of ours. */
const OTHER_WORDS = new Set(["groupGoName"]);

/** Known, without effect here, and harmless anywhere. */
const NO_EFFECT = /^(kubebuilder:object:|k8s:deepcopy-gen)/;

/** UTF-16 code units of a marker's name that are compared with known names. The longest known name has about 60. */
const longestName = 200;

/** What one line comes to: a marker, diagnostics, both (a warning) or nothing, for lines that are other tools'. */
export interface Examined {
  readonly marker?: Marker;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads one line that begins with `+`, for the target it stands on. */
export function examineLine(found: MarkerLine, target: Exclude<MarkerTarget, "option">, registry: Registry): Examined {
  const text = found.text.trim();
  if (!text.startsWith("+")) return { diagnostics: [] };
  const line = { ...found, text, column: found.column + found.text.indexOf("+") };
  const definition = registry.lookup(text, target);
  if (definition) return readKnown(line, text, definition);
  return { diagnostics: explainUnknown(line, text, target, registry) };
}

function readKnown(line: MarkerLine, text: string, definition: MarkerDefinition): Examined {
  const { value, error, places, warnings } = parseMarker(definition, text);
  const name = `+${definition.name}`;
  if (error || value === undefined) {
    const problem = error ?? { message: "no value", offset: 0 };
    const message = `${name}: ${problem.message}`;
    return {
      diagnostics: [finding(line, "error", "invalid-marker", message, problem.offset, cure(definition, text, problem))],
    };
  }
  if (holdsNonFinite(value)) {
    const message = `${name}: ${String(value)} has no place in a schema, which is JSON`;
    return { diagnostics: [finding(line, "error", "invalid-marker", message, text.indexOf("=") + 1)] };
  }
  const diagnostics = warnings.map(({ message, offset, hint }) =>
    finding(line, "warning", "lost-marker-value", `${name}: ${message}`, offset, hint),
  );
  return { marker: { name: definition.name, definition, value, line, places }, diagnostics };
}

function explainUnknown(
  line: MarkerLine,
  written: string,
  target: Exclude<MarkerTarget, "option">,
  registry: Registry,
): readonly Diagnostic[] {
  const targets = knownFor(written, registry);
  if (targets.length > 0) return misplaced(line, written, target, targets, registry);

  const equals = written.indexOf("=");
  const isLong = (equals < 0 ? written.length : equals) > longestName;
  const text = isLong ? written.slice(0, longestName) : written;
  const left = text.split("=", 1)[0]!;
  const repaired = repair(text, registry);
  if (repaired !== undefined && /^\+\s|\s:?$/.test(left)) {
    const afterPlus = /^\+\s/.test(text);
    const message = afterPlus
      ? `a blank after the + keeps ${JSON.stringify(text)} from being read as a marker`
      : `a blank before the = keeps ${JSON.stringify(text)} from being read as a marker`;
    const offset = afterPlus ? 1 : left.replace(/\s+:?$/, "").length;
    return [finding(line, "error", "blank-in-marker", message, offset, `write \`${repaired}\``)];
  }

  const name = left.slice(1).trim();
  const shown = name.replace(/\s.*$/s, "");
  const hint = (candidate: string | undefined) =>
    candidate === undefined ? undefined : `did you mean \`${candidate}\`?`;
  if (name.startsWith("kubebuilder:")) {
    if (OTHER_TOOLS.some((prefix) => name.startsWith(prefix))) return [];
    const near = repaired ?? prefixed(nearestName(text, target, registry));
    return [finding(line, "error", "unknown-marker", `unknown marker ${JSON.stringify(`+${shown}`)}`, 0, hint(near))];
  }
  if (name.startsWith("k8s:")) {
    const near = nearMiss(text, "k8s:", registry);
    if (near === undefined) return [];
    const suggestion = hint(repaired ?? `+${near}`);
    return [finding(line, "error", "unknown-marker", `unknown marker ${JSON.stringify(`+${shown}`)}`, 0, suggestion)];
  }
  if (OTHER_WORDS.has(shown)) return [];
  const near = repaired ?? prefixed(nearMiss(text, "", registry)) ?? withPrefix(text, registry);
  if (near === undefined) return [];
  const message = `${JSON.stringify(`+${shown}`)} is no marker, but looks like one`;
  return [finding(line, "warning", "near-miss-marker", message, 0, hint(near))];
}

function misplaced(
  line: MarkerLine,
  text: string,
  target: MarkerTarget,
  targets: readonly MarkerTarget[],
  registry: Registry,
): readonly Diagnostic[] {
  const name = registry.lookup(text, targets[0]!)!.name;
  if (NO_EFFECT.test(name)) return [];
  const places = targets.map((each) => (each === "package" ? "the package" : `a ${each}`)).join(" or ");
  const stands = target === "package" ? "a package" : `a ${target}`;
  const message = `marker ${JSON.stringify(`+${name}`)} has no meaning on ${stands}: it belongs on ${places}`;
  return [finding(line, "error", "misplaced-marker", message, 0, placeHint(targets))];
}

function placeHint(targets: readonly MarkerTarget[]): string {
  if (targets.includes("package")) return "put it into a comment that stands alone, with a blank line below it";
  return targets.includes("type")
    ? "put it directly above the declaration of the type"
    : "put it directly above the field inside its type";
}

function prefixed(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `+${name}`;
}

/** `+rbac:groups=…`: everything is right except that the prefix is missing. */
function withPrefix(text: string, registry: Registry): string | undefined {
  const whole = `+kubebuilder:${text.slice(1)}`;
  if (knownFor(whole, registry).length > 0) return whole;
  const validation = `+kubebuilder:validation:${text.slice(1)}`;
  return knownFor(validation, registry).length > 0 ? validation : undefined;
}

function holdsNonFinite(value: MarkerValue): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

function finding(
  line: MarkerLine,
  severity: Severity,
  id: Diagnostic["id"],
  message: string,
  offset: number,
  hint?: string,
): Diagnostic {
  const { file } = line;
  return { id, severity, message, file, line: line.line, column: line.column + offset, ...(hint ? { hint } : {}) };
}
