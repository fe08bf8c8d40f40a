import { type FieldError, invalidValue } from "@kubewright/cel/validation";
import type { ApiObject, StrategyContext } from "../../../../model/resource.ts";
import { internalError, StatusError } from "../../../../model/status.ts";
import { numberOf } from "../../fields/fields.ts";
import type { ServiceAddresses } from "./service-addresses.ts";
import { checksHealth, getsNodePorts, hasNodePorts, portsOf, specOf } from "./service-fields.ts";

/** Refuses a request with errors about fields. */
export type Refuse = (errors: FieldError[]) => never;

const firstDryPort = 32_768;

/** The node ports that one write of a Service reserves. A dry run reserves none, and assigns ports out of the range. */
export class PortReservation {
  readonly #addresses: ServiceAddresses;
  readonly #dryRun: boolean;
  readonly #random: () => number;
  readonly #taken: number[] = [];

  constructor(addresses: ServiceAddresses, { dryRun, random }: Pick<StrategyContext, "dryRun" | "random">) {
    this.#addresses = addresses;
    this.#dryRun = dryRun;
    this.#random = random;
  }

  /** Returns why a port can't be used; undefined if it is reserved now. */
  reserve(port: number): string | undefined {
    if (this.#dryRun) {
      const isTaken = this.#addresses.hasPort(port) || this.#taken.includes(port);
      if (isTaken) return "provided port is already allocated";
    } else {
      const problem = this.#addresses.reservePort(port);
      if (problem !== undefined) return problem;
    }
    this.#taken.push(port);
    return undefined;
  }

  /** Returns a free port, which is reserved; undefined if there is none. */
  next(): number | undefined {
    const port = this.#dryRun ? Math.max(firstDryPort - 1, ...this.#taken) + 1 : this.#addresses.nextPort(this.#random);
    if (port !== undefined) this.#taken.push(port);
    return port;
  }

  /** Makes the ports free again. */
  undo(): void {
    if (!this.#dryRun) this.#addresses.release([], this.#taken);
  }
}

/**
 * Assigns node ports to a Service.
 *
 * @param reservation - reserves the ports
 * @param service - the Service, which is changed
 * @param old - the Service before an update
 * @param refuse - refuses the write
 * @throws StatusError if a port can't be used
 */
export function assignPorts(
  reservation: PortReservation,
  service: ApiObject,
  old: ApiObject | undefined,
  refuse: Refuse,
): void {
  const take = (index: number, port: number): void => {
    const problem = reservation.reserve(port);
    if (problem !== undefined) refuse([invalidValue(`spec.ports[${index}].nodePort`, port, problem)]);
  };
  if (hasNodePorts(specOf(service))) {
    if (old === undefined) assignNew(reservation, service, take);
    else assignChanged(reservation, service, old, take);
  }
  if (checksHealth(specOf(service)) && (old === undefined || !checksHealth(specOf(old)))) {
    assignHealthPort(reservation, service);
  }
}

/** Ports of one number, with several protocols, share a node port unless the client gives them different ones. */
function assignNew(
  reservation: PortReservation,
  service: ApiObject,
  take: (index: number, port: number) => void,
): void {
  const ports = portsOf(service);
  const nodePorts = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    if (!port.nodePort && !getsNodePorts(specOf(service))) continue;
    const number = port.port ?? 0;
    const shared = nodePorts.get(number);
    if (shared === undefined) {
      const given = ports.find((one) => (one.port ?? 0) === number && one.nodePort)?.nodePort;
      if (given) take(index, given);
      port.nodePort = given || nextPort(reservation);
      nodePorts.set(number, port.nodePort);
    } else if (!port.nodePort) port.nodePort = shared;
    else if (port.nodePort !== shared) take(index, port.nodePort);
  }
}

function assignChanged(
  reservation: PortReservation,
  service: ApiObject,
  old: ApiObject,
  take: (index: number, port: number) => void,
): void {
  const nodePorts = new Set(portsOf(old).map(({ nodePort }) => nodePort));
  const seen = new Set<string>();
  for (const [index, port] of portsOf(service).entries()) {
    if (!port.nodePort && !getsNodePorts(specOf(service))) continue;
    if (!port.nodePort) port.nodePort = nextPort(reservation);
    else if (!nodePorts.has(port.nodePort)) {
      take(index, port.nodePort);
      nodePorts.add(port.nodePort);
    }
    const shown = `{${port.protocol} ${port.nodePort}}`;
    if (seen.has(shown)) throw new StatusError(500, "", `duplicate nodePort: ${shown}`);
    seen.add(shown);
  }
}

function nextPort(reservation: PortReservation): number {
  const port = reservation.next();
  if (port === undefined) throw internalError("failed to allocate a nodePort: range is full");
  return port;
}

function assignHealthPort(reservation: PortReservation, service: ApiObject): void {
  const spec = specOf(service);
  const given = numberOf(spec.healthCheckNodePort);
  if (given === 0) {
    const port = reservation.next();
    if (port === undefined) throw internalError("failed to allocate a HealthCheck NodePort 0: range is full");
    spec.healthCheckNodePort = port;
    return;
  }
  const problem = reservation.reserve(given);
  if (problem !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${given}: ${problem}`);
  }
}
