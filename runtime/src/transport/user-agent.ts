import { basename } from "node:path";

/** The version of this package, as its package.json has it (a test compares them). */
export const RUNTIME_VERSION = "0.1.0";

/** `program/version (os/arch) kubewright`: what API servers write in their audit logs and field managers. */
export function defaultUserAgent(): string {
  const program = basename(process.argv[1] ?? "node").replaceAll(/[^\w.-]/g, "_") || "node";
  return `${program}/${RUNTIME_VERSION} (${process.platform}/${process.arch}) kubewright`;
}
