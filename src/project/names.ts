import { inputProblem, type Problem } from "./problem.ts";

// Each rule gives the problem with a value, or undefined. All of them are asked before anything is written.

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** A value as messages show it: quoted, without control characters, cut where it gets long. */
export function shown(value: string): string {
  const cut = value.length > 60 ? `${value.slice(0, 57)}...` : value;
  return printable(JSON.stringify(cut));
}

/** Text without the characters that a terminal obeys or that turn its reading around. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Whether a value is a DNS label (RFC 1123). */
export function isLabel(value: unknown): boolean {
  return typeof value === "string" && value.length <= 63 && label.test(value);
}

/** Whether a value is a DNS name (RFC 1123). */
export function isSubdomain(value: unknown): boolean {
  return typeof value === "string" && value.length <= 253 && value.split(".").every(isLabel);
}

/** `--domain`: a DNS name. */
export function domainProblem(domain: string): Problem | undefined {
  if (isSubdomain(domain) && domain.length > 0) return undefined;
  return inputProblem(
    "bad-domain",
    `--domain ${shown(domain)} is not a DNS name: lower-case letters, digits, "-" and ".", at most 253 characters, such as example.com`,
  );
}

/** Directories that are no place for sources: `make manifests` skips them, git does, or Windows has a device of that name. */
const closedDirectories = /^(coverage|dist|testdata|vendor|(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?)$/;

/** `--group`: the group without the domain; `qualified` is both together. */
export function groupProblem(group: string, domain: string): Problem | undefined {
  if (group === "" && domain === "") return inputProblem("missing-group", "--group is missing, such as --group shop");
  if (closedDirectories.test(group)) {
    return inputProblem(
      "reserved-group",
      `--group ${group} can't be used: a directory of that name is passed over by make manifests or git, or can't be made on Windows; take another, such as shop`,
    );
  }
  const qualified = [group, domain].filter((part) => part !== "").join(".");
  if ((group === "" || isSubdomain(group)) && isSubdomain(qualified)) return undefined;
  return inputProblem(
    "bad-group",
    `--group ${shown(group)} is not a DNS name: lower-case letters, digits, "-" and ".", with the domain at most 253 characters, such as shop`,
  );
}

/** `--version`: what Kubernetes orders as a version. It is a directory's name too. */
export function versionProblem(version: string): Problem | undefined {
  if (/^v[1-9][0-9]{0,8}((alpha|beta)[1-9][0-9]{0,8})?$/.test(version)) return undefined;
  return inputProblem("bad-version", `--version ${shown(version)} is no API version: v1, v1alpha1 or v1beta1 are`);
}

/** `--plural`: the resource name in URLs. */
export function pluralProblem(plural: string): Problem | undefined {
  if (plural.length <= 63 && label1035.test(plural)) return undefined;
  return inputProblem(
    "bad-plural",
    `--plural ${shown(plural)} is no resource name: lower-case letters, digits and "-", beginning with a letter, at most 63 characters, such as games`,
  );
}

/** The longest name that can't be another: the Deployment's is in the host names of its Pods, which are labels. */
const longestProjectName = 63 - "-controller-manager".length;

/** `--project-name`: names the namespace and prefixes every object of the deployment. */
export function projectNameProblem(name: string): Problem | undefined {
  const fits = name.length <= longestProjectName;
  if (fits && label.test(name) && !/^[0-9]+$/.test(name)) return undefined;
  const allowed = `lower-case letters, digits and "-", at most ${longestProjectName} characters, such as mygame`;
  return inputProblem(
    "bad-project-name",
    fits || !label.test(name)
      ? `--project-name ${shown(name)} is no DNS label: ${allowed}`
      : `--project-name ${shown(name)} is too long, it has ${name.length} characters: ${allowed} (its Deployment <name>-controller-manager may have 63)`,
  );
}

/** The metrics' Service without the project's prefix: kubebuilder's name, or a shorter one where no Service may have that. */
export function metricsServiceName(projectName: string): string {
  const usual = "controller-manager-metrics-service";
  return isLabel(`${projectName}-${usual}`) ? usual : "metrics-service";
}

/** The kind cluster of the end-to-end tests: its node's host name, with `-control-plane`, may have 63 characters. */
export function testClusterName(projectName: string): string {
  const end = "-test-e2e";
  const rest = 63 - "-control-plane".length - end.length;
  return `${projectName.slice(0, rest).replace(/-+$/, "")}${end}`;
}

/** Text that goes into comments and licence files: anything printable on one line. */
export function ownerProblem(owner: string): Problem | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\*\//.test(owner) && owner.trim() !== "") return undefined;
  return inputProblem(
    "bad-owner",
    `--owner ${shown(owner)} must be one line of text without "*/", such as "Acme Inc."`,
  );
}
