import { type Context, type Defaulter, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { Order } from "../../../api/v1/index.ts";
import { converter } from "../../../api/v1/order-conversion.ts";

/** Registers the webhooks of Order with the manager, which serves them. */
export async function setupOrderWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Order)
    .withDefaulter(new OrderDefaulter())
    .withValidator(new OrderValidator())
    .withConverter(converter)
    .complete();
}

// +kubebuilder:webhook:path=/mutate-bench-kubewright-dev-v1-order,mutating=true,failurePolicy=fail,sideEffects=None,groups=bench.kubewright.dev,resources=orders,verbs=create;update,versions=v1,name=morder-v1.kb.io,admissionReviewVersions=v1

/** OrderDefaulter sets the count. */
export class OrderDefaulter implements Defaulter<Order> {
  default(_ctx: Context, order: Order): void {
    order.spec.count ||= 1;
  }
}

// +kubebuilder:webhook:path=/validate-bench-kubewright-dev-v1-order,mutating=false,failurePolicy=fail,sideEffects=None,groups=bench.kubewright.dev,resources=orders,verbs=create;update,versions=v1,name=vorder-v1.kb.io,admissionReviewVersions=v1

/** OrderValidator requires an item. */
export class OrderValidator implements Validator<Order> {
  validateCreate(_ctx: Context, order: Order): string[] {
    return validate(order);
  }

  validateUpdate(_ctx: Context, _old: Order, order: Order): string[] {
    return validate(order);
  }

  validateDelete(): string[] {
    return [];
  }
}

function validate(order: Order): string[] {
  if (order.spec.item === "") throw new Error("spec.item: must not be empty");
  return [];
}
