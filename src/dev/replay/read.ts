import { readFileSync, statSync } from "node:fs";
import type { Replay, ReplayEntry, ReplayFinding } from "@kubewright/dashboard/protocol";
import { ProblemError } from "../../project/problem-error.ts";
import { printable } from "../../text/shown.ts";
import { maxReportBytes } from "../../yaml/budget.ts";
import { readJson } from "../../yaml/json.ts";

const createHint = "create the file: npx scaffold simulate --json > findings.json";

/** The file isn't the report of a simulation, or a too large one. */
class ShapeError extends Error {
  readonly hint: string;

  constructor(message: string, hint = createHint) {
    super(message);
    this.hint = hint;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the report of a simulation.
 *
 * @param path - path of the file
 * @param source - the path as the user wrote it
 * @returns its findings; keys that the format doesn't have are left out
 * @throws ProblemError if the file can't be read, or isn't the output of `scaffold simulate --json`
 */
export function readReplay(path: string, source: string): Replay {
  try {
    const { size } = statSync(path);
    if (size > maxReportBytes) {
      throw new ShapeError(
        `it has ${size} bytes, and the limit is ${maxReportBytes}`,
        "replay one schedule: npx scaffold simulate --seed NUMBER --json > findings.json",
      );
    }
    return { source, ...reportOf(readJson(readFileSync(path, "utf8"), maxReportBytes)) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? message : (systemErrors[code] ?? message);
    throw new ProblemError(
      "invalid-replay",
      `can't replay ${printable(source)}: ${printable(reason)}`,
      error instanceof ShapeError ? error.hint : createHint,
    );
  }
}

const systemErrors: Readonly<Record<string, string>> = {
  ENOENT: "the file doesn't exist",
  EISDIR: "it is a directory",
  EACCES: "the file isn't readable",
};

function reportOf(value: unknown): Omit<Replay, "source"> {
  const report = fieldsOf(value, "the report");
  const faults = Object.entries(fieldsOf(report.faults, "faults"));
  return {
    schedules: numberOf(report, "schedules"),
    seconds: numberOf(report, "seconds"),
    faults: Object.fromEntries(faults.map(([name, count]) => [name, checkedNumber(count, `faults.${name}`)])),
    findings: listOf(report, "findings").map((finding, index) => findingOf(finding, `findings[${index}]`)),
  };
}

function findingOf(value: unknown, path: string): ReplayFinding {
  const finding = fieldsOf(value, path);
  const { replay, position } = finding;
  return {
    file: textOf(finding, "file", path),
    test: textOf(finding, "test", path),
    invariant: textOf(finding, "invariant", path),
    message: textOf(finding, "message", path),
    seed: numberOf(finding, "seed", path),
    faults: listOf(finding, "faults", path).map((name, index) => checkedText(name, `${path}.faults[${index}]`)),
    ...(replay === undefined ? {} : { replay: textOf(finding, "replay", path) }),
    ...(position === undefined ? {} : { position: numberOf(finding, "position", path) }),
    timeline: listOf(finding, "timeline", path).map((entry, index) => entryOf(entry, `${path}.timeline[${index}]`)),
  };
}

function entryOf(value: unknown, path: string): ReplayEntry {
  const entry = fieldsOf(value, path);
  return {
    step: numberOf(entry, "step", path),
    time: numberOf(entry, "time", path),
    actor: textOf(entry, "actor", path),
    action: textOf(entry, "action", path),
    object: textOf(entry, "object", path),
    revision: textOf(entry, "revision", path),
    detail: textOf(entry, "detail", path),
  };
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ShapeError(`${path}: must be an object`);
}

function listOf(fields: Fields, name: string, path = ""): readonly unknown[] {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  throw new ShapeError(`${joined(path, name)}: must be an array`);
}

function textOf(fields: Fields, name: string, path = ""): string {
  return checkedText(fields[name], joined(path, name));
}

function numberOf(fields: Fields, name: string, path = ""): number {
  return checkedNumber(fields[name], joined(path, name));
}

function checkedText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  throw new ShapeError(`${path}: must be a string`);
}

function checkedNumber(value: unknown, path: string): number {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new ShapeError(`${path}: must be a number of at least 0`);
}

function joined(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
