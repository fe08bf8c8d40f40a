import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** The path on which an API server learns where its objects are stored. The response lasts as long as this process. */
export const storagePath = "/kubewright/storage";

/** The first line of the response of {@link storagePath}. */
export interface Storage {
  dataFile: string;
}

const retryDelay = 100;

/** The connection of an API server to the process that provides its storage. */
export class StorageLink {
  readonly #url: string;
  #request: ClientRequest | undefined;
  #connected = false;
  #closed = false;

  /** @param url - the URL of etcd */
  constructor(url: string) {
    this.#url = url;
  }

  /** True while the other process runs. */
  get connected(): boolean {
    return this.#connected;
  }

  /**
   * Connects, and connects again whenever the connection is lost.
   *
   * @param timeout - the limit for the first connection in milliseconds
   * @returns where the objects are stored
   * @throws Error if the process doesn't exist
   */
  async open(timeout: number): Promise<Storage> {
    const end = performance.now() + timeout;
    for (;;) {
      try {
        return await this.#connect();
      } catch (error) {
        if (performance.now() > end) throw error;
        await sleep(retryDelay);
      }
    }
  }

  /** Ends the connection. */
  close(): void {
    this.#closed = true;
    this.#request?.destroy();
  }

  #connect(): Promise<Storage> {
    return new Promise((resolve, reject) => {
      const lost = (): void => {
        if (!this.#connected) return;
        this.#connected = false;
        void this.#reconnect();
      };
      const sent = request(new URL(storagePath, this.#url), { agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
          if (this.#connected || !text.includes("\n")) return;
          const storage = response.statusCode === 200 ? parse(text) : undefined;
          if (storage === undefined) {
            reject(new Error(`${this.#url} isn't an etcd of kubewright`));
            return;
          }
          this.#connected = true;
          resolve(storage);
        });
        response.on("error", () => {});
        response.on("close", () => {
          lost();
          reject(new Error(`${this.#url} isn't an etcd of kubewright`));
        });
      });
      this.#request = sent;
      sent.on("error", reject);
      sent.end();
    });
  }

  async #reconnect(): Promise<void> {
    while (!this.#closed && !this.#connected) {
      await sleep(retryDelay);
      await this.#connect().catch(() => {});
    }
  }
}

function parse(text: string): Storage | undefined {
  try {
    const storage = JSON.parse(text.split("\n")[0] as string) as Storage;
    return typeof storage.dataFile === "string" ? storage : undefined;
  } catch {
    return undefined;
  }
}
