// A controller without a controller: list, then watch from there on. What reconcilers get from the manager's caches,
// written out. Run it: npx esbuild src/watch.ts --bundle --packages=external --format=esm --outfile=dist/watch.js
// and node dist/watch.js [namespace] [resourceVersion]
import {
  type Client,
  createClient,
  isGone,
  type Kind,
  type KubernetesObject,
  loadConfig,
  setupSignalHandler,
  type WatchEvent,
} from "@kubewright/runtime";
import { MyWebserver } from "../api/v2/index.ts";

/** What to follow, and from where on. */
interface Following {
  namespace: string;
  /** Events after this version are told. Without it, all objects that there are come first. */
  resourceVersion?: string;
  signal: AbortSignal;
}

/** Tells every event of a kind, in order and without a gap, until the signal aborts. */
async function* follow<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  { namespace, resourceVersion, signal }: Following,
): AsyncGenerator<Pick<WatchEvent<T>, "type" | "object">> {
  while (!signal.aborted) {
    if (resourceVersion === undefined) {
      const list = await client.list(kind, { namespace });
      for (const object of list.items) yield { type: "ADDED", object };
      // The version of the list, not that of its newest object: others may have changed since.
      resourceVersion = list.metadata.resourceVersion;
    }
    try {
      // Servers end each watch after some minutes: the next one goes on where this one was.
      for await (const event of client.watch(kind, { namespace, resourceVersion, allowWatchBookmarks: true, signal })) {
        resourceVersion = event.object.metadata.resourceVersion;
        if (event.type !== "BOOKMARK") yield event;
      }
    } catch (error) {
      if (!isGone(error)) throw error;
      // So far back nobody remembers: what there is now must do.
      console.log(`${resourceVersion} is too old, listing again`);
      resourceVersion = undefined;
    }
  }
}

const [namespace = "default", resourceVersion] = process.argv.slice(2);
const client = createClient(loadConfig());
console.log(`watching mywebservers in ${namespace}`);
for await (const { type, object } of follow(client, MyWebserver, {
  namespace,
  resourceVersion,
  signal: setupSignalHandler(),
})) {
  const { name, resourceVersion } = object.metadata;
  console.log(`----- EVENT TYPE: ${type} ----- ${name} ${resourceVersion}`);
}
