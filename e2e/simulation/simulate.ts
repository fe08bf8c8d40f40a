// Runs `scaffold simulate` in the projects of testdata.
import { fileURLToPath } from "node:url";
import { run } from "../../scripts/lib/run.mjs";

export const bin = fileURLToPath(new URL("../../bin/scaffold.js", import.meta.url));
export const project = (name: string): string => fileURLToPath(new URL(`testdata/${name}`, import.meta.url));

export interface Finding {
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

export async function simulate(name: string, ...flags: string[]) {
  return run(process.execPath, [bin, "simulate", ...flags], { cwd: project(name) });
}

export async function report(name: string, ...flags: string[]): Promise<Report> {
  return JSON.parse((await simulate(name, "--json", ...flags)).stdout) as Report;
}
