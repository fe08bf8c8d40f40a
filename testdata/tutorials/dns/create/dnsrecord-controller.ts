import {
  type Client,
  type Context,
  ignoreNotFound,
  type Manager,
  type NewCondition,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Stored,
  setStatusCondition,
} from "@kubewright/runtime";
import { DnsRecord } from "#api/v1/index.ts";
import { type Entry, HttpProvider, type Provider } from "../provider/provider.ts";

// +kubebuilder:rbac:groups=dns.example.com,resources=dnsrecords,verbs=get;list;watch;create;update;patch;delete
// +kubebuilder:rbac:groups=dns.example.com,resources=dnsrecords/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=dns.example.com,resources=dnsrecords/finalizers,verbs=update

/** DnsRecordReconciler maintains a record at the DNS provider for each DnsRecord. */
export class DnsRecordReconciler implements Reconciler {
  private readonly client: Client;
  private readonly provider: Provider;

  constructor(client: Client, provider: Provider = new HttpProvider()) {
    this.client = client;
    this.provider = provider;
  }

  async reconcile(ctx: Context, req: Request): Promise<void> {
    const record = await ignoreNotFound(this.client.get(DnsRecord, req));
    if (!record || record.metadata.deletionTimestamp) return;

    const entry = await this.sync(ctx, record);
    await this.report(record, { status: "True", reason: "Synced", message: "the provider has the record" }, entry.id);
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(DnsRecord).named("dnsrecord").complete(this);
  }

  /** Creates or updates the record at the provider. Writes nothing if it is as desired. */
  private async sync(ctx: Context, { metadata, spec }: Stored<DnsRecord>): Promise<Entry> {
    const desired = {
      owner: metadata.uid,
      host: spec.host,
      address: spec.address,
      ttlSeconds: spec.ttlSeconds ?? 300,
    };
    // Look first: an earlier reconcile may have created the record and failed afterwards.
    const found = await this.provider.find(metadata.uid);
    if (!found) {
      const created = await this.provider.create(desired);
      ctx.log.info("created record", { id: created.id });
      return created;
    }
    const { host, address, ttlSeconds } = found;
    if (host !== desired.host || address !== desired.address || ttlSeconds !== desired.ttlSeconds) {
      await this.provider.update({ ...found, ...desired });
      ctx.log.info("updated record", { id: found.id });
    }
    return found;
  }

  /** Sets the condition Ready and the id. Writes nothing if the status is the same. */
  private async report(record: Stored<DnsRecord>, ready: Omit<NewCondition, "type">, recordId: string): Promise<void> {
    await patchStatus(this.client, record, (copy) => {
      copy.status = { ...copy.status, recordId };
      setStatusCondition(copy, { ...ready, type: "Ready", observedGeneration: record.metadata.generation });
    });
  }
}
