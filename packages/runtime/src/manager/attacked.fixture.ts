// Runs a manager with webhooks, metrics and probes in a separate process, so that its memory can be measured. Sends its ports, and
// for each message its memory in bytes and its processor time in milliseconds.
import { silentLogger } from "../log/logger.ts";
import { defaulterHandler } from "../webhook/admission/defaulting.ts";
import { testCertificate } from "../webhook/server.fixture.ts";
import { Ticket, TicketDefaulter, ticketConverter } from "../webhook/ticket.fixture.ts";
import { Manager } from "./manager.ts";

const [apiServer = "", http2] = process.argv.slice(2);
const mgr = await Manager.create(
  { host: apiServer },
  {
    logger: silentLogger,
    healthProbeBindAddress: "127.0.0.1:0",
    metrics: { bindAddress: "127.0.0.1:0", secureServing: true },
    webhook: {
      host: "127.0.0.1",
      port: 0,
      enableHTTP2: http2 === "http2",
      certificates: { watch: testCertificate },
    },
  },
);
mgr.webhookServer.register("/mutate", defaulterHandler(Ticket, new TicketDefaulter()));
mgr.webhookServer.registerConverter(Ticket, ticketConverter as never);
const stop = new AbortController();
const done = mgr.start(stop.signal);
const timer = setInterval(() => {
  const ports = { webhook: mgr.webhookServer.port, metrics: mgr.metricsPort, health: mgr.healthProbePort };
  if (!ports.webhook || !ports.metrics || !ports.health) return;
  clearInterval(timer);
  process.send?.(ports);
}, 20);
process.on("message", () => {
  // An idle process doesn't collect garbage, which would count as used memory.
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  const memory = { rss, used: heapUsed + external, peak: process.resourceUsage().maxRSS * 1024 };
  process.send?.({ ...memory, cpu: (user + system) / 1000 });
});
process.on("disconnect", () => stop.abort());
await done;
process.exit();
