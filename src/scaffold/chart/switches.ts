// The boolean values of the chart. Each one changes the kustomizations before kustomize builds them.
import type { Project } from "../../project/project-file.ts";
import type { WebhookCertificates } from "../../project/webhook-certs.ts";
import { changeAt, type Fields, fieldsOf, isList, textOf, withField } from "../../yaml/plain-values.ts";
import type { Resource } from "../kustomize/build/build.ts";
import { hasParts, isOn, type Part, switchOff, switchOn } from "../kustomize/switch.ts";
import {
  defaultKustomization,
  type FileParts,
  fileOf,
  metricsParts,
  partsIn,
  partsOf,
} from "../parts/config-options.ts";
import { isManager, portOfFlag, withArgs } from "./manager.ts";

/** A boolean value of the chart. */
export interface Switch {
  /** Its path, such as `webhook.enabled`. */
  readonly value: string;
  /** The values that it depends on: without them it has no effect. */
  readonly needs: readonly string[];
  /** Its state in the current config/. */
  readonly on: boolean;
  /** The parts of kustomizations that it switches. */
  readonly parts: readonly FileParts[];
  /** Changes objects if it is off, beyond the possibilities of kustomizations. */
  readonly without?: (resources: readonly Resource[]) => readonly Resource[];
}

/** The value for a metrics certificate that Prometheus verifies, by the source of certificates. */
const metricsCertificate: Readonly<Record<WebhookCertificates, Pick<Switch, "value" | "needs">>> = {
  self: { value: "metrics.certificate", needs: ["webhook.enabled", "metrics.secure"] },
  "cert-manager": { value: "metrics.certManager", needs: ["certManager.enabled", "metrics.secure"] },
  files: { value: "metrics.certificate", needs: ["metrics.secure"] },
};

type ReadText = (path: string) => string | undefined;

/** Returns the switches of a project: those whose parts are in its kustomizations. */
export function switchesOf(project: Project, readText: ReadText): Switch[] {
  const candidates: readonly Omit<Switch, "on">[] = [
    {
      value: "metrics.enabled",
      needs: [],
      parts: [{ file: defaultKustomization, parts: metricsParts }],
      without: withoutMetrics,
    },
    { value: "webhook.enabled", needs: [], parts: partsOf("webhook", project) },
    { value: "certManager.enabled", needs: ["webhook.enabled"], parts: partsOf("cert-manager", project) },
    { value: "metrics.secure", needs: ["metrics.enabled"], parts: [], without: withoutSecurity },
    { ...metricsCertificate[project.webhookCerts], parts: partsOf("metrics-certs", project) },
    { value: "prometheus.enabled", needs: ["metrics.enabled"], parts: partsOf("prometheus", project) },
    { value: "networkPolicy.enabled", needs: [], parts: partsOf("network-policy", project) },
    { value: "sharding.enabled", needs: [], parts: partsOf("sharding", project) },
  ];
  const switches = new Map<string, Switch>();
  for (const candidate of candidates) {
    const own = candidate.parts.map((part) => ({ ...part, parts: partsIn(readText(part.file) ?? "", part) }));
    if (!own.every(({ file, parts }) => areAvailable(readText, file, parts))) continue;
    if (!candidate.needs.every((need) => switches.has(need))) continue;
    const on = own.every(({ file, parts }) => isOn(readText(file) ?? "", parts));
    switches.set(candidate.value, { ...candidate, parts: own, on });
  }
  return [...switches.values()];
}

/** Whether a kustomization has the parts, active or commented out, and the files that they refer to exist. */
function areAvailable(readText: ReadText, file: string, parts: readonly Part[]): boolean {
  if (!hasParts(readText(file) ?? "", parts)) return false;
  return parts.every((part) => {
    const there = fileOf(file, part);
    return there === undefined || readText(there) !== undefined;
  });
}

/** Returns the texts of kustomizations with some switches on and the others off. */
export function switchedTexts(
  switches: readonly Switch[],
  on: ReadonlySet<string>,
  readText: ReadText,
): Map<string, string> {
  const all = switches.flatMap(({ value, parts }) => parts.map((part) => ({ ...part, on: on.has(value) })));
  const files = new Set(all.map(({ file }) => file));
  return new Map(
    [...files].map((file) => {
      const parts = (wanted: boolean) =>
        all.filter((each) => each.file === file && each.on === wanted).flatMap((each) => each.parts);
      // Switch off before switching on, so that a shared key stays on.
      const off = switchOff(readText(file) ?? "", parts(false));
      return [file, switchOn(off, file, parts(true), () => off)];
    }),
  );
}

const metricsRoles = /^config\/rbac\/metrics_(auth|reader)_/;

function withoutMetrics(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter(({ origin }) => !metricsRoles.test(origin));
}

/** Serves metrics over HTTP without authentication. */
function withoutSecurity(resources: readonly Resource[]): readonly Resource[] {
  return resources
    .filter(({ origin }) => !origin.startsWith("config/rbac/metrics_auth_"))
    .map((resource) => ({ ...resource, object: overHttp(resource) }));
}

function overHttp(resource: Resource): Fields {
  const { object } = resource;
  if (isManager(resource)) {
    return withArgs(object, (args) =>
      args.flatMap((arg) => (portOfFlag(arg)?.of === "metrics" ? [arg, "--metrics-secure=false"] : [arg])),
    );
  }
  if (object.kind === "Service") {
    return changeAt(object, ["spec", "ports", "name"], (name) => (name === "https" ? "http" : name)) as Fields;
  }
  if (object.kind !== "ServiceMonitor") return object;
  return changeAt(object, ["spec", "endpoints"], (endpoints) =>
    isList(endpoints)
      ? endpoints.map((endpoint) => {
          const plain = withField(withField(fieldsOf(endpoint), "tlsConfig", undefined), "bearerTokenFile", undefined);
          const http = (key: string) => (textOf(plain[key]) === "https" ? "http" : plain[key]);
          return withField(withField(plain, "port", http("port")), "scheme", http("scheme"));
        })
      : endpoints,
  ) as Fields;
}
