import { hash } from "node:crypto";
import type { Files } from "../source/files.ts";

/** A read access of a run, and the digest of its result. Plain data. */
export interface Observation {
  readonly ask: keyof Files;
  readonly args: readonly unknown[];
  readonly answer: string;
}

/** File access that records all reads. */
export interface RecordedFiles {
  readonly files: Files;
  /** Undefined if the same read had two results: then the output doesn't belong to one state of the files. */
  observations(): readonly Observation[] | undefined;
}

/** Forwards reads to `files` and records them. */
export function recordFiles(files: Files): RecordedFiles {
  const seen = new Map<string, Observation>();
  let torn = false;
  const note = (ask: keyof Files, args: readonly unknown[], answer: string) => {
    const key = JSON.stringify([ask, args]);
    const before = seen.get(key);
    if (before !== undefined && before.answer !== answer) torn = true;
    seen.set(key, { ask, args, answer });
  };
  const recording = Object.fromEntries(
    questions(files).map((ask) => [
      ask,
      (...args: unknown[]) => {
        try {
          const answer = put(files, ask, args);
          note(ask, args, digest(answer));
          return answer;
        } catch (error) {
          note(ask, args, refusal(error));
          throw error;
        }
      },
    ]),
  );
  return {
    files: recording as unknown as Files,
    observations: () => (torn ? undefined : [...seen.values()]),
  };
}

/** Returns whether a read has the same result now. */
export function stillHolds(files: Files, { ask, args, answer }: Observation): boolean {
  try {
    return questions(files).includes(ask) && digest(put(files, ask, args)) === answer;
  } catch (error) {
    return refusal(error) === answer;
  }
}

function questions(files: Files): (keyof Files)[] {
  return Object.keys(files) as (keyof Files)[];
}

function put(files: Files, ask: keyof Files, args: readonly unknown[]): unknown {
  return (files[ask] as (...args: readonly unknown[]) => unknown)(...args);
}

function digest(answer: unknown): string {
  // The prefix distinguishes a text from a JSON value: the text `true` isn't the value `true`.
  return hash("sha256", typeof answer === "string" ? `t${answer}` : `j${JSON.stringify(answer)}`, "base64");
}

/** Describes a failed read. It is recorded, too, because the result is outdated once the file can be read. */
function refusal(error: unknown): string {
  return `refused ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
}
