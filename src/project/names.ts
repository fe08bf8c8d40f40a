import { shown } from "../text/shown.ts";
import { inputProblem, type Problem } from "./problem.ts";

// Each rule returns the problem with a value, or undefined. All rules are checked before anything is written.

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a value is a DNS label (RFC 1123). */
export function isLabel(value: unknown): boolean {
  return typeof value === "string" && value.length <= 63 && label.test(value);
}

/** Whether a value is a DNS name (RFC 1123). */
export function isSubdomain(value: unknown): boolean {
  return typeof value === "string" && value.length <= 253 && value.split(".").every(isLabel);
}

/** Checks `--domain`. */
export function domainProblem(domain: string): Problem | undefined {
  if (isSubdomain(domain) && domain.length > 0) return undefined;
  return inputProblem(
    "bad-domain",
    `--domain ${shown(domain)} isn't a valid DNS name: use lowercase letters, digits, "-" and ".", at most 253 characters, such as example.com`,
  );
}

/** Names of directories that `make manifests` skips, that git ignores, or that are devices on Windows. */
const closedDirectories = /^(coverage|dist|testdata|vendor|(con|prn|aux|nul|com[1-9]|lpt[1-9])(\..*)?)$/;

/** Checks `--group`, the group without the domain. */
export function groupProblem(group: string, domain: string): Problem | undefined {
  if (group === "" && domain === "") return inputProblem("missing-group", "--group is missing, such as --group shop");
  if (closedDirectories.test(group)) {
    return inputProblem(
      "reserved-group",
      `--group ${group} can't be used: make manifests or git skips a directory of this name, or Windows doesn't allow it; choose another name, such as shop`,
    );
  }
  const qualified = [group, domain].filter((part) => part !== "").join(".");
  if ((group === "" || isSubdomain(group)) && isSubdomain(qualified)) return undefined;
  return inputProblem(
    "bad-group",
    `--group ${shown(group)} isn't a valid DNS name: use lowercase letters, digits, "-" and ".", at most 253 characters with the domain, such as shop`,
  );
}

/** Checks `--version` of a new kind, which must be a Kubernetes API version. It is also the name of a directory. */
export function versionProblem(version: string): Problem | undefined {
  if (/^v[1-9][0-9]{0,8}((alpha|beta)[1-9][0-9]{0,8})?$/.test(version)) return undefined;
  return inputProblem(
    "bad-version",
    `--version ${shown(version)} isn't a valid API version: use a version such as v1, v1alpha1 or v1beta1`,
  );
}

/**
 * Checks a version that exists already, in PROJECT or in a CRD. The API server accepts any DNS label as a version of a CRD, such as
 * `v1-2-0`.
 */
export function existingVersionProblem(version: string): Problem | undefined {
  if (version.length <= 63 && label1035.test(version) && !closedDirectories.test(version)) return undefined;
  return inputProblem(
    "bad-version",
    closedDirectories.test(version)
      ? `the version ${version} can't be used: make manifests or git skips a directory of this name, or Windows doesn't allow it`
      : `the version ${shown(version)} isn't valid: it must be a DNS label such as v1, which begins with a letter`,
  );
}

/** Returns the name of a version in code: `v1beta1` → `v1beta1`, `v1-2-0` → `v1_2_0`, `class` → `v_class`. */
export function versionIdentifier(version: string): string {
  const name = version.replaceAll("-", "_");
  return /^v[0-9]/.test(name) ? name : `v_${name}`;
}

/** Checks `--plural`, the resource name in URLs. */
export function pluralProblem(plural: string): Problem | undefined {
  if (plural.length <= 63 && label1035.test(plural)) return undefined;
  return inputProblem(
    "bad-plural",
    `--plural ${shown(plural)} isn't a valid resource name: use lowercase letters, digits and "-", beginning with a letter, at most 63 characters, such as games`,
  );
}

/** The longest project name: the name of the Deployment is part of the host names of its Pods, which are DNS labels. */
const longestProjectName = 63 - "-controller-manager".length;

/** Checks `--project-name`, the prefix of the namespace and of all deployed objects. */
export function projectNameProblem(name: string): Problem | undefined {
  const fits = name.length <= longestProjectName;
  if (fits && label.test(name) && !/^[0-9]+$/.test(name)) return undefined;
  const allowed = `use lowercase letters, digits and "-", at most ${longestProjectName} characters, such as mygame`;
  return inputProblem(
    "bad-project-name",
    fits || !label.test(name)
      ? `--project-name ${shown(name)} isn't a valid DNS label: ${allowed}`
      : `--project-name ${shown(name)} is too long with ${name.length} characters: ${allowed} (the name of its Deployment, <name>-controller-manager, is limited to 63)`,
  );
}

/** Returns the name of the metrics Service without the project's prefix: that of kubebuilder, or a shorter one if it would be too long. */
export function metricsServiceName(projectName: string): string {
  const usual = "controller-manager-metrics-service";
  return isLabel(`${projectName}-${usual}`) ? usual : "metrics-service";
}

/** Returns the name of the kind cluster for end-to-end tests. The host name of its node, `<name>-control-plane`, is limited to 63 characters. */
export function testClusterName(projectName: string): string {
  const end = "-test-e2e";
  const rest = 63 - "-control-plane".length - end.length;
  return `${projectName.slice(0, rest).replace(/(?<!-)-+$/, "")}${end}`;
}

/** Checks `--owner`, which is written to comments: one line of printable text. */
export function ownerProblem(owner: string): Problem | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused.
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\*\//.test(owner) && owner.trim() !== "") return undefined;
  return inputProblem(
    "bad-owner",
    `--owner ${shown(owner)} isn't valid: use one line of text without "*/", such as "Acme Inc."`,
  );
}
