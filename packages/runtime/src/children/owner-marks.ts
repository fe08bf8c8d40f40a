import type { KubernetesObject } from "../api/index.ts";
import { groupKind, type Kind } from "../api/kind.ts";
import type { Stored } from "../client/client.ts";
import { mergeFrom } from "../client/patch.ts";
import { cloneJson } from "../json/clone.ts";
import { declaredKinds } from "./declaration.ts";
import { idLabel, kindsAnnotation, namespacesAnnotation, tooling, toolingAnnotation } from "./names.ts";
import type { Run } from "./run.ts";
import type { Child } from "./wanted.ts";

/** The kinds and namespaces that an owner lists for its set (KEP-3659). */
export interface SetContent {
  /** Kinds such as `Deployment.apps`. */
  readonly kinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Returns the kinds and namespaces that the owner lists. */
export function listedContent({ set }: Run): SetContent {
  const list = (name: string): Set<string> =>
    new Set((set.owner.metadata.annotations?.[name] ?? "").split(",").filter(Boolean));
  return { kinds: list(kindsAnnotation), namespaces: list(namespacesAnnotation) };
}

/**
 * Returns the content without some kinds. The namespaces stay as long as any kind does, because the list doesn't contain which
 * kind is in which namespace.
 */
export function withoutKinds({ kinds, namespaces }: SetContent, removed: readonly Kind[]): SetContent {
  const names = new Set(removed.map(groupKind));
  const left = new Set([...kinds].filter((name) => !names.has(name)));
  return { kinds: left, namespaces: left.size > 0 ? namespaces : new Set() };
}

/** Returns the kinds and namespaces of children. */
export function contentOf({ set }: Run, children: readonly Pick<Child, "kind" | "namespace">[]): SetContent {
  const outside = children.map(({ namespace }) => namespace).filter((name) => name !== "" && name !== set.namespace);
  return { kinds: new Set(children.map(({ kind }) => groupKind(kind))), namespaces: new Set(outside) };
}

/** Whether the owner has the finalizer. */
export function hasFinalizer({ declaration, set }: Run): boolean {
  return set.owner.metadata.finalizers?.includes(declaration.finalizer) ?? false;
}

/** Whether the owner lists a set of this runtime. A copy of an owner can have the list without the finalizer. */
export function isMarked({ set }: Run): boolean {
  return set.owner.metadata.annotations?.[toolingAnnotation] === tooling;
}

/**
 * Prepares the owner for children without owner references, and for an ordered deletion: adds the finalizer, and lists the kinds
 * and namespaces of the set in addition to those that are listed.
 *
 * @throws Error if another tool manages the set of the owner
 */
export async function markOwner(run: Run, labeled: readonly Child[]): Promise<void> {
  const { annotations = {} } = run.set.owner.metadata;
  const other = annotations[toolingAnnotation];
  if (labeled.length > 0 && other !== undefined && other !== tooling) {
    throw new Error(`${run.set.kind.kind} ${run.set.name} is the parent of a set of ${other}: remove its labels first`);
  }
  const listed = listedContent(run);
  const wanted = contentOf(run, labeled);
  const content = {
    kinds: new Set([...listed.kinds, ...wanted.kinds]),
    namespaces: new Set([...listed.namespaces, ...wanted.namespaces]),
  };
  await writeMarks(run, content.kinds.size > 0 ? content : undefined, true);
}

/**
 * Sets what the owner lists, after children were deleted.
 *
 * @param content - the kinds and namespaces of the set; `undefined` for an empty set
 * @param isFinalized - whether the owner needs the finalizer
 */
export async function writeMarks(run: Run, content: SetContent | undefined, isFinalized: boolean): Promise<void> {
  const { owner, id } = run.set;
  const changed = cloneJson(owner) as Stored<KubernetesObject>;
  const { metadata } = changed;
  const { labels = {}, annotations = {}, finalizers = [] } = metadata;
  if (content) {
    labels[idLabel] = id;
    annotations[toolingAnnotation] = tooling;
    annotations[kindsAnnotation] = [...content.kinds].sort().join(",");
    annotations[namespacesAnnotation] = [...content.namespaces].sort().join(",");
  }
  if (!content || content.namespaces.size === 0) delete annotations[namespacesAnnotation];
  if (!content && labels[idLabel] === id) {
    delete labels[idLabel];
    delete annotations[toolingAnnotation];
    delete annotations[kindsAnnotation];
  }
  const { finalizer } = run.declaration;
  const others = finalizers.filter((name) => name !== finalizer);
  const wanted = isFinalized ? (finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer]) : others;
  Object.assign(metadata, { labels, annotations, finalizers: wanted });
  const before = owner.metadata;
  const isSame =
    same(before.labels ?? {}, labels) &&
    same(before.annotations ?? {}, annotations) &&
    wanted.length === finalizers.length;
  if (isSame) return;
  const patch = mergeFrom(owner, { optimisticLock: true });
  const stored = await run.client.patch(changed, patch, { signal: run.ctx.signal });
  updateMetadata(owner, stored);
}

/** Lets later writes of the caller continue with the new version. A frozen object of a cache isn't changed. */
function updateMetadata(owner: Stored<KubernetesObject>, stored: Stored<KubernetesObject>): void {
  if (Object.isFrozen(owner) || Object.isFrozen(owner.metadata)) return;
  const { resourceVersion, labels, annotations, finalizers } = stored.metadata;
  owner.metadata.resourceVersion = resourceVersion;
  for (const [name, value] of Object.entries({ labels, annotations, finalizers })) {
    if (value === undefined) delete owner.metadata[name as "labels"];
    else Object.assign(owner.metadata, { [name]: value });
  }
}

function same(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

/**
 * Returns the kinds whose labeled children must be looked for on the server before the finalizer is removed, and those that no
 * declaration of the owner contains.
 */
export function listedKinds(run: Run, kinds: readonly Kind[]): { kinds: Kind[]; unknown: string[] } {
  const listed = listedContent(run);
  const ofOthers = run.siblings.flatMap(declaredKinds);
  return {
    kinds: kinds.filter((kind) => listed.kinds.has(groupKind(kind))),
    unknown: [...withoutKinds(listed, [...kinds, ...ofOthers]).kinds],
  };
}
