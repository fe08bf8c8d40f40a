import type { CustomResourceDefinition } from "../../crd/document.ts";
import type { Finding, KindLint } from "../finding.ts";

const label = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const rule = "small letters, digits and -, a letter first, at most 63 of them";
const resource = ["kubebuilder:resource"];

/** Names that the API server refuses. */
export const names: KindLint = ({ crd, version }, report) => {
  for (const { what, name, argument } of namesOf(crd)) {
    if (label.test(name)) continue;
    const message = `the ${what} "${name}" is no name for the API server`;
    report(badName(message, `write ${rule}, such as ${suggestion(name)}`, name, argument));
  }
  const { scope, group } = crd.spec;
  if (scope !== "Namespaced" && scope !== "Cluster") {
    const hint = `write scope=${/^cl/i.test(scope) ? "Cluster" : "Namespaced"}`;
    report({
      id: "bad-scope",
      message: `there is no scope "${scope}", only Namespaced and Cluster`,
      hint,
      markers: resource,
      says: { scope },
      argument: "scope",
    });
  }
  if (!label.test(version.name)) {
    const message = `the version "${version.name}" is no name for the API server`;
    report({
      id: "bad-name",
      message,
      hint: "write +versionName=v1 or the like in the package, or rename its directory",
    });
  }
  if (!subdomain.test(group) || !group.includes(".")) {
    const message = `the API server takes no kinds of the group "${group}": it has to be a domain name with a dot`;
    report({ id: "bad-group", message, hint: "write a domain that is yours, such as +groupName=apps.example.com" });
  }
  const approval = "api-approved.kubernetes.io";
  if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group) && !crd.metadata.annotations?.[approval]) {
    const message = `the group "${group}" belongs to Kubernetes: the API server takes no kinds of it without ${approval}`;
    const hint = `write a domain that is yours, or +kubebuilder:metadata:annotations="${approval}=…" with the link to the approval`;
    report({ id: "bad-group", message, hint });
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
    : { id, message, hint, markers: resource, says: { [argument]: name }, argument };
}

function suggestion(name: string): string {
  const small = name
    .toLowerCase()
    .replace(/[^-a-z0-9]+/g, "-")
    .replace(/^[-0-9]+|-+$/g, "");
  return small === "" ? "thing" : small.slice(0, 63);
}
