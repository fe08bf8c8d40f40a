import { randomBytes } from "node:crypto";
import {
  type Client,
  type Context,
  createOrUpdate,
  ignoreNotFound,
  type Manager,
  newControllerManagedBy,
  parseDuration,
  patchStatus,
  type Reconciler,
  type Request,
  type Result,
  setControllerReference,
  setReady,
} from "@kubewright/runtime";
import { Secret } from "@kubewright/runtime/api/core/v1";
import { Credential } from "./kinds.ts";

const rotatedAt = "web.example.com/rotated-at";

// +kubebuilder:rbac:groups=web.example.com,resources=credentials,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.example.com,resources=credentials/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.example.com,resources=credentials/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch;create;update

/** Creates a Secret with a password, and replaces the password after some time. The previous one remains for one period. */
export class CredentialReconciler implements Reconciler {
  readonly client: Client;
  readonly now: () => Date;

  constructor(client: Client, now: () => Date = () => new Date()) {
    this.client = client;
    this.now = now;
  }

  async reconcile(_ctx: Context, req: Request): Promise<Result | undefined> {
    const credential = await ignoreNotFound(this.client.get(Credential, req));
    if (!credential || credential.metadata.deletionTimestamp) return undefined;
    const period = parseDuration(credential.spec.rotateAfter);

    const { namespace, name } = credential.metadata;
    const secret: Secret = { apiVersion: "v1", kind: "Secret", metadata: { namespace, name } };
    await createOrUpdate(this.client, secret, (found) => {
      setControllerReference(credential, found);
      const last = Date.parse(found.metadata.annotations?.[rotatedAt] ?? "");
      if (this.now().getTime() - last < period) return;
      found.metadata.annotations = { ...found.metadata.annotations, [rotatedAt]: this.now().toISOString() };
      const password = randomBytes(24).toString("base64");
      found.data = { password, ...(found.data?.password && { previous: found.data.password }) };
    });

    const last = secret.metadata?.annotations?.[rotatedAt] ?? this.now().toISOString();
    await patchStatus(this.client, credential, (copy) => {
      copy.status = { ...copy.status, rotatedAt: last };
      setReady(copy, { reason: "Rotated" });
    });
    return { requeueAfter: Math.max(1, Date.parse(last) + period - this.now().getTime()) };
  }

  async setupWithManager(mgr: Manager): Promise<void> {
    await newControllerManagedBy(mgr).for(Credential).owns(Secret).complete(this);
  }
}
