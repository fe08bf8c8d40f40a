/** The webhooks of this process, for `scaffold dev`, which configures the cluster to call them through its own address. */
export interface OfferedWebhooks {
  /** Port on the loopback interface. */
  port: number;
  /** PEM text of the server's certificate, or of the CA that has issued it. */
  cert: string;
  /** Registered paths. */
  paths: readonly string[];
  /** Names of the CRDs of converted kinds. */
  definitions: readonly string[];
  /** Prefix of the names of deployed configurations. */
  namePrefix: string;
  /** File of the configurations. */
  manifests: string;
}

interface Answer {
  kubewright?: string;
  error?: string;
  restore?: string;
}

/**
 * Offers webhooks to the parent process.
 *
 * @param webhooks - the webhooks, whose server listens
 * @param signal - ends the wait
 * @returns a promise that resolves when the cluster calls the webhooks: with the name of the session whose configuration this
 * process must restore if the parent is killed, unless the cluster has no other users
 * @throws Error if the parent can't configure the cluster
 */
export function offerWebhooks(webhooks: OfferedWebhooks, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      process.off("message", onMessage);
      signal.removeEventListener("abort", onAbort);
      process.channel?.unref();
    };
    const onMessage = (received: unknown): void => {
      const { kubewright, error, restore } = (received ?? {}) as Answer;
      if (kubewright !== "webhooks") return;
      end();
      if (error === undefined) resolve(restore);
      else reject(new Error(error));
    };
    const onAbort = (): void => {
      end();
      resolve(undefined);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    process.on("message", onMessage);
    // The wait keeps the process running.
    process.channel?.ref();
    process.send?.({ kubewright: "webhooks", webhooks }, undefined, undefined, () => {});
  });
}
