// The kinds of the cookbook's patterns. In a project, each is in a file of its own below api/, with markers.
import { groupVersion } from "@kubewright/runtime";
import type { Duration, Int32, Int64, KubernetesObject, Time } from "@kubewright/runtime/api";
import type { Condition } from "@kubewright/runtime/api/meta/v1";

const web = groupVersion("web.example.com", "v1");

/** The status of all kinds. */
export interface Status {
  conditions?: Condition[];
  observedGeneration?: Int64;
}

export interface Website extends KubernetesObject {
  spec: { image: string; pages?: string[]; settings?: Record<string, string>; credential?: string; hosts?: string[] };
  status?: Status;
}
export const Website = web.kind<Website>("Website");

export interface Bucket extends KubernetesObject {
  spec: { region: string };
  status?: Status;
}
export const Bucket = web.kind<Bucket>("Bucket");

export interface Credential extends KubernetesObject {
  spec: { rotateAfter: Duration };
  status?: Status & { rotatedAt?: Time };
}
export const Credential = web.kind<Credential>("Credential");

export interface Fleet extends KubernetesObject {
  spec: { selector: Record<string, string> };
  status?: Status & { total?: Int32; ready?: Int32 };
}
export const Fleet = web.kind<Fleet>("Fleet");

export interface Tenant extends KubernetesObject {
  spec: { group: string; cpu: string };
  status?: Status;
}
export const Tenant = web.kind<Tenant>("Tenant", { scope: "Cluster", plural: "tenants" });

export interface Settings extends KubernetesObject {
  spec: { registry: string };
  status?: Status;
}
export const Settings = web.kind<Settings>("Settings", { scope: "Cluster", plural: "settings" });

export interface Report extends KubernetesObject {
  spec: { every: Duration };
  status?: Status & { lastRun?: Time };
}
export const Report = web.kind<Report>("Report");

export interface Preview extends KubernetesObject {
  spec: { ttl: Duration };
  status?: Status;
}
export const Preview = web.kind<Preview>("Preview");

export interface SharedConfig extends KubernetesObject {
  spec: { data: Record<string, string> };
  status?: Status;
}
export const SharedConfig = web.kind<SharedConfig>("SharedConfig", { scope: "Cluster", plural: "sharedconfigs" });
