import { resolve } from "node:path";
import { printYaml } from "@kubewright/cel/yaml";
import type { Config, ExecConfig } from "../../config/config.ts";

const base64 = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, "utf8").toString("base64");

/**
 * Returns a kubeconfig for the server and the credentials of a configuration.
 *
 * @param config - connection settings and credentials
 * @returns the kubeconfig as text, with one context
 */
export function kubeconfigFor(config: Config): string {
  const name = "envtest";
  const cluster = {
    server: config.host,
    "certificate-authority-data": base64(config.ca),
    "insecure-skip-tls-verify": config.insecureSkipTLSVerify,
    "tls-server-name": config.tlsServerName,
    "proxy-url": config.proxyUrl,
    "disable-compression": config.disableCompression,
  };
  const user = {
    "client-certificate-data": base64(config.cert),
    "client-key-data": base64(config.key),
    token: config.token,
    tokenFile: config.tokenFile,
    username: config.username,
    password: config.password,
    as: config.impersonate?.userName,
    "as-uid": config.impersonate?.uid,
    "as-groups": config.impersonate?.groups,
    "as-user-extra": config.impersonate?.extra,
    exec: config.exec && execOf(config.exec),
  };
  return printYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: config.namespace } }],
    "current-context": name,
  });
}

// Relative commands are resolved from the directory of the original file, which differs from that of the new one.
function execOf({ directory, cluster: _cluster, command, ...exec }: ExecConfig): object {
  const isRelative = /[\\/]/.test(command) && directory !== undefined;
  return { ...exec, command: isRelative ? resolve(directory, command) : command };
}
