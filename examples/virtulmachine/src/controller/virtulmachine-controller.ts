import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  enqueueRequestsFromMapFunc,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  type ObjectKey,
  type Reconciler,
  type Request,
  type Result,
  removeFinalizer,
  type Stored,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Create, Running, VirtulMachine } from "#api/v1/index.ts";
import { HttpHypervisor, type Hypervisor } from "../hypervisor/hypervisor.ts";

const finalizer = "virtulmachine.infra.sealyun.com";
const machineLabel = "infra.sealyun.com/machine";
const dependsOnField = ".spec.dependsOn";

// +kubebuilder:rbac:groups=infra.sealyun.com,resources=virtulmachines,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=infra.sealyun.com,resources=virtulmachines/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=infra.sealyun.com,resources=virtulmachines/finalizers,verbs=update
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;patch;deletecollection

/** VirtulMachineReconciler creates a machine in a hypervisor for each VirtulMachine, and a ConfigMap with the URL of its console. */
export class VirtulMachineReconciler implements Reconciler {
  private readonly client: Client;
  private readonly hypervisor: Hypervisor;

  constructor(client: Client, hypervisor: Hypervisor = new HttpHypervisor()) {
    this.client = client;
    this.hypervisor = hypervisor;
  }

  async reconcile(ctx: Context, req: Request): Promise<Result | undefined> {
    const vm = await ignoreNotFound(this.client.get(VirtulMachine, req));
    if (!vm) return undefined;
    ctx.log.info("reconciling", { cpu: vm.spec.cpu, memory: vm.spec.memory });
    if (vm.metadata.deletionTimestamp) return this.cleanUp(ctx, vm);

    // Add the finalizer before creating anything outside the cluster, so that the object isn't deleted without cleanUp.
    if (addFinalizer(vm, finalizer)) return this.updated(vm);
    if (vm.status?.status === undefined) {
      await this.client.status.update({ ...vm, status: { status: Create } });
      return undefined;
    }
    await this.waitForDependency(vm);
    const console = await this.hypervisor.create(vm.metadata.uid, vm.spec);
    await this.publish(vm, console);
    if (vm.status.status !== Running) {
      await this.client.status.update({ ...vm, status: { status: Running } });
      ctx.log.info("the machine is running", { console });
    }
    return this.endLifetime(ctx, vm);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    mgr.cache.indexField(VirtulMachine, dependsOnField, ({ spec }) => (spec.dependsOn ? [spec.dependsOn] : []));
    await newControllerManagedBy(mgr)
      .for(VirtulMachine)
      .named("virtulmachine")
      .owns(ConfigMap)
      // Reconcile machines that wait for this machine, and those that this machine waits for.
      .watches(
        VirtulMachine,
        enqueueRequestsFromMapFunc(async (_ctx, { metadata, spec }) => {
          const { namespace, name } = metadata;
          const dependents = await this.dependents({ namespace, name });
          const names = [...dependents.map((vm) => vm.metadata.name), ...(spec.dependsOn ? [spec.dependsOn] : [])];
          return names.map((name) => ({ namespace, name }));
        }),
      )
      .complete(this);
  }

  /** Throws unless the machine that this one depends on is running. The request is then retried with back-off. */
  private async waitForDependency(vm: Stored<VirtulMachine>): Promise<void> {
    const { dependsOn: name } = vm.spec;
    if (name === undefined) return;
    const { namespace } = vm.metadata;
    const other = await ignoreNotFound(this.client.get(VirtulMachine, { namespace, name }));
    if (other?.status?.status !== Running) throw new Error(`the machine depends on ${name}, which isn't running yet`);
  }

  /** Writes the URL of the machine's console to a ConfigMap. */
  private async publish(vm: Stored<VirtulMachine>, console: string): Promise<void> {
    const { namespace, name } = vm.metadata;
    const before = await ignoreNotFound(this.client.get(ConfigMap, { namespace, name }));
    if (!before) {
      const metadata = { namespace, name, labels: { [machineLabel]: name } };
      const configMap: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { console } };
      setControllerReference(vm, configMap);
      await this.client.create(configMap);
    } else if (before.data?.console !== console) {
      await this.client.patch({ ...before, data: { ...before.data, console } }, mergeFrom(before));
    }
  }

  /** Deletes a machine if its lifetime is over. Otherwise requeues it for that time. */
  private async endLifetime(ctx: Context, vm: Stored<VirtulMachine>): Promise<Result | undefined> {
    const { lifetimeSeconds } = vm.spec;
    if (lifetimeSeconds === undefined) return undefined;
    const end = Date.parse(vm.metadata.creationTimestamp ?? "") + lifetimeSeconds * 1000;
    if (Date.now() < end) return { requeueAfter: end - Date.now() };
    await this.client.delete(vm);
    ctx.log.info("deleted the machine: its lifetime is over", { lifetimeSeconds });
    return undefined;
  }

  /** Removes external resources. If it fails, the finalizer stays and the request is retried. */
  private async cleanUp(ctx: Context, vm: Stored<VirtulMachine>): Promise<undefined> {
    if (!containsFinalizer(vm, finalizer)) return undefined;
    const { namespace, name, uid } = vm.metadata;
    const dependents = await this.dependents({ namespace, name });
    if (dependents.length > 0) {
      ctx.log.info("other machines still depend on it", { dependents: dependents.map((vm) => vm.metadata.name) });
      return undefined;
    }
    await this.hypervisor.destroy(uid);
    await this.client.deleteAllOf(ConfigMap, { namespace, labels: { [machineLabel]: name } });
    removeFinalizer(vm, finalizer);
    return this.updated(vm);
  }

  private async updated(vm: Stored<VirtulMachine>): Promise<undefined> {
    await this.client.update(vm);
  }

  private async dependents({ namespace, name }: ObjectKey): Promise<Stored<VirtulMachine>[]> {
    return (await this.client.list(VirtulMachine, { namespace, fields: { [dependsOnField]: name } })).items;
  }
}
