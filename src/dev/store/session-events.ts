import type { DevEvent, DevEventBody, DevProblem, ErrorPhase, InspectMessage } from "@kubewright/dashboard/protocol";

/** The channels of a session, with their values. */
export interface SessionChannels {
  /** The events of the loop. */
  event: DevEvent;
  /** The records of the manager. */
  message: InspectMessage;
  /** The lines of the manager. */
  line: string;
  /** All problems that a step has now. Without any, those that it had are fixed. */
  problems: { readonly phase: ErrorPhase; readonly problems: readonly DevProblem[] };
}

type Channel = keyof SessionChannels;
type Listener = (value: never) => void;

/** Passes everything that happens in a session to its subscribers. */
export class SessionEvents {
  readonly #listeners = new Map<Channel, Set<Listener>>();

  /**
   * Calls a function with each value of a channel.
   *
   * @param channel - the channel
   * @param listener - the function
   * @returns a function that ends it
   */
  on<C extends Channel>(channel: C, listener: (value: SessionChannels[C]) => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Resolves at the next event of the loop with a name. */
  next(name: DevEvent["event"]): Promise<void> {
    return new Promise((resolve) => {
      const end = this.on("event", ({ event }) => {
        if (event !== name) return;
        end();
        resolve();
      });
    });
  }

  /** Passes a value to the subscribers of its channel. */
  send<C extends Channel>(channel: C, value: SessionChannels[C]): void {
    for (const listener of this.#listeners.get(channel) ?? []) (listener as (value: SessionChannels[C]) => void)(value);
  }

  /** Sends an event of the loop that happens now. */
  emit(body: DevEventBody): void {
    this.send("event", Object.assign({ event: body.event, time: new Date().toISOString() }, body));
  }

  /** Sends a note for people. */
  note(message: string): void {
    this.emit({ event: "note", message });
  }

  /** Sends the problems of a step. */
  report(phase: ErrorPhase, problems: readonly DevProblem[]): void {
    this.send("problems", { phase, problems });
  }
}
