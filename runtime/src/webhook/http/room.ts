import type { ServerResponse } from "node:http";
import { getHeapStatistics } from "node:v8";

/** Bytes up to which a body counts as small: what nearly all objects are. */
const smallBody = 64 * 1024;
/** Requests that may wait for room at a time. */
const maxWaiting = 1000;

/** There was no room for a body: the caller may try again. */
export class NoRoomError extends Error {
  override readonly name: string = "NoRoomError";
}

/** Says so with a status by which API servers take the webhook for one that can't be called: what happens then is in its failurePolicy. */
export function answerNoRoom(response: ServerResponse, { message }: NoRoomError): void {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" }).end(`${message}\n`);
}

/** What a request holds of a {@link Room} from its arrival until it is answered. */
export interface Place {
  /** Resolves when there is room; rejects with a `NoRoomError` when that took too long. */
  readonly ready: Promise<void>;
  /** Makes room for the next; ends the wait too. To be called once the request is answered, or gone. */
  leave(): void;
}

/**
 * What all bodies may hold that are read and answered at one time. Each has its limit, but many at once would take more memory than
 * there is: whoever comes when it is full is not read from until others are answered, so that its sender waits too. Small bodies have
 * a quarter for themselves: they pass while large ones wait.
 */
export class Room {
  readonly #small: Lane;
  readonly #large: Lane;

  /** `size` is in bytes. A body that is larger than its part of it is taken when nothing else is there. */
  constructor(size: number) {
    this.#small = new Lane(size / 4);
    this.#large = new Lane((size * 3) / 4);
  }

  /** Asks for room for so many bytes; `time` is what the wait may take, in milliseconds. */
  take(bytes: number, time: number): Place {
    return (bytes <= smallBody ? this.#small : this.#large).take(bytes, time);
  }
}

interface Waiting {
  bytes: number;
  admit(): void;
}

/** First come, first served. */
class Lane {
  readonly #size: number;
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor(size: number) {
    this.#size = size;
  }

  take(bytes: number, time: number): Place {
    let leave = (): void => {};
    const ready = new Promise<void>((resolve, reject) => {
      const refuse = (waited: string): void =>
        reject(new NoRoomError(`too many requests are being answered: there was no room for ${bytes} bytes ${waited}`));
      const admit = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        this.#held += bytes;
        leave = () => {
          leave = () => {};
          this.#held -= bytes;
          this.#admitNext();
        };
        resolve();
      };
      const waiting = { bytes, admit };
      let timer: NodeJS.Timeout | undefined;
      if (this.#waiting.size === 0 && this.#fits(bytes)) return admit();
      if (this.#waiting.size >= maxWaiting) return refuse(`while ${maxWaiting} others waited`);
      this.#waiting.add(waiting);
      timer = setTimeout(() => {
        refuse(`within ${time} ms`);
        leave();
      }, time);
      leave = () => {
        clearTimeout(timer);
        reject(new NoRoomError("the request broke off while it waited for room"));
        // It may have been what kept smaller ones back.
        if (this.#waiting.delete(waiting)) this.#admitNext();
      };
    });
    return { ready, leave: () => leave() };
  }

  #fits(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#size;
  }

  #admitNext(): void {
    for (const next of this.#waiting) {
      if (!this.#fits(next.bytes)) return;
      next.admit();
    }
  }
}

/**
 * The room of the whole process, however many servers it has. A body is there as bytes, as text and as objects, which take several
 * times as much: a sixteenth of the heap leaves most of it to the program.
 */
export const processRoom: Room = new Room(getHeapStatistics().heap_size_limit / 16);
