import { basename } from "node:path";

/** Version of this package. A test compares it with package.json. */
export const RUNTIME_VERSION = "0.1.0";

/**
 * Returns the name of the operator: that of the project in a scaffolded project's bundle (`KUBEWRIGHT_PROGRAM`), else that of
 * the script.
 */
export function programName(): string {
  return process.env.KUBEWRIGHT_PROGRAM || basename(process.argv[1] ?? "node");
}

/**
 * Returns `program/version (os/arch) kubewright`. API servers record the program as the field manager of writes and in audit
 * logs.
 */
export function defaultUserAgent(): string {
  const program = programName().replaceAll(/[^\w.-]/g, "_") || "node";
  return `${program}/${RUNTIME_VERSION} (${process.platform}/${process.arch}) kubewright`;
}
