import {
  addFinalizer,
  type Client,
  type Context,
  containsFinalizer,
  ignoreNotFound,
  type Manager,
  type NewCondition,
  newControllerManagedBy,
  patchStatus,
  type Reconciler,
  type Request,
  type Result,
  removeFinalizer,
  type Stored,
  setStatusCondition,
} from "@kubewright/runtime";
import { DnsRecord } from "#api/v1/index.ts";
import { type Entry, HttpProvider, type Provider } from "../provider/provider.ts";

const finalizer = "dns.example.com/record";
/** Milliseconds between two looks at the provider, which doesn't report changes. */
const pollInterval = 10_000;

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

  async reconcile(ctx: Context, req: Request): Promise<Result | undefined> {
    let record = await ignoreNotFound(this.client.get(DnsRecord, req));
    if (!record) return undefined;
    if (record.metadata.deletionTimestamp) return this.cleanUp(ctx, record);

    // Stored before the record is created, so that the object isn't removed without cleanUp.
    if (addFinalizer(record, finalizer)) record = await this.client.update(record);

    const entry = await this.syncOrReport(ctx, record);
    await this.report(record, { status: "True", reason: "Synced", message: "the provider has the record" }, entry.id);
    return { requeueAfter: pollInterval };
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

  /** Calls `sync`. Before an error is thrown again for the retry, the status reports it. */
  private async syncOrReport(ctx: Context, record: Stored<DnsRecord>): Promise<Entry> {
    try {
      return await this.sync(ctx, record);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.report(record, { status: "False", reason: "ProviderFailed", message });
      throw error;
    }
  }

  /** Removes the record at the provider. If this throws, the finalizer stays and the request is retried. */
  private async cleanUp(ctx: Context, record: Stored<DnsRecord>): Promise<undefined> {
    if (!containsFinalizer(record, finalizer)) return;
    const found = await this.provider.find(record.metadata.uid);
    if (found) {
      await this.provider.remove(found.id);
      ctx.log.info("removed record", { id: found.id });
    }
    removeFinalizer(record, finalizer);
    await this.client.update(record);
  }

  /** Sets the condition Ready, and the id if it is known. Writes nothing if the status is the same. */
  private async report(
    record: Stored<DnsRecord>,
    ready: Omit<NewCondition, "type">,
    recordId = record.status?.recordId,
  ): Promise<void> {
    await patchStatus(this.client, record, (copy) => {
      if (recordId !== undefined) copy.status = { ...copy.status, recordId };
      setStatusCondition(copy, { ...ready, type: "Ready", observedGeneration: record.metadata.generation });
    });
  }
}
