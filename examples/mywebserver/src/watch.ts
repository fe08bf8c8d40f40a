// Lists objects and watches them from that version on, without a controller. In a manager, the cache does this for you.
// Run it: npx esbuild src/watch.ts --bundle --packages=external --format=esm --outfile=dist/watch.js
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
import { MyWebserver } from "#api/v2/index.ts";

/** Selects the objects to follow and the version to start from. */
interface Following {
  namespace: string;
  /** Yields events after this version. If unset, yields all existing objects first. */
  resourceVersion?: string;
  signal: AbortSignal;
}

/** Yields every event of a kind, in order and without gaps, until the signal aborts. */
async function* follow<T extends KubernetesObject>(
  client: Client,
  kind: Kind<T>,
  { namespace, resourceVersion, signal }: Following,
): AsyncGenerator<Pick<WatchEvent<T>, "type" | "object">> {
  while (!signal.aborted) {
    if (resourceVersion === undefined) {
      const list = await client.list(kind, { namespace });
      for (const object of list.items) yield { type: "ADDED", object };
      // Use the version of the list, not that of its newest object, which may be older.
      resourceVersion = list.metadata.resourceVersion;
    }
    try {
      // The server closes each watch after some minutes. The next watch continues from the last version.
      for await (const event of client.watch(kind, { namespace, resourceVersion, allowWatchBookmarks: true, signal })) {
        resourceVersion = event.object.metadata.resourceVersion;
        if (event.type !== "BOOKMARK") yield event;
      }
    } catch (error) {
      if (!isGone(error)) throw error;
      // The server no longer has this version: list the current objects instead.
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
