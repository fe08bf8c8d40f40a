import type { Diagnostic, Severity } from "../../diagnostics/diagnostic.ts";
import { fixHint } from "./fix-hints.ts";
import { corrected, isValidMarker, renamed, replacement } from "./fixes.ts";
import type { Marker, MarkerLine } from "./marker.ts";
import type { MarkerDefinition, MarkerTarget } from "./model/definition.ts";
import type { MarkerValue } from "./model/marker-value.ts";
import { parseMarker } from "./parse.ts";
import type { Registry } from "./registry.ts";
import { withSeparators } from "./separators.ts";
import { knownFor, nearestName, nearMiss, repair } from "./suggest.ts";

/** Prefixes under `kubebuilder:` of markers for the scaffolder and documentation tools, which the generator ignores. */
const OTHER_TOOLS = ["kubebuilder:scaffold:", "kubebuilder:docs-gen:"];

/** Markers of other tools that are similar to ours. */
const OTHER_WORDS = new Set(["groupGoName"]);

/** The maximum length of a name that is compared with known names, in UTF-16 code units. The longest known name has about 60. */
const longestName = 200;

/** The result for one line: a marker, diagnostics, both (a warning), or nothing for lines of other tools. */
export interface ParsedLine {
  readonly marker?: Marker;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses one line that begins with `+`, for the target that it is on. */
export function parseMarkerLine(
  markerLine: MarkerLine,
  target: Exclude<MarkerTarget, "option">,
  registry: Registry,
): ParsedLine {
  const text = markerLine.text.trim();
  if (!text.startsWith("+")) return { diagnostics: [] };
  const line = { ...markerLine, text, column: markerLine.column + markerLine.text.indexOf("+") };
  const definition = registry.lookup(text, target);
  if (definition) return readMarker(line, definition);
  return { diagnostics: explainUnknown(line, text, target, registry) };
}

/** Parses a marker whose definition is known. Its line begins with `+` and has no trailing whitespace. */
export function readMarker(line: MarkerLine, definition: MarkerDefinition): ParsedLine {
  const { text } = line;
  const { value, error, places, warnings } = parseMarker(definition, text);
  const name = `+${definition.name}`;
  if (error || value === undefined) {
    const problem = error ?? { message: "no value", offset: 0 };
    const message = `${name}: ${problem.message}`;
    const hint = fixHint(definition, text, problem);
    const fixed = corrected(definition, text, problem);
    return { diagnostics: [finding(line, "error", "invalid-marker", message, problem.offset, hint, fixed)] };
  }
  if (holdsNonFinite(value)) {
    const message = `${name}: ${String(value)} isn't a valid JSON number`;
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
  const valid = (candidate: string | undefined) =>
    candidate !== undefined && !isLong && isValidMarker(candidate, target, registry) ? candidate : undefined;
  const withName = (near: string | undefined) =>
    near === undefined || isLong ? undefined : renamed(text, near, target, registry);
  if (repaired !== undefined && /^\+\s|\s:?$/.test(left)) {
    const afterPlus = /^\+\s/.test(text);
    const message = afterPlus
      ? `${JSON.stringify(text)} isn't read as a marker because of the space after the +`
      : `${JSON.stringify(text)} isn't read as a marker because of the space before the =`;
    const offset = afterPlus ? 1 : left.replace(/(?<!\s)\s+:?$/, "").length;
    return [
      finding(line, "error", "blank-in-marker", message, offset, `change it to \`${repaired}\``, valid(repaired)),
    ];
  }

  const name = left.slice(1).trim();
  const separated = withSeparators(text, registry);
  const word = name.replace(/\s.*$/s, "");
  const isKnown = knownFor(`+${word}`, registry).length > 0;
  if (separated !== undefined && isKnown && word.includes(":")) {
    const message = `${JSON.stringify(text)} isn't read as a marker because of the space after the name`;
    return [
      finding(
        line,
        "error",
        "blank-in-marker",
        message,
        word.length + 1,
        `change it to \`${separated}\``,
        valid(separated),
      ),
    ];
  }
  const shown = isKnown ? name : word.replace(/:$/, "");
  const hint = (candidate: string | undefined) =>
    candidate === undefined ? undefined : `did you mean \`${candidate}\`?`;
  if (name.startsWith("kubebuilder:")) {
    if (OTHER_TOOLS.some((prefix) => name.startsWith(prefix))) return [];
    const nearest = nearestName(text, target, registry);
    const near = separated ?? repaired ?? prefixed(nearest);
    const fixed = valid(separated) ?? valid(repaired) ?? withName(nearest);
    const message = `unknown marker ${JSON.stringify(`+${shown}`)}`;
    return [finding(line, "error", "unknown-marker", message, 0, hint(near), fixed)];
  }
  if (name.startsWith("k8s:")) {
    const near = nearMiss(text, "k8s:", registry);
    if (near === undefined) return [];
    const suggestion = hint(separated ?? repaired ?? `+${near}`);
    const fixed = valid(separated) ?? valid(repaired) ?? withName(near);
    const message = `unknown marker ${JSON.stringify(`+${shown}`)}`;
    return [finding(line, "error", "unknown-marker", message, 0, suggestion, fixed)];
  }
  if (OTHER_WORDS.has(shown)) return [];
  const near = repaired ?? prefixed(nearMiss(text, "", registry)) ?? withPrefix(text, registry);
  if (near === undefined) return [];
  const message = `unknown marker ${JSON.stringify(`+${shown}`)}, which is similar to a known one`;
  // The line may be one of another tool, so a similar name isn't evident.
  const fixed = valid(repaired) ?? valid(withPrefix(text, registry));
  return [finding(line, "warning", "near-miss-marker", message, 0, hint(near), fixed)];
}

function misplaced(
  line: MarkerLine,
  text: string,
  target: MarkerTarget,
  targets: readonly MarkerTarget[],
  registry: Registry,
): readonly Diagnostic[] {
  const { name, isAcceptedAnywhere } = registry.lookup(text, targets[0]!)!;
  if (isAcceptedAnywhere) return [];
  const places = targets
    .map((markerTarget) => (markerTarget === "package" ? "the package" : `a ${markerTarget}`))
    .join(" or ");
  const place = target === "package" ? "a package" : `a ${target}`;
  const message = `marker ${JSON.stringify(`+${name}`)} isn't valid on ${place}: it belongs on ${places}`;
  return [finding(line, "error", "misplaced-marker", message, 0, placeHint(targets))];
}

function placeHint(targets: readonly MarkerTarget[]): string {
  if (targets.includes("package")) return "move it to a separate comment, followed by an empty line";
  return targets.includes("type")
    ? "move it directly above the declaration of the type"
    : "move it directly above the field inside its type";
}

function prefixed(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `+${name}`;
}

/** Returns a marker that is valid except for its missing prefix, such as `+rbac:groups=…`, with the prefix. */
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
  fixed?: string,
): Diagnostic {
  const { file } = line;
  return {
    ...{ id, severity, message, file, line: line.line, column: line.column + offset },
    ...(hint ? { hint } : {}),
    ...(fixed === undefined ? {} : { fixes: [replacement(line, fixed)] }),
  };
}
