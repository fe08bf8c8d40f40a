import type { MarkerValue } from "../markers/index.ts";
import type { OutputRule } from "./config.ts";

/** Splits `output:<rule>` or `output:<generator>:<rule>`. */
export function splitOutputRule(name: string): { generator?: string; rule: string } {
  const [, second, third] = name.split(":");
  return third === undefined ? { rule: second! } : { generator: second!, rule: third };
}

/** Reads the value of an output rule. The registry contains only these four rules. */
export function readOutputRule(rule: string, value: MarkerValue): OutputRule {
  switch (rule) {
    case "dir":
      return { kind: "dir", directory: value as string };
    case "artifacts": {
      const { config, code } = value as { config: string; code: string };
      return { kind: "artifacts", config, ...(code === "" ? {} : { code }) };
    }
    case "stdout":
      return { kind: "stdout" };
    case "none":
      return { kind: "none" };
    default:
      throw new Error(`output rule ${rule} is registered, but can't be read`);
  }
}
