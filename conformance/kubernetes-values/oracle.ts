import { execFileSync } from "node:child_process";
import { join } from "node:path";

/**
 * Reads texts with the libraries of Kubernetes.
 *
 * @param requests - operations of `oracle/main.go` with their input
 * @returns the answers
 */
export function askOracle(requests: readonly object[]): Record<string, unknown>[] {
  const output = execFileSync("go", ["run", "."], {
    cwd: join(import.meta.dirname, "oracle"),
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(""),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
