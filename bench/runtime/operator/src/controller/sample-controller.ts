import {
  type Client,
  type Context,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  mergeFrom,
  newControllerManagedBy,
  type Reconciler,
  type Request,
  setControllerReference,
} from "@kubewright/runtime";
import { ConfigMap } from "@kubewright/runtime/api/core/v1";
import { Sample } from "../../api/v1/index.ts";

// +kubebuilder:rbac:groups=bench.kubewright.dev,resources=samples,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=bench.kubewright.dev,resources=samples/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=core,resources=configmaps,verbs=get;list;watch;create;update;patch;delete

/** SampleReconciler creates a ConfigMap for each Sample and reports it in the status. */
export class SampleReconciler implements Reconciler {
  readonly client: Client;
  readonly workers: number;
  /** Called once, before the first reconcile. */
  onFirst: (() => void) | undefined;

  constructor(client: Client, workers: number) {
    this.client = client;
    this.workers = workers;
  }

  async reconcile(_ctx: Context, req: Request): Promise<void> {
    this.onFirst?.();
    this.onFirst = undefined;
    const sample = await ignoreNotFound(this.client.get(Sample, req));
    if (!sample) return;

    const { name, namespace } = sample.metadata;
    const configMap: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } };
    await createOrUpdate(this.client, configMap, (current) => {
      current.data = { value: sample.spec.value };
      setControllerReference(sample, current);
    });

    const { value } = sample.spec;
    const { generation } = sample.metadata;
    if (sample.status?.value === value && sample.status.observedGeneration === generation) return;
    const before = mergeFrom(sample);
    sample.status = { value, observedGeneration: generation };
    await this.client.status.patch(sample, before);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr)
      .for(Sample)
      .owns(ConfigMap)
      .withOptions({ maxConcurrentReconciles: this.workers })
      .complete(this);
  }
}
