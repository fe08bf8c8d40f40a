// The rows whose answers are recorded, without the server.
import { readFileSync } from "node:fs";
import type { JsonObject } from "@kubewright/cel/json";
import type { Send } from "../api-builtin/send.ts";
import { createNamespaces, createPod, type Verdict } from "./exchange.ts";
import { minorVersions, ownPods, versioned } from "./pods.ts";

/** A Pod and the level that it is checked for. */
export interface Row {
  name: string;
  level: string;
  pod: JsonObject;
}

const at = (name: string): URL => new URL(`testdata/${name}`, import.meta.url);

/** @returns the values in a file with one value per line */
export function linesOf<T>(name: string): T[] {
  return readFileSync(at(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** @returns values as the text of a file with one value per line */
export function asLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

const levels = ["baseline", "restricted"];

/** @returns the recorded rows: upstream's newest fixtures, and the additional Pods */
export function rows(): Row[] {
  const fixtures = linesOf<{ name: string; pod: JsonObject }>("fixtures.jsonl");
  return [
    ...[...fixtures, ...ownPods].flatMap((named) => levels.map((level) => ({ ...named, level: `${level}:latest` }))),
    ...minorVersions.flatMap((minor) =>
      versioned
        .filter(({ until = minor }) => minor <= until)
        .flatMap(({ name, pod }) => levels.map((level) => ({ name, pod, level: `${level}:v1.${minor}` }))),
    ),
  ];
}

/** The recorded answer to a row. */
export interface RecordedAnswer extends Verdict {
  name: string;
  level: string;
}

/**
 * Sends all rows to a server.
 *
 * @param send - sends a request
 * @returns the answers, in the order of the rows
 */
export async function answersToRows(send: Send): Promise<RecordedAnswer[]> {
  const all = rows();
  await createNamespaces(send, [...new Set(all.map(({ level }) => level))]);
  const answers: RecordedAnswer[] = [];
  for (const { name, level, pod } of all) answers.push({ name, level, ...(await createPod(send, pod, level)) });
  return answers;
}
