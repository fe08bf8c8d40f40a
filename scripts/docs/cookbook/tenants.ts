import {
  type ApplyConfiguration,
  applyIfChanged,
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  setControllerReference,
  setReady,
} from "@kubewright/runtime";
import { Namespace, ResourceQuota } from "@kubewright/runtime/api/core/v1";
import { NetworkPolicy } from "@kubewright/runtime/api/networking/v1";
import { RoleBinding } from "@kubewright/runtime/api/rbac/v1";
import { Tenant } from "./kinds.ts";

// +kubebuilder:rbac:groups=web.example.com,resources=tenants,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=tenants/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=tenants/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=namespaces;resourcequotas,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=networking.k8s.io,resources=networkpolicies,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=rbac.authorization.k8s.io,resources=rolebindings,verbs=get;list;watch;create;patch
// +kubebuilder:rbac:groups=rbac.authorization.k8s.io,resources=clusterroles,resourceNames=edit,verbs=bind

/** Creates a namespace with a quota, a role and a network policy for each Tenant, which is cluster-scoped. */
export class TenantReconciler implements Reconciler {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    const tenant = await ignoreNotFound(this.client.get(Tenant, req));
    if (!tenant || tenant.metadata.deletionTimestamp) return;
    const { name: namespace } = tenant.metadata;
    const { group, cpu } = tenant.spec;

    const space: ApplyConfiguration<Namespace> = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    // A cluster-scoped object can own objects in all namespaces.
    setControllerReference(tenant, space);
    const quota: ApplyConfiguration<ResourceQuota> = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { namespace, name: "tenant" },
      spec: { hard: { "requests.cpu": cpu } },
    };
    setControllerReference(tenant, quota);
    const policy: ApplyConfiguration<NetworkPolicy> = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { namespace, name: "tenant" },
      spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ from: [{ podSelector: {} }] }] },
    };
    setControllerReference(tenant, policy);
    const editors: ApplyConfiguration<RoleBinding> = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { namespace, name: "tenant" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: group }],
    };
    setControllerReference(tenant, editors);

    const options = { fieldOwner: "tenants" };
    await applyIfChanged<Namespace>(this.client, space, options);
    await applyIfChanged<ResourceQuota>(this.client, quota, options);
    await applyIfChanged<NetworkPolicy>(this.client, policy, options);
    await applyIfChanged<RoleBinding>(this.client, editors, options);
    await patchStatus(this.client, tenant, (copy) => {
      setReady(copy, { reason: "Created" });
    });
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(Tenant)
      .owns(Namespace)
      .owns(ResourceQuota)
      .owns(NetworkPolicy)
      .owns(RoleBinding)
      .complete(this);
  }
}
