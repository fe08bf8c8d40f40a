import type { Strategy } from "../../../../model/resource.ts";
import { loadBalancerErrors, loadBalancerWarnings } from "./load-balancer-status.ts";
import { removeAddresses } from "./service-address-objects.ts";
import { ServiceAddresses } from "./service-addresses.ts";
import { allocateService } from "./service-allocation.ts";
import { addressesOf, nodePorts, specOf } from "./service-fields.ts";
import { dropFieldsOfOldType, keepAllocated } from "./service-update.ts";
import { fixedServiceErrors, serviceErrors } from "./service-validation.ts";
import { serviceWarnings } from "./service-warnings.ts";

/**
 * Creates the rules of Services.
 *
 * @returns the rules, with addresses of their own
 */
export function serviceStrategy(): Strategy {
  const addresses = new ServiceAddresses();
  return {
    prepareForCreate(service) {
      const spec = specOf(service);
      service.status = { loadBalancer: {} };
      if (spec.clusterIP && !spec.clusterIPs) spec.clusterIPs = [spec.clusterIP];
    },
    prepareForUpdate(service, old, { subresource }) {
      if (subresource === "status") return;
      keepAllocated(service, old);
    },
    validate: (service) => serviceErrors(service),
    validateUpdate(service, old, { subresource }) {
      if (subresource === "status") return loadBalancerErrors(service, old);
      return [...fixedServiceErrors(service, old), ...serviceErrors(service, old)];
    },
    canonicalize(service) {
      const spec = specOf(service);
      // Nothing in the cluster routes to these, so they have no policy for that, although the server accepts one.
      if (spec.type === "ExternalName") delete spec.internalTrafficPolicy;
    },
    warningsOnCreate: serviceWarnings,
    warningsOnUpdate: (service, _old, { subresource }) =>
      subresource === "status" ? loadBalancerWarnings(service) : serviceWarnings(service),
    allocate(service, old, context) {
      if (context.subresource === "status") return undefined;
      const undo = allocateService(addresses, service, old, context);
      if (old !== undefined) dropFieldsOfOldType(service, old);
      return undo;
    },
    reclaim: (service) => addresses.keep(addressesOf(service), nodePorts(service)),
    forgetAssigned: () => addresses.clear(),
    release(service, context) {
      addresses.release(addressesOf(service), nodePorts(service));
      removeAddresses(addressesOf(service), context);
    },
    replaced(service, old, context) {
      const [kept, ports] = [addressesOf(service), nodePorts(service)];
      const freed = addressesOf(old).filter((address) => !kept.includes(address));
      addresses.release(
        freed,
        nodePorts(old).filter((port) => !ports.includes(port)),
      );
      removeAddresses(freed, context);
    },
  };
}
