import type { ApiObject } from "../../../../model/resource.ts";
import { cidrWarnings, ipWarnings } from "../../../../validation/ip-warnings.ts";
import { fieldsOf, textOf, textsOf } from "../../fields/fields.ts";

/** The annotation that replaces an older one for the routing by zones. */
export const topologyMode = "service.kubernetes.io/topology-mode";
/** The older annotation. */
export const oldHints = "service.kubernetes.io/topology-aware-hints";

/** Finds the warnings for a Service: fields that are deprecated or have no effect. */
export function serviceWarnings(service: ApiObject): string[] {
  const spec = fieldsOf(service.spec);
  const [addresses, external] = [textsOf(spec.clusterIPs), textsOf(spec.externalIPs)];
  const balancer = textOf(spec.loadBalancerIP);
  const isHeadless = spec.type === "ClusterIP" && spec.clusterIP === "None";
  const isNamed = spec.type === "ExternalName";
  const hasAddress = textOf(spec.clusterIP) !== "" && spec.clusterIP !== "None";
  const ignored = (what: string, applies: boolean): string[] =>
    isHeadless && applies ? [`spec.${what} is ignored for headless services`] : [];
  const warnings =
    service.metadata.annotations?.[oldHints] === undefined
      ? []
      : [`annotation ${oldHints} is deprecated, please use ${topologyMode} instead`];
  if (hasAddress)
    warnings.push(...addresses.flatMap((address, index) => ipWarnings(`spec.clusterIPs[${index}]`, address)));
  warnings.push(
    ...ignored("loadBalancerIP", balancer !== ""),
    ...ignored("externalIPs", external.length > 0),
    ...ignored("SessionAffinity", spec.sessionAffinity !== "None"),
    ...external.flatMap((one, index) => ipWarnings(`spec.externalIPs[${index}]`, one)),
  );
  if (external.length > 0 && !isHeadless && !isNamed) {
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  warnings.push(...ipWarnings("spec.loadBalancerIP", balancer));
  for (const [index, range] of textsOf(spec.loadBalancerSourceRanges).entries()) {
    warnings.push(...cidrWarnings(`spec.loadBalancerSourceRanges[${index}]`, range));
  }
  if (isNamed && external.length > 0) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isNamed && textOf(spec.externalName) !== "") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
