// Runs `scaffold simulate` in the projects of testdata.
import { fileURLToPath } from "node:url";
import type { Finished } from "../../scripts/lib/run.mjs";
import { expectOutput } from "../../scripts/test-support/output-schema.ts";
import { attemptScaffold } from "../../scripts/test-support/scaffold.ts";

export const project = (name: string): string => fileURLToPath(new URL(`testdata/${name}`, import.meta.url));

interface Finding {
  invariant: string;
  message: string;
  seed: number;
  faults: string[];
  replay: string;
  position: number;
  timeline: Record<string, unknown>[];
}

export interface Report {
  schedules: number;
  seconds: number;
  faults: Record<string, number>;
  findings: Finding[];
}

export function simulate(name: string, ...flags: string[]): Promise<Finished> {
  return attemptScaffold(project(name), "simulate", ...flags);
}

export async function report(name: string, ...flags: string[]): Promise<Report> {
  const parsed: Report = JSON.parse((await simulate(name, "--json", ...flags)).stdout);
  expectOutput("simulate", parsed);
  return parsed;
}
