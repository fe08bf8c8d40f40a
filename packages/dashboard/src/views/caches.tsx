import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../model/time.ts";
import type { CacheStatus, Caches } from "../protocol/protocol.ts";
import { useFetched } from "../state/hooks.ts";
import { Age, Chip, Empty, ErrorNote, KindMark, Loading, Mark } from "../ui/parts.tsx";

const refreshTime = 2000;

/** The informers of the manager. */
export function CachesView(): JSX.Element {
  const { data, error, refresh } = useFetched<Caches>("/api/caches");
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh();
    }, refreshTime);
    return () => clearInterval(timer);
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="view" tabIndex={0} aria-label="Caches">
      <header class="view-header">
        <h1>Caches</h1>
        {data && <span class="view-count">{data.caches.length}</span>}
      </header>
      {error && <ErrorNote error={error} />}
      {!data ? (
        !error && <Loading />
      ) : data.caches.length === 0 ? (
        <Empty icon="caches" title="No informers">
          <p>The manager starts an informer for each kind that its controllers read or watch.</p>
        </Empty>
      ) : (
        <ul class="caches">
          {data.caches.map((cache) => (
            <CacheItem
              key={`${cache.apiVersion}/${cache.kind}/${cache.metadataOnly}/${cache.namespaces}/${cache.labelSelector}/${cache.fieldSelector}`}
              cache={cache}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function CacheItem({ cache }: { cache: CacheStatus }): JSX.Element {
  const { apiVersion, kind, metadataOnly, namespaces, labelSelector, fieldSelector, synced, objects } = cache;
  const { resourceVersion, lastEvent, watches, events, lagMs, error } = cache;
  const selectors = [labelSelector, fieldSelector].filter((selector) => selector !== "");
  return (
    <li class="cache">
      <div class="cache-name">
        <KindMark kind={kind} />
        <span class="object-name">
          <span class="name">{kind}</span>
          <span class="kind">{apiVersion}</span>
        </span>
        {synced ? (
          <Mark tone="good" icon="check" label="Synced" />
        ) : (
          <Mark tone="bad" icon="alert" label="Not synced" />
        )}
      </div>
      <dl class="cache-facts">
        <Fact label="Objects" value={objects.toLocaleString("en-US")} />
        <Fact label="Scope" value={namespaces.length === 0 ? "all namespaces" : namespaces.join(", ")} />
        <Fact label="Selectors" value={selectors.length === 0 ? "none" : selectors.join("; ")} />
        <Fact label="Last event" value={<Age time={lastEvent} />} />
        <Fact label="Lag" value={lagMs === undefined ? "–" : formatDuration(lagMs)} />
        <Fact label="Events" value={events.toLocaleString("en-US")} />
        <Fact label="Watches" value={String(watches)} />
        <Fact label="Revision" value={resourceVersion || "–"} />
      </dl>
      {metadataOnly && <Chip>metadata only</Chip>}
      {error && <ErrorNote error={{ message: error, hint: undefined }} />}
    </li>
  );
}

function Fact({ label, value }: { label: string; value: JSX.Element | string }): JSX.Element {
  return (
    <div class="cache-fact">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
