import type { Random } from "../../../scripts/test-support/random.ts";
import { goQuoted } from "./texts.ts";

const patches = [
  '{"namespaceSelector":{"matchLabels":{"a":"b"}}}',
  '{"objectSelector":{"matchExpressions":[{"key":"k","operator":"In","values":["x","y"]}]}}',
  '{"matchConditions":[{"name":"n","expression":"request.userInfo.username != \'me\'"}]}',
  '{"timeoutSeconds":3,"failurePolicy":null}',
  '{"clientConfig":{"service":{"port":8443,"name":"other"}}}',
  '{"rules":[{"apiGroups":["z"],"apiVersions":["v1"],"operations":["CREATE"],"resources":["zs"],"scope":"Cluster"}]}',
  '{"sideEffects":"NoneOnDryRun","matchPolicy":"Exact","admissionReviewVersions":["v9"]}',
  '{"namespaceSelector":{"matchExpressions":[{"key":"k","operator":"Exists"}],"matchLabels":null}}',
];

/** Generates a webhook as a marker, without the `+`. */
export function webhookMarker(random: Random, name: string): string {
  const parts = [
    `mutating=${random.chance(0.5)}`,
    `failurePolicy=${random.pick(["fail", "ignore", "Fail", "Ignore"])}`,
    `sideEffects=${random.pick(["None", "NoneOnDryRun", "none"])}`,
    `groups=${random.pick(["apps", "core", '""', "apps;batch", "*"])}`,
    `resources=${random.pick(["pods", "pods;deployments/scale", "{a,b}", "*"])}`,
    `verbs=${random.pick(["create", "create;update", "delete;connect", "*", "CREATE;Update"])}`,
    `versions=${random.pick(["v1", "v1;v1beta1", "*"])}`,
    `name=${random.chance(0.5) ? name : goQuoted(name)}`,
    `admissionReviewVersions=${random.pick(["v1", "{v1,v1beta1}"])}`,
  ];
  if (random.chance(0.3)) parts.push(`url=${random.pick(["https://a.example/b", '"https://a.example:8443/b?c=d"'])}`);
  else {
    parts.push(`path=${random.pick(["/mutate", "/validate-x", '"/a/b"'])}`);
    if (random.chance(0.2)) parts.push("serviceName=front");
    if (random.chance(0.2)) parts.push("serviceNamespace=harbor");
    if (random.chance(0.2)) parts.push("servicePort=9443");
  }
  if (random.chance(0.3)) parts.push(`matchPolicy=${random.pick(["exact", "Equivalent", "Exact"])}`);
  if (random.chance(0.3)) parts.push(`timeoutSeconds=${1 + random.int(30)}`);
  if (random.chance(0.3)) parts.push(`reinvocationPolicy=${random.pick(["never", "IfNeeded", "Never"])}`);
  if (random.chance(0.2)) parts.push("webhookVersions=v1");
  if (random.chance(0.4)) parts.push(`patch=\`${random.pick(patches)}\``);
  return `kubebuilder:webhook:${(random.chance(0.3) ? parts.reverse() : parts).join(",")}`;
}
