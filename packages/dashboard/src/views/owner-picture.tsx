import type { JSX } from "preact";
import { type ObjectMap, objectsBelow, ownerOf } from "../model/object-tree.ts";
import { type GraphEdge, type GraphSizes, ownerGraph } from "../model/owner-graph.ts";
import { objectHref } from "../model/route.ts";
import type { ObjectSummary } from "../protocol/protocol.ts";
import { useWidth } from "../state/hooks.ts";
import { KindMark, Loading, ObjectName, ReadyMark } from "../ui/parts.tsx";

const columns = { layout: "columns", nodeHeight: 56, gap: 32, rowGap: 12 } as const;
const indented = { layout: "indented", nodeHeight: 56, gap: 24, rowGap: 10 } as const;
/** Narrower nodes can't show their names. */
const leastNodeWidth = 148;
const mostNodeWidth = 220;

/** A picture of an owner tree. */
export function OwnerPicture({
  root,
  selected,
  objects,
}: {
  root: ObjectSummary;
  selected: string;
  objects: ObjectMap;
}): JSX.Element {
  const [attach, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={attach} class="picture">
      {width === 0 ? <Loading /> : <Picture root={root} selected={selected} objects={objects} width={width} />}
    </div>
  );
}

function Picture({
  root,
  selected,
  objects,
  width,
}: {
  root: ObjectSummary;
  selected: string;
  objects: ObjectMap;
  width: number;
}): JSX.Element {
  const depth = depthOf(root, objectsBelow(objects));
  const nodeWidth = Math.min(mostNodeWidth, (width - (depth - 1) * columns.gap) / depth);
  const sizes: GraphSizes =
    nodeWidth >= leastNodeWidth
      ? { ...columns, nodeWidth }
      : { ...indented, nodeWidth: Math.min(320, width - (depth - 1) * indented.gap) };
  const graph = ownerGraph(root, objects, sizes);
  return (
    <div class="graph" style={{ width: `${graph.width}px`, height: `${graph.height}px` }}>
      <svg class="graph-edges" width={graph.width} height={graph.height} aria-hidden="true">
        {graph.edges.map((edge) => (
          <path
            key={edge.to.id}
            d={edgePath(edge, sizes)}
            class={edge.to.object?.ready === false ? "edge-bad" : undefined}
          />
        ))}
      </svg>
      <ul aria-label={`Objects that belong to ${root.kind} ${root.name}`}>
        {graph.nodes.map(({ id, x, y, object, more }) => (
          <li
            key={id}
            style={{
              transform: `translate(${x}px, ${y}px)`,
              width: `${sizes.nodeWidth}px`,
              height: `${sizes.nodeHeight}px`,
            }}
          >
            {object && (
              <a
                href={objectHref(object, { tab: "tree" })}
                title={object.name}
                class={`node ${object.ready === false ? "node-bad" : ""}`}
                aria-current={object.uid === selected ? "true" : undefined}
              >
                <span class="node-name">
                  <ObjectName name={object.name} owner={ownerOf(object, objects)?.name} />
                </span>
                <span class="node-kind">
                  <KindMark kind={object.kind} own={object.own} />
                  <span class="node-kind-name">
                    {object.kind}
                    {object.namespace && object.namespace !== root.namespace && ` · ${object.namespace}`}
                  </span>
                  <ReadyMark object={object} />
                </span>
              </a>
            )}
            {more && (
              <span class="node node-more">
                {more.count} more of {more.kind}
                {more.notReady > 0 && `, ${more.notReady} not ready`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function depthOf(object: ObjectSummary, below: (object: ObjectSummary) => readonly ObjectSummary[], depth = 1): number {
  if (depth > 8) return depth;
  return Math.max(depth, ...below(object).map((child) => depthOf(child, below, depth + 1)));
}

function edgePath({ from, to }: GraphEdge, { layout, nodeWidth, nodeHeight }: GraphSizes): string {
  const middle = nodeHeight / 2;
  if (layout === "columns") {
    const [x1, y1, x2, y2] = [from.x + nodeWidth, from.y + middle, to.x, to.y + middle];
    const bend = (x2 - x1) / 2;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  }
  const [x1, y1, x2, y2] = [from.x + 12, from.y + nodeHeight, to.x, to.y + middle];
  return `M${x1} ${y1}V${y2 - 8}Q${x1} ${y2} ${x1 + 8} ${y2}H${x2}`;
}
