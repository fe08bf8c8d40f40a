import { goQuote, type JsonObject } from "@kubewright/cel/json";
import { numberOf, objectsOf, textOf } from "../../fields/fields.ts";

interface PlacedPort {
  at: string;
  number: number;
  protocol: string;
  hostIP: string;
  hostPort: number;
  name: string;
}

function portsOf(containers: ReadonlyMap<string, JsonObject>): PlacedPort[] {
  return [...containers].flatMap(([path, container]) =>
    objectsOf(container.ports).map((port, index) => ({
      at: `${path}.ports[${index}]`,
      number: numberOf(port.containerPort),
      protocol: textOf(port.protocol),
      hostIP: textOf(port.hostIP),
      hostPort: numberOf(port.hostPort),
      name: textOf(port.name),
    })),
  );
}

/** A port as Go prints the struct. */
function shown({ name, hostPort, number, protocol, hostIP }: PlacedPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${number} Protocol:${protocol} HostIP:${hostIP}}`;
}

/** How two definitions of the same port conflict; undefined if they don't. */
function conflict(port: PlacedPort, other: PlacedPort): string | undefined {
  if (port.number !== other.number || port.protocol !== other.protocol) return undefined;
  if (port.hostIP === other.hostIP && port.hostPort === other.hostPort) return "duplicate";
  if (port.hostPort === 0 || other.hostPort === 0) return "overlapping";
  const isAmbiguous = port.hostPort === other.hostPort && (port.hostIP === "") !== (other.hostIP === "");
  return isAmbiguous ? "dangerously ambiguous" : undefined;
}

/**
 * Finds ports that are defined more than once in a Pod.
 *
 * @param containers - the containers by their paths
 * @returns the warnings
 */
export function portWarnings(containers: ReadonlyMap<string, JsonObject>): string[] {
  const ports = portsOf(containers);
  const warnings: string[] = [];
  for (const [index, port] of ports.entries()) {
    if (port.hostIP !== "" && port.hostPort === 0) {
      warnings.push(`${port.at}: hostIP set without hostPort: ${shown(port)}`);
    }
    for (const other of ports.slice(0, index)) {
      const how = conflict(port, other);
      if (how !== undefined) warnings.push(`${port.at}: ${how} port definition with ${other.at}`);
    }
  }
  const named = new Map<string, string>();
  for (const { name, at } of ports) {
    const other = named.get(name);
    if (name !== "" && other !== undefined) {
      const effect = `services and probes that select ports by name will use ${other}`;
      warnings.push(`${at}: duplicate port name ${goQuote(name)} with ${other}, ${effect}`);
    } else if (name !== "") named.set(name, at);
  }
  return warnings;
}
