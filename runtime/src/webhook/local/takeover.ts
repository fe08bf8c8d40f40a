import type { KubernetesObject } from "../../api/index.ts";
import type { Client, Reader } from "../../client/index.ts";
import { ignoreNotFound, isAlreadyExists, isConflict, isNotFound } from "../../errors/index.ts";
import type { Kind } from "../../kind.ts";
import { takeoverAnnotation } from "./annotation.ts";
import { type Owners, ownersOf, sessionOwner, withOwners } from "./ownership.ts";

/** What is taken over: one field of one object. */
export interface Taken {
  readonly kind: Kind;
  readonly name: string;
  /** The path of the field in the object, such as `webhooks`. */
  readonly field: readonly string[];
}

interface Note {
  /** Who has taken it. */
  readonly session: string;
  /** The object didn't exist before. */
  readonly created?: true;
  /** What the field held before, if anything. */
  readonly before?: unknown;
  /** Who owned it before; none for an object that didn't exist. */
  readonly owners?: Owners;
}

export interface Takeovers {
  readonly reader: Reader;
  readonly client: Client;
  /** Tells this run from others. */
  readonly session: string;
}

const tries = 10;
const as = { fieldOwner: sessionOwner };

/**
 * Sets the field of an object until it is given back, and makes the object where there is none and `fresh` is given. What somebody
 * else has taken, or a run that was killed, is taken over with what it was before.
 */
export async function take(by: Takeovers, what: Taken, value: unknown, fresh?: KubernetesObject): Promise<void> {
  await again(async () => {
    const object = await find(by, what);
    if (!object) {
      if (!fresh)
        throw new Error(`there is no ${what.kind.kind} ${what.name} in the cluster: make install brings it in`);
      await by.client.create(noted(withField(fresh, what.field, value), { session: by.session, created: true }), as);
      return;
    }
    const earlier = noteOf(object);
    const before = fieldOf(object, what.field);
    const owners = ownersOf(object.metadata?.managedFields, what.field);
    const note: Note = { ...(earlier ?? { before, owners }), session: by.session };
    await by.client.update(noted(withField(object, what.field, value), note), as);
  });
}

/**
 * Makes an object what it was before, and whose it was; one that somebody else has taken since stays. Gives whether there was
 * anything to do.
 */
export async function giveBack(
  by: Takeovers,
  what: Taken,
  { abandoned = false }: { abandoned?: boolean } = {},
): Promise<boolean> {
  return again(async () => {
    const object = await find(by, what);
    const note = object && noteOf(object);
    if (!object || !note || (note.session !== by.session && !abandoned)) return false;
    if (note.created) {
      const { uid, resourceVersion } = object.metadata ?? {};
      await ignoreNotFound(by.client.delete(object, { preconditions: { uid, resourceVersion } }));
      return true;
    }
    const back = await by.client.update(withField(object, what.field, note.before), as);
    // Who changes a field owns it: only a write that changes none can say whose it was. The note goes last, so that a run that is
    // killed in between leaves both to the next.
    const managedFields = withOwners(back.metadata.managedFields, what.field, note.owners ?? []);
    await by.client.update(noted({ ...back, metadata: { ...back.metadata, managedFields } }, undefined), as);
    return true;
  });
}

async function find({ reader }: Takeovers, { kind, name }: Taken): Promise<KubernetesObject | undefined> {
  return ignoreNotFound(reader.get<KubernetesObject>(kind, { name }));
}

/** Somebody else may change, make or delete it at the same time. */
async function again<T>(act: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await act();
    } catch (error) {
      const raced = isConflict(error) || isAlreadyExists(error) || isNotFound(error);
      if (!raced || count === tries) throw error;
    }
  }
}

function noteOf({ metadata }: KubernetesObject): Note | undefined {
  const text = metadata?.annotations?.[takeoverAnnotation];
  return text === undefined ? undefined : (JSON.parse(text) as Note);
}

function noted(object: KubernetesObject, note: Note | undefined): KubernetesObject {
  const { [takeoverAnnotation]: _, ...annotations } = object.metadata?.annotations ?? {};
  if (note) annotations[takeoverAnnotation] = JSON.stringify(note);
  return { ...object, metadata: { ...object.metadata, annotations } };
}

type Fields = Record<string, unknown>;

function fieldOf(object: KubernetesObject, field: readonly string[]): unknown {
  return field.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], object);
}

function withField(object: KubernetesObject, [key = "", ...rest]: readonly string[], value: unknown): KubernetesObject {
  const fields = object as unknown as Fields;
  const inner = rest.length === 0 ? value : withField((fields[key] ?? {}) as KubernetesObject, rest, value);
  return { ...fields, [key]: inner } as unknown as KubernetesObject;
}
