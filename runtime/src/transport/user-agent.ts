import { basename } from "node:path";

/** Version of this package. A test compares it with package.json. */
export const RUNTIME_VERSION = "0.1.0";

/**
 * Returns `program/version (os/arch) kubewright`. API servers record the program as the field manager of writes and in audit
 * logs. A scaffolded project's bundle contains the project's name as `KUBEWRIGHT_PROGRAM`; without it, the script's name is
 * used.
 */
export function defaultUserAgent(): string {
  const name = process.env.KUBEWRIGHT_PROGRAM || basename(process.argv[1] ?? "node");
  const program = name.replaceAll(/[^\w.-]/g, "_") || "node";
  return `${program}/${RUNTIME_VERSION} (${process.platform}/${process.arch}) kubewright`;
}
