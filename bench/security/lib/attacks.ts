// Defines the attacks, and distributes the connections among them.

const mutate = "/mutate-bench-kubewright-dev-v1-order";
const validate = "/validate-bench-kubewright-dev-v1-order";

interface NamedAttack {
  readonly name: string;
  /** A function of `packages/runtime/tests/attacks` or `bench/security/attacks`. */
  readonly client: string;
  /** The attacked server. */
  readonly target: Target;
  readonly path?: string;
}
type Target = "webhook" | "metrics" | "health";

export interface Scenario {
  /** Its name for `--only`. */
  readonly id: string;
  readonly name: string;
  readonly attacks: readonly NamedAttack[];
  /** Whether a tenant creates hostile objects. */
  readonly isHostile?: boolean;
}

/** The task of one client of the attackers. */
export interface Plan {
  readonly client: string;
  readonly path?: string;
  readonly port: number;
  readonly tls: boolean;
  readonly connections: number;
  readonly localAddress?: string;
}

const attacks: readonly NamedAttack[] = [
  { name: "distinct bearer tokens", client: "tokenFlood", target: "metrics" },
  { name: "bearer tokens of 1 MB", client: "largeTokens", target: "metrics" },
  { name: "announced bodies that don't come", client: "idleBodies", target: "webhook", path: mutate },
  { name: "chunked bodies that don't come", client: "idleChunkedBodies", target: "webhook", path: validate },
  { name: "chunked bodies for /convert", client: "idleChunkedBodies", target: "webhook", path: "/convert" },
  { name: "slow bodies", client: "slowBodies", target: "webhook", path: validate },
  { name: "bodies of 7 MB that stall", client: "stalledBodies", target: "webhook", path: mutate },
  { name: "gzip bombs", client: "gzipBombs", target: "webhook", path: mutate },
  { name: "heads of 1 MiB (webhooks)", client: "headerFlood", target: "webhook" },
  { name: "heads of 1 MiB (metrics)", client: "headerFlood", target: "metrics" },
  { name: "heads of 30 KiB", client: "largeHeads", target: "webhook" },
  { name: "slow heads", client: "slowHeaders", target: "metrics" },
  { name: "half-open handshakes", client: "halfOpenHandshakes", target: "webhook" },
  { name: "handshake churn", client: "handshakeChurn", target: "webhook" },
  { name: "HTTP/2 rapid resets", client: "http2RapidResets", target: "webhook", path: mutate },
  { name: "pipelined requests", client: "pipelinedRequests", target: "metrics" },
  { name: "idle connections", client: "idleConnections", target: "health" },
];

/** The rows of the table. */
export const scenarios: readonly Scenario[] = [
  { id: "none", name: "no attack", attacks: [] },
  ...attacks.map((attack, index) => ({ id: String(index + 1), name: attack.name, attacks: [attack] })),
  { id: "connections", name: "all of these at once", attacks },
  { id: "objects", name: "hostile objects", attacks: [], isHostile: true },
  { id: "all", name: "all at once, with hostile objects", attacks, isHostile: true },
];

/**
 * Distributes the connections evenly among the attacks of a scenario.
 *
 * @param ports - the port of each target
 * @param isSameAddress - whether the attackers have the address of the API server; otherwise each attack has its own
 */
export function planOf(
  scenario: Scenario,
  connections: number,
  ports: Readonly<Record<Target, number>>,
  isSameAddress: boolean,
): Plan[] {
  const perAttack = Math.floor(connections / scenario.attacks.length);
  return scenario.attacks.map(({ client, target, path }, index) => ({
    client,
    path,
    port: ports[target],
    tls: target !== "health",
    connections: index === 0 ? connections - perAttack * (scenario.attacks.length - 1) : perAttack,
    localAddress: isSameAddress ? undefined : `127.0.1.${index + 1}`,
  }));
}
