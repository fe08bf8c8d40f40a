import { randomBytes } from "node:crypto";
import { type Clock, systemClock } from "../clock/clock.ts";
import { isLoopback } from "../http/loopback.ts";
import type { Logger } from "../log/logger.ts";
import { type BindAddress, parseBindAddress } from "../server/bind-address.ts";
import { Server } from "../server/server.ts";
import { faultsOfParent, isInspectedByParent, isPausedByParent } from "../session/parent-process.ts";
import { inspectListener } from "./inspect-server.ts";
import { Inspector } from "./inspector.ts";
import type { InspectOptions } from "./options.ts";
import { reportToParent } from "./parent-channel.ts";

/** Number of frames in stack traces. */
const deepStack = 50;

/** The recording of one manager: its inspector, and who can read the records. */
export class Inspection {
  readonly inspector: Inspector;
  readonly #address: BindAddress | undefined;
  readonly #token: string | undefined;
  #server: Server | undefined;

  /** @throws Error if the address isn't valid, or isn't on the loopback interface, or the token is too short */
  constructor(clock: Clock | undefined, options: InspectOptions) {
    this.#address = loopbackAddress(options.bindAddress ?? "0");
    this.#token = this.#address && givenToken(options.token ?? process.env[tokenVariable]);
    this.inspector = new Inspector(clock ?? systemClock, options);
    // The runtime's own frames must not push those of the reconciler out of a stack trace.
    Error.stackTraceLimit = Math.max(Error.stackTraceLimit, deepStack);
    if (isPausedByParent()) this.inspector.pause(true);
    for (const fault of faultsOfParent()) this.inspector.faults.inject(fault);
    if (isInspectedByParent()) reportToParent(this.inspector);
  }

  /** Port of the records. Unset until it is bound. */
  get port(): number | undefined {
    return this.#server?.port;
  }

  /** Called when the manager starts. Binds the server of the records, if there is an address. */
  async serve(logger: Logger): Promise<Server | undefined> {
    if (!this.#address) return undefined;
    const token = this.#token ?? randomBytes(24).toString("base64url");
    const server = inspectListener(this.inspector, token);
    this.#server = new Server({ name: "inspect", server, bindAddress: this.#address, logger });
    await this.#server.bind();
    // The records require permission to read the log, or the Secret with a given token.
    if (this.#token) logger.info(`The records require the token of ${tokenVariable}, or of the manager's options`);
    else logger.info(`The bearer token for the records is ${token}`);
    return this.#server;
  }
}

/** Environment variable with the token. */
const tokenVariable = "KUBEWRIGHT_INSPECT_TOKEN";
const shortestToken = 16;

function givenToken(token: string | undefined): string | undefined {
  if (token === undefined || token === "") return undefined;
  if (token.length >= shortestToken) return token;
  throw new Error(`invalid inspect token: it must have at least ${shortestToken} characters`);
}

/** Parses an address of the loopback interface: the records contain the specs of all objects. */
function loopbackAddress(text: string): BindAddress | undefined {
  const address = parseBindAddress(text);
  if (!address) return undefined;
  const { host = "127.0.0.1", port } = address;
  if (isLoopback(host)) return { host, port };
  throw new Error(
    `invalid inspect address ${JSON.stringify(text)}: it must be on the loopback interface, such as ":8082"; use kubectl port-forward to reach it`,
  );
}
