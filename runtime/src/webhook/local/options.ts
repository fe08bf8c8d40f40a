/** Serves the webhooks of a manager on this machine to a cluster. */
export interface LocalWebhooksOptions {
  /**
   * Where API servers reach this machine, such as `https://192.168.1.5:9443`; without it nothing in the cluster is changed. While the
   * manager runs, the webhooks' configurations and converted CRDs call it by this URL and a CA made for that run; at the end they
   * are as they were.
   */
  url?: string;
  /** What the names of deployed configurations begin with; the configurations of an operator that is deployed lead here then. */
  namePrefix?: string;
  /** File with the configurations; `config/webhook/manifests.yaml` by default. */
  manifests?: string;
}

/**
 * The URL's origin, such as `https://192.168.1.5:9443`.
 *
 * @throws TypeError for anything else than `https://host[:port]`
 */
export function localOrigin(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const plain = parsed && parsed.username === "" && parsed.password === "" && /^\/?$/.test(parsed.pathname);
  const reachable = parsed && !/^(0\.0\.0\.0|\[::\])$/.test(parsed.hostname);
  if (parsed?.protocol === "https:" && plain && reachable && parsed.search === "" && parsed.hash === "") return parsed;
  throw new TypeError(
    `webhook.local.url (--webhook-local-url): ${JSON.stringify(url)} is no address that API servers can call, such as https://192.168.1.5:9443`,
  );
}
