import { isLoopback } from "../../http/loopback.ts";

/** Options for webhooks that a cluster calls on this machine. */
export interface LocalWebhooksOptions {
  /**
   * URL by which API servers reach this machine, such as `https://192.168.1.5:9443`. While the manager runs, the
   * webhook configurations and the CRDs of converted kinds use this URL and a CA that is created for that run;
   * afterwards they are restored.
   *
   * @defaultValue none: the cluster isn't changed
   */
  url?: string;
  /**
   * Prefix of the names of deployed configurations. If it is set, the configurations of a deployed operator use the
   * URL.
   *
   * @defaultValue ""
   */
  namePrefix?: string;
  /**
   * File of the configurations.
   *
   * @defaultValue "config/webhook/manifests.yaml"
   */
  manifests?: string;
}

/**
 * Returns the host of the URL if only this machine can use it: the server then needs no other interface.
 *
 * @param options - the options of local webhooks, if there are any
 * @returns a loopback address or `localhost`; `undefined` for other hosts, and without a URL
 */
export function loopbackOf({ url }: LocalWebhooksOptions = {}): string | undefined {
  if (url === undefined) return undefined;
  const host = localOrigin(url).hostname.replace(/^\[|\]$/g, "");
  return isLoopback(host) ? host : undefined;
}

/**
 * Parses the URL by which API servers reach this machine.
 *
 * @returns the origin, such as `https://192.168.1.5:9443`
 * @throws TypeError for anything but `https://host[:port]`
 */
export function localOrigin(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const plain = parsed && parsed.username === "" && parsed.password === "" && /^\/?$/.test(parsed.pathname);
  const reachable = parsed && !/^(0\.0\.0\.0|\[::\])$/.test(parsed.hostname);
  if (parsed?.protocol === "https:" && plain && reachable && parsed.search === "" && parsed.hash === "") return parsed;
  throw new TypeError(
    `invalid webhook.local.url (--webhook-local-url) ${JSON.stringify(url)}: it must be a URL that API servers can reach, such as https://192.168.1.5:9443`,
  );
}
