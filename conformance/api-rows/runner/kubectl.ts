// Runs a kubectl command line of a step.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "@kubewright/cel/json";
import type { Step } from "./row.ts";

/** The directories of a scenario, which don't occur in its output. */
export interface KubectlPlaces {
  readonly work: string;
  readonly home: string;
  readonly kubeconfig: string;
}

/** Returns the exit code and the output. */
export function runKubectl(step: Step, { work, home, kubeconfig }: KubectlPlaces): Promise<JsonObject> {
  mkdirSync(work, { recursive: true });
  mkdirSync(home, { recursive: true });
  for (const [name, content] of Object.entries(step.files ?? {})) {
    mkdirSync(dirname(join(work, name)), { recursive: true });
    const text = typeof content === "string" ? content : JSON.stringify(content);
    writeFileSync(join(work, name), text, { mode: 0o755 });
  }
  const { kubectl = [], stdin = "", as } = step;
  const args = typeof kubectl === "string" ? splitWords(kubectl) : kubectl;
  const own = { HOME: home, KUBECONFIG: kubeconfig, TMPDIR: work, LANG: "C" };
  return new Promise((resolve) => {
    const child = spawn("kubectl", [...(as ? ["--as", as] : []), ...args], {
      cwd: work,
      env: { PATH: process.env.PATH, ...own, ...step.env },
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].on("data", (chunk) => {
        output[stream] += chunk;
      });
    }
    // kubectl may end without reading its input.
    child.stdin.on("error", () => {});
    child.stdin.end(typeof stdin === "string" ? stdin : JSON.stringify(stdin));
    const timer = setTimeout(() => child.kill("SIGKILL"), step.timeoutMs ?? 60_000);
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ code: -1, stderr: String(error) });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const clean = (text: string): string => text.replaceAll(work, "<dir>").replaceAll(home, "<home>");
      resolve({ code: code ?? signal, stdout: clean(output.stdout), stderr: clean(output.stderr) });
    });
  });
}

/** Splits a command line at spaces outside of quotes. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_quoted, single?: string, double?: string) => single ?? double ?? ""),
  );
}
