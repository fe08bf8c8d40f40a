import { hash } from "node:crypto";
import type { Files } from "../source/files.ts";

/** A question that a run asked, and the digest of the answer it got. Plain data. */
export interface Observation {
  readonly ask: keyof Files;
  readonly args: readonly unknown[];
  readonly answer: string;
}

/** Files that keep account of what they were asked. */
export interface RecordedFiles {
  readonly files: Files;
  /** Undefined if one question got two answers: then what was made of them belongs to no one state. */
  observations(): readonly Observation[] | undefined;
}

/** Answers from `files`, and remembers what was asked. */
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

/** Whether the question gets the same answer now. */
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
  // A letter before each kind: the text `true` is not the answer `true`.
  return hash("sha256", typeof answer === "string" ? `t${answer}` : `j${JSON.stringify(answer)}`, "base64");
}

/** A file that can't be read is an answer too: it is one no more when it can. */
function refusal(error: unknown): string {
  return `refused ${(error as NodeJS.ErrnoException).code ?? String(error)}`;
}
