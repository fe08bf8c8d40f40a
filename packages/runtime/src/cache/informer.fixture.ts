import { newController } from "../clock/abort.ts";
import { VirtualClock } from "../clock/virtual-clock.ts";
import { TransportError } from "../errors/transport-error.ts";
import { type Logger, silentLogger } from "../log/logger.ts";
import { ConnectionGate } from "./connection-gate.ts";
import { FakeServer, Thing } from "./fake-server.fixture.ts";
import { Informer } from "./informer.ts";
import type { InformerOptions } from "./informer-options.ts";
import type { InformerHandler } from "./registration.ts";

export interface InformerSetup {
  server: FakeServer;
  clock: VirtualClock;
  informer: Informer<Thing>;
  /** The calls of {@link handler}. */
  events: string[];
  handler: InformerHandler<Thing>;
  /** The times of the connection checks, in milliseconds. */
  probes: number[];
  warnings: string[];
  stop: AbortController;
  start(): Promise<void>;
}

/** Creates an informer of a fake server on a virtual clock, and a handler that records its calls. */
export function setUpInformer(
  options: Partial<InformerOptions<Thing>> = {},
  server: FakeServer = new FakeServer(),
): InformerSetup {
  const clock = new VirtualClock();
  const probes: number[] = [];
  const warnings: string[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (message, fields) => void warnings.push(`${message}: ${String(fields?.error)}`),
  };
  const gate = new ConnectionGate({
    clock,
    probe: async () => {
      probes.push(clock.now());
      if (server.isDown) throw new TransportError("ECONNREFUSED", "connect ECONNREFUSED");
    },
  });
  const informer = Informer.create<Thing>({
    kind: Thing,
    scopes: async () => [{}],
    listWatch: () => server,
    gate,
    clock,
    log,
    random: () => 0.5,
    ...options,
  });
  const events: string[] = [];
  const stop = newController();
  const start = async (): Promise<void> => {
    informer.start(stop.signal);
    await clock.advance(0);
  };
  return { server, clock, informer, events, probes, warnings, stop, start, handler: recorder(events) };
}

/** Returns a handler that records its calls as `create name=value`, `update name=old>new`, `delete name`, and so on. */
export function recorder(events: string[]): InformerHandler<Thing> {
  return {
    create: ({ object, isInInitialList }) =>
      void events.push(`create ${object.metadata?.name}=${object.value}${isInInitialList ? " (initial)" : ""}`),
    update: ({ oldObject, object }) =>
      void events.push(`update ${object.metadata?.name}=${oldObject.value}>${object.value}`),
    delete: ({ object, deleteStateUnknown }) =>
      void events.push(`delete ${object.metadata?.name}${deleteStateUnknown ? " (unknown)" : ""}`),
  };
}
