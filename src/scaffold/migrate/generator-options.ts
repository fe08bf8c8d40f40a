import type { CustomResourceDefinition } from "../../kubernetes/custom-resource-definition.ts";
import { shown } from "../../text/shown.ts";
import type { GoFile } from "./left-behind.ts";

/** Facts that decide which options of controller-gen the new project keeps. */
export interface OptionFacts {
  /** The CRDs of its kinds. */
  readonly crds: readonly CustomResourceDefinition[];
  /** All files of the Go project. */
  readonly files: readonly GoFile[];
  /** Reports whether the generator accepts options, such as `crd:maxDescLen=0`: earlier versions of controller-gen had others. */
  readonly hasOption: (option: string) => boolean;
}

/** The options of a generator in the new project. */
export interface MigratedOptions {
  /** Such as `crd:maxDescLen=0`. */
  readonly text: string;
  /** The files of the Go project that they read, by path. */
  readonly files: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
}

/** Converts the options of a generator, such as `rbac:roleName=manager,fileName=roles.yaml`, to those of the new project. */
export function migratedOptions(text: string, facts: OptionFacts): MigratedOptions {
  const [, generator = "", list = ""] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  const kept: string[] = [];
  const notes: string[] = [];
  const files = new Map<string, string>();
  const leaveOut = (option: string, why: string) =>
    notes.push(`not taken over: the option ${shown(option)} of controller-gen: ${why}`);
  for (const argument of list.match(/(?:[^,{]|\{[^}]*(?:\}|$))+/g) ?? []) {
    const option = `${generator}:${argument}`;
    const [, name, value = ""] = /^(\w+)=(.*)$/.exec(argument) ?? [];
    const file =
      name === "headerFile" ? facts.files.find(({ path }) => path === value.replace(/^\.\//, "")) : undefined;
    if (!isPlain(argument)) leaveOut(option, "add it to the Makefile");
    else if (!facts.hasOption(withName(option))) leaveOut(option, "version 0.23 has no such option");
    else if (name === "fileName") leaveOut(option, "kustomize reads config/rbac/role.yaml");
    else if (name === "headerFile" && file === undefined) leaveOut(option, "the Go project doesn't contain the file");
    else if (name === "maxDescLen" && Number(value) > 0)
      kept.push(`maxDescLen=${descriptionLimit(Number(value), facts.crds, notes)}`);
    else kept.push(argument);
    if (file !== undefined && isPlain(argument)) files.set(file.path, file.text());
  }
  return { text: [generator, kept.join(",")].filter((part) => part !== "").join(":"), files, notes };
}

/** Adds the name of the role, which its generator requires. */
const withName = (option: string): string => option.replace(/^rbac:(?!roleName=)/, "rbac:roleName=a,");

/** Whether a text means the same in a Makefile and in a shell as on its own. */
const isPlain = (text: string): boolean => /^[\w:=,.{}/-]+$/.test(text);

/**
 * Returns the limit that keeps the descriptions of the CRDs as they are. They are cut already, and cut ones are longer than the limit,
 * because they end with dots: they would be cut again.
 */
function descriptionLimit(limit: number, crds: readonly CustomResourceDefinition[], notes: string[]): number {
  const longest = Math.max(limit, ...crds.map(longestDescription));
  if (longest > limit) {
    notes.push(
      `the option maxDescLen=${limit} of controller-gen is maxDescLen=${longest} now: the CRDs contain descriptions that it cut already, which are longer with their dots`,
    );
  }
  return longest;
}

/** Returns the length of the longest description below a value, in bytes. */
function longestDescription(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let longest = 0;
  for (const [key, child] of Object.entries(value)) {
    const length =
      key === "description" && typeof child === "string" ? Buffer.byteLength(child) : longestDescription(child);
    longest = Math.max(longest, length);
  }
  return longest;
}
