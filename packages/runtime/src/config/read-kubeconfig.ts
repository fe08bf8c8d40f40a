import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { readYamlDocument } from "@kubewright/cel/yaml";
import {
  ConfigError,
  type Kubeconfig,
  type KubeconfigCluster,
  type KubeconfigContext,
  type KubeconfigUser,
} from "./kubeconfig.ts";

type Fields = Record<string, unknown>;

const CLUSTER_FILES = ["certificate-authority"];
const USER_FILES = ["client-certificate", "client-key", "tokenFile"];

/**
 * Reads and merges files like kubectl: the first file that sets a cluster, user, context or the current context takes
 * precedence. Missing files are ignored unless `mustExist` is set. Throws a `ConfigError`.
 */
export function readKubeconfigs(files: readonly string[], mustExist: boolean): Kubeconfig {
  const clusters = new Map<string, KubeconfigCluster>();
  const users = new Map<string, KubeconfigUser>();
  const contexts = new Map<string, KubeconfigContext>();
  let currentContext = "";
  for (const file of files) {
    if (!mustExist && !existsSync(file)) continue;
    const document = readDocument(file);
    const directory = dirname(resolve(file));
    for (const [name, cluster] of entries(document, "clusters", "cluster", file)) {
      if (!clusters.has(name)) clusters.set(name, absolute(cluster, CLUSTER_FILES, directory));
    }
    for (const [name, user] of entries(document, "users", "user", file)) {
      if (users.has(name)) continue;
      const own = absolute(user, USER_FILES, directory) as KubeconfigUser;
      if (own.exec) own.exec = { ...own.exec, directory };
      users.set(name, own);
    }
    for (const [name, context] of entries(document, "contexts", "context", file)) {
      if (!contexts.has(name)) contexts.set(name, context);
    }
    const current = document["current-context"];
    if (currentContext === "" && typeof current === "string") currentContext = current;
  }
  return { clusters, users, contexts, currentContext };
}

function readDocument(file: string): Fields {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`can't read the kubeconfig ${file}: ${reason(error)}`, { cause: error });
  }
  let document: unknown;
  try {
    document = readYamlDocument(text).value;
  } catch (error) {
    throw new ConfigError(`the kubeconfig ${file} isn't valid YAML: ${withoutQuotes(reason(error))}`);
  }
  if (document === undefined || document === null) return {};
  checkSize(document, file);
  if (typeof document !== "object" || Array.isArray(document))
    throw new ConfigError(`the kubeconfig ${file} must contain an object`);
  const { kind } = document as Fields;
  if (kind !== undefined && kind !== "Config")
    throw new ConfigError(`${file} isn't a kubeconfig: its kind is ${String(kind)}`);
  return document as Fields;
}

/** Hides what a message of the parser quotes, from its first quotation mark to its last, because it can be a credential. */
function withoutQuotes(message: string): string {
  const first = message.search(/["']/);
  const last = Math.max(message.lastIndexOf('"'), message.lastIndexOf("'"));
  return first < last ? `${message.slice(0, first)}"…"${message.slice(last + 1)}` : message;
}

/**
 * Maximum number of values in a kubeconfig, including repetitions by aliases. It is sufficient for ten thousand clusters.
 */
const maxValues = 200_000;
/** Maximum nesting depth. The exec plugin of a user requires six levels. */
const maxDepth = 100;

/** Rejects documents whose aliases expand to more values than the limit. */
function checkSize(document: unknown, file: string): void {
  let left = maxValues;
  const walk = (value: unknown, depth: number): void => {
    if (left-- <= 0) throw new ConfigError(`the kubeconfig ${file} is too large: the limit is ${maxValues} values`);
    if (depth > maxDepth) throw new ConfigError(`the kubeconfig ${file} nests deeper than ${maxDepth} levels`);
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) walk(inner, depth + 1);
  };
  walk(document, 0);
}

// Iterates lists such as `clusters: [{ name, cluster: {…} }]`.
function* entries(document: Fields, list: string, field: string, file: string): Generator<[string, Fields]> {
  const value = document[list] ?? [];
  if (!Array.isArray(value)) throw new ConfigError(`the kubeconfig ${file} is invalid: ${list} must be a list`);
  for (const entry of value as (Fields | null)[]) {
    if (typeof entry?.name !== "string")
      throw new ConfigError(`the kubeconfig ${file} is invalid: an entry of ${list} has no name`);
    const inner = entry[field] ?? {};
    if (typeof inner !== "object" || Array.isArray(inner)) {
      throw new ConfigError(`the kubeconfig ${file} is invalid: the ${field} ${entry.name} must be an object`);
    }
    yield [entry.name, inner as Fields];
  }
}

function absolute(fields: Fields, names: readonly string[], directory: string): Fields {
  const out = { ...fields };
  for (const name of names) {
    const path = out[name];
    if (typeof path === "string" && path !== "") out[name] = resolve(directory, path);
  }
  return out;
}

/** Returns the first line of an error's message. */
export function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0]!;
}
