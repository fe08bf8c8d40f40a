import { withoutComments } from "./go-comments.ts";
import { isBuilt } from "./go-packages.ts";
import type { GoFile } from "./left-behind.ts";

/** The part of the new project in which a Go function is written again. */
export type CodePart = "controller" | "webhook" | "conversion";

/** A function of the Go code that isn't converted. */
export interface GoFunction {
  readonly part: CodePart;
  /** Such as `Reconcile`. */
  readonly name: string;
  /** Relative to the Go project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /**
   * The names of types that can be its kind, by evidence: the best ones first. Names that follow from those of the receiver or
   * the file are in lowercase.
   */
  readonly kinds: readonly (readonly string[])[];
}

const names: Readonly<Record<string, CodePart>> = {
  Reconcile: "controller",
  SetupWithManager: "controller",
  Default: "webhook",
  ValidateCreate: "webhook",
  ValidateUpdate: "webhook",
  ValidateDelete: "webhook",
  Handle: "webhook",
  ConvertTo: "conversion",
  ConvertFrom: "conversion",
};

/** The lengths in the expressions are limited, so that the search takes linear time. */
const declaration = new RegExp(
  String.raw`^func[ \t]*\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]{0,200}\])?\s*\)\s*(${Object.keys(names).join("|")})\(([^)]{0,1000})\)([^{]{0,500})\{`,
  "gm",
);
/** Settings of a controller that the scaffolded one doesn't have. */
const ownSettings =
  /\.\s*(?:Owns|Watches|WatchesMetadata|WatchesRawSource|WithEventFilter|WithOptions|IndexField|Watch)\(|\b(?:predicate|builder)\.With/;
const typeOf = String.raw`&(?:\w+\.)?([A-Z]\w*)\{`;
const managed = new RegExp(String.raw`\.\s*For\(\s*${typeOf}`, "g");
const setup = /^func[ \t]*\(\s*(?:\w+\s+)?\*?(\w+)\s*\)\s*SetupWithManager\w*\(/gm;
const admitted = new RegExp(
  String.raw`\bNewWebhookManagedBy\([^)]{0,500}?${typeOf}|\bNewWebhookManagedBy\([^)]{0,500}\)\s*\.\s*For\(\s*${typeOf}`,
  "g",
);

/** Finds the functions that controller-runtime calls: those of controllers, webhooks and conversions. */
export function goFunctions(files: readonly GoFile[]): GoFunction[] {
  return files
    .filter(({ path }) => path.endsWith(".go") && !/(^|\/)(mocks?|fakes?|test|e2e)\//.test(path))
    .flatMap((file) => {
      const text = file.text();
      return isBuilt(file.path, text, "compiler") ? functionsIn(file.path, withoutComments(text)) : [];
    });
}

function functionsIn(file: string, text: string): GoFunction[] {
  const found: GoFunction[] = [];
  const controlled = controllersIn(text);
  const admittedTypes = typesIn(text, admitted);
  let line = 1;
  let counted = 0;
  for (const match of text.matchAll(declaration)) {
    for (let at = text.indexOf("\n", counted); at >= 0 && at < match.index; at = text.indexOf("\n", counted)) {
      counted = at + 1;
      line++;
    }
    const [whole, receiver = "", name = "", parameters = "", results = ""] = match;
    const part = names[name];
    const body = bodyAt(text, match.index + whole.length);
    if (part === undefined || !isCalled(name, receiver, parameters, results, body)) continue;
    const parts = [...parameters.matchAll(/\*(?:\w+\.)?([A-Z]\w*)/g)].map(([, type = ""]) => type);
    const set = part === "controller" ? (controlled.get(receiver) ?? []) : admittedTypes;
    found.push({
      ...{ part, name, file, line },
      kinds: [part === "conversion" ? [] : parts, [receiver], set, [ofReceiver(receiver)], [ofFile(file)]],
    });
  }
  return found;
}

/** Whether controller-runtime calls a function, which other functions of the same name aren't for. */
function isCalled(name: string, receiver: string, parameters: string, results: string, body: string): boolean {
  switch (name) {
    case "Reconcile":
      return /\bResult\b/.test(results) && /\bContext\b/.test(parameters);
    case "SetupWithManager":
      return /\bManager\b/.test(parameters) && ownSettings.test(body) && !/\bNewWebhookManagedBy\b/.test(body);
    case "Handle":
      return /\badmission\.Request\b/.test(parameters);
    case "ConvertTo":
    case "ConvertFrom":
      return /\bHub\b/.test(parameters) && !receiver.endsWith("List");
    case "Default":
      return (parameters.trim() === "" || /\bContext\b/.test(parameters)) && !/\bbool\b/.test(results);
    default:
      return /\berror\b/.test(results);
  }
}

/** Returns the types for which each receiver's own function creates a controller. */
function controllersIn(text: string): Map<string, string[]> {
  const types = new Map<string, string[]>();
  for (const { 1: receiver = "", index } of text.matchAll(setup)) {
    if (!types.has(receiver)) types.set(receiver, typesIn(bodyAt(text, index), managed));
  }
  return types;
}

/** Returns the rest of a function. It ends before the next function at the latest, so no text belongs to two functions. */
function bodyAt(text: string, index: number): string {
  const end = /\n(?:\}|func\b)|$/g;
  end.lastIndex = index;
  return text.slice(index, end.exec(text)?.index);
}

function typesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, first, second]) => [first ?? second ?? ""]);
}

/** `GameReconciler` → `game`. */
function ofReceiver(receiver: string): string {
  return receiver
    .replace(/^Reconcile(?=[A-Z])/, "")
    .replace(/(?:Custom)?(?:Reconciler|Controller|Defaulter|Validator|Webhook|Handler){1,3}$/i, "")
    .toLowerCase();
}

/** `internal/controller/game_controller.go` → `game`. */
function ofFile(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.go$/, "");
  return name
    .replace(/_(?:controller|reconciler|webhook|conversion|types|handler|validator|defaulter)$/, "")
    .replaceAll("_", "")
    .toLowerCase();
}
