import type { CustomResourceDefinition } from "../../../kubernetes/custom-resource-definition.ts";
import type { Finding, KindLint } from "../model/finding.ts";

const label = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** A DNS name (RFC 1123), apart from its length. */
export const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const rule = "at most 63 lowercase letters, digits and -, with a letter first";
const resource = ["kubebuilder:resource"] as const;

/** Reports names that the API server rejects. */
export const names: KindLint = ({ crd, version }, report) => {
  for (const { what, name, argument } of namesOf(crd)) {
    if (label.test(name)) continue;
    const message = `invalid ${what} "${name}"`;
    report(badName(message, `use ${rule}, such as ${suggestion(name)}`, name, argument));
  }
  const { scope, group } = crd.spec;
  if (scope !== "Namespaced" && scope !== "Cluster") {
    const hint = `use scope=${/^cl/i.test(scope) ? "Cluster" : "Namespaced"}`;
    report({
      id: "bad-scope",
      message: `invalid scope "${scope}": must be Namespaced or Cluster`,
      hint,
      markers: resource,
      matching: { scope },
      argument: "scope",
    });
  }
  if (!label.test(version.name)) {
    const message = `invalid version name "${version.name}"`;
    report({
      id: "bad-name",
      message,
      hint: "set the version with +versionName=v1 in the package, or rename its directory",
    });
  }
  if (!subdomain.test(group) || !group.includes(".")) {
    const message = `invalid API group "${group}": it must be a domain name with a dot`;
    report({ id: "bad-group", message, hint: "use a domain that you own, such as +groupName=apps.example.com" });
  }
  const approval = "api-approved.kubernetes.io";
  if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group) && !crd.metadata.annotations?.[approval]) {
    const message = `the group "${group}" is reserved for Kubernetes: the API server requires the annotation ${approval}`;
    const hint = `use a domain that you own, or +kubebuilder:metadata:annotations="${approval}=…" with the URL of the approval`;
    report({ id: "unapproved-group", message, hint });
  }
};

function namesOf({ spec }: CustomResourceDefinition): { what: string; name: string; argument?: string }[] {
  const { kind, plural, singular, shortNames = [], categories = [] } = spec.names;
  return [
    { what: "kind", name: kind.toLowerCase() },
    { what: "plural", name: plural, argument: "path" },
    { what: "singular", name: singular, argument: "singular" },
    ...shortNames.map((name) => ({ what: "short name", name, argument: "shortName" })),
    ...categories.map((name) => ({ what: "category", name, argument: "categories" })),
  ];
}

function badName(message: string, hint: string, name: string, argument: string | undefined): Finding {
  const id = "bad-name";
  return argument === undefined
    ? { id, message, hint }
    : { id, message, hint, markers: resource, matching: { [argument]: name }, argument };
}

function suggestion(name: string): string {
  const small = name
    .toLowerCase()
    .replace(/[^-a-z0-9]+/g, "-")
    .replace(/^[-0-9]+|(?<!-)-+$/g, "");
  return small === "" ? "thing" : small.slice(0, 63);
}
