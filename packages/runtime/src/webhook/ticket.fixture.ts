import type { KubernetesObject, ObjectMeta } from "../api/index.ts";
import { groupVersion, type Kind } from "../api/kind.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Context } from "../reconcile/context.ts";
import { Denied } from "./admission/denied.ts";
import type { Defaulter, ValidationResult, Validator } from "./admission/types.ts";
import type { Converter } from "./conversion/converter.ts";

const group = "webhook.kubewright.dev";

/** The hub version, which is also the stored version. */
export interface Ticket extends KubernetesObject {
  metadata: ObjectMeta;
  spec: { title: string; seats?: number; price?: { amount: number; currency: string }; id?: number | bigint };
  status?: { sold?: boolean };
}
export const Ticket: Kind<Ticket> = groupVersion(group, "v1").kind<Ticket>("Ticket");

/** A version with the price as one string. */
export interface TicketV1beta1 extends KubernetesObject {
  metadata: ObjectMeta;
  spec: { title: string; seats?: number; price?: string; id?: number | bigint };
}
export const TicketV1beta1: Kind<TicketV1beta1> = groupVersion(group, "v1beta1").kind<TicketV1beta1>("Ticket");

/** A version with another name for the title, which stores the price in an annotation. */
export interface TicketV1alpha1 extends KubernetesObject {
  metadata: ObjectMeta;
  spec: { name: string; seats?: number; id?: number | bigint };
}
export const TicketV1alpha1: Kind<TicketV1alpha1> = groupVersion(group, "v1alpha1").kind<TicketV1alpha1>("Ticket");

const priceAnnotation = `${group}/price`;

export const ticketConverter: Converter<Ticket, [TicketV1beta1, TicketV1alpha1]> = {
  hub: Ticket,
  spokes: [
    {
      kind: TicketV1beta1,
      toHub(ticket) {
        const { price, ...spec } = ticket.spec;
        const [amount, currency = ""] = (price ?? "").split(" ");
        return { ...ticket, spec: { ...spec, ...(price ? { price: { amount: Number(amount), currency } } : {}) } };
      },
      fromHub(ticket) {
        const { price, ...spec } = ticket.spec;
        return { ...ticket, spec: { ...spec, ...(price ? { price: `${price.amount} ${price.currency}` } : {}) } };
      },
    },
    {
      kind: TicketV1alpha1,
      async toHub(ticket) {
        const { name, ...spec } = ticket.spec;
        if (name === "unconvertible") throw new Error("spec.name: nobody knows what that is");
        const { [priceAnnotation]: price, ...annotations } = ticket.metadata.annotations ?? {};
        const metadata = { ...ticket.metadata, annotations };
        return { ...ticket, metadata, spec: { ...spec, title: name, ...(price ? { price: JSON.parse(price) } : {}) } };
      },
      async fromHub(ticket) {
        const { title, price, ...spec } = ticket.spec;
        const { annotations } = ticket.metadata;
        const kept = price ? { ...annotations, [priceAnnotation]: JSON.stringify(price) } : annotations;
        return { ...ticket, metadata: { ...ticket.metadata, annotations: kept }, spec: { ...spec, name: title } };
      },
    },
  ],
};

export class TicketDefaulter implements Defaulter<Ticket> {
  readonly requests: Context["request"][] = [];

  default(ctx: Context, ticket: Ticket): void {
    this.requests.push(ctx.request);
    if (ticket.spec.title === "no default") throw new Error("this title has no defaults");
    ticket.spec.seats ??= 1;
  }
}

export class TicketValidator implements Validator<Ticket> {
  validateCreate(_ctx: Context, ticket: Ticket): ValidationResult {
    const { title, seats = 0 } = ticket.spec;
    if (title === "forbidden") throw new Error("spec.title: nobody may sell that");
    if (title === "warned and denied") throw new Denied("denied", { warnings: ["first", "second"] });
    if (seats > 10) {
      throw ApiError.invalid(Ticket, ticket.metadata.name ?? "", [
        { reason: "FieldValueInvalid", field: "spec.seats", message: "Invalid value: at most 10" },
      ]);
    }
    return seats > 8 ? ["spec.seats: more than 8 are seldom free"] : undefined;
  }

  async validateUpdate(_ctx: Context, before: Ticket, after: Ticket): Promise<ValidationResult> {
    if (before.spec.title !== after.spec.title) throw new Error("spec.title: can't be changed");
  }

  validateDelete(_ctx: Context, ticket: Ticket): ValidationResult {
    if (ticket.metadata.labels?.keep === "true") throw new Error(`${ticket.spec.title} is kept`);
    return [`${ticket.spec.title} is gone`];
  }
}

const object = (properties: object): object => ({ type: "object", properties });
const text = { type: "string" };
const integer = { type: "integer", format: "int64" };
const versionOf = (name: string, storage: boolean, spec: object): object => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: object({
      spec: object({ seats: integer, id: integer, ...spec }),
      status: object({ sold: { type: "boolean" } }),
    }),
  },
  subresources: { status: {} },
});

const service = { name: "webhook-service", namespace: "system" };
const rule = (operations: string[]): object => ({
  apiGroups: [group],
  apiVersions: ["v1"],
  resources: ["tickets"],
  operations,
});

/** The CRD as `scaffold generate` and kustomize write it: the converter is a Service in the cluster. */
export const ticketCRD: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `tickets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Ticket", listKind: "TicketList", plural: "tickets", singular: "ticket" },
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { ...service, path: "/convert" } } },
    },
    versions: [
      versionOf("v1", true, { title: text, price: object({ amount: integer, currency: text }) }),
      versionOf("v1beta1", false, { title: text, price: text }),
      versionOf("v1alpha1", false, { name: text }),
    ],
  },
} as KubernetesObject;

/** Returns the CRD with another storage version. */
export function storedAs(version: string): KubernetesObject {
  const crd = structuredClone(ticketCRD) as KubernetesObject & {
    spec: { versions: { name: string; storage: boolean }[] };
  };
  for (const entry of crd.spec.versions) entry.storage = entry.name === version;
  return crd;
}

const common = { admissionReviewVersions: ["v1"], sideEffects: "None", failurePolicy: "Fail", timeoutSeconds: 10 };

export const mutatingConfiguration: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingWebhookConfiguration",
  metadata: { name: "tickets-mutating" },
  webhooks: [
    {
      ...common,
      name: "mticket.kubewright.dev",
      clientConfig: { service: { ...service, path: "/mutate-webhook-kubewright-dev-v1-ticket" } },
      rules: [rule(["CREATE", "UPDATE"])],
    },
  ],
} as KubernetesObject;

export const validatingConfiguration: KubernetesObject = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "tickets-validating" },
  webhooks: [
    {
      ...common,
      name: "vticket.kubewright.dev",
      clientConfig: { service: { ...service, path: "/validate-webhook-kubewright-dev-v1-ticket" } },
      rules: [rule(["CREATE", "UPDATE", "DELETE"])],
    },
  ],
} as KubernetesObject;

export function ticket(name: string, spec: Ticket["spec"], labels?: Record<string, string>): Ticket {
  return {
    apiVersion: Ticket.apiVersion,
    kind: Ticket.kind,
    metadata: { name, namespace: "default", ...(labels ? { labels } : {}) },
    spec,
  };
}
