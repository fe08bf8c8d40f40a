import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "../../api/index.ts";
import type { Kind } from "../../api/kind.ts";
import type { Client, Reader } from "../../client/client.ts";
import { ignoreNotFound, isAlreadyExists, isConflict, isNotFound } from "../../errors/predicates.ts";
import { takeoverAnnotation } from "./annotation.ts";
import { type Owners, ownersOf, sessionOwner, withOwners } from "./ownership.ts";

/** One field of an object that a session changes. */
export interface Taken {
  readonly kind: Kind;
  readonly name: string;
  /** Path of the field in the object, such as `webhooks`. */
  readonly field: readonly string[];
}

interface Note {
  /** The session that changed it. */
  readonly session: string;
  /** Whether the object didn't exist before. */
  readonly created?: true;
  /** Value of the field before, if there was one. */
  readonly before?: unknown;
  /** Owners of the field before. None if the object didn't exist. */
  readonly owners?: Owners;
}

export interface Takeovers {
  readonly reader: Reader;
  readonly client: Client;
  /** Identifies this run. */
  readonly session: string;
}

const tries = 10;
const as = { fieldOwner: sessionOwner };

/** The effect of {@link take}. */
export type TakeAction = "created" | "configured" | "unchanged";

/**
 * Sets a field until it is restored. If the object doesn't exist and `fresh` is set, it is created. A field that
 * another session, or a run that was killed, has changed is taken over with its original value.
 */
export async function take(by: Takeovers, what: Taken, value: unknown, fresh?: KubernetesObject): Promise<TakeAction> {
  return again(async () => {
    const object = await find(by, what);
    if (!object) {
      if (!fresh) throw new Error(`there is no ${what.kind.kind} ${what.name} in the cluster: run make install`);
      await by.client.create(noted(withField(fresh, what.field, value), { session: by.session, created: true }), as);
      return "created";
    }
    const earlier = noteOf(object);
    const before = fieldOf(object, what.field);
    const owners = ownersOf(object.metadata?.managedFields, what.field);
    if (earlier?.session === by.session && isDeepStrictEqual(before, value)) return "unchanged";
    const note: Note = { ...(earlier ?? { before, owners }), session: by.session };
    const after = await by.client.update(noted(withField(object, what.field, value), note), as);
    return after.metadata.resourceVersion === object.metadata?.resourceVersion ? "unchanged" : "configured";
  });
}

/**
 * Returns the original value of a field that a session has changed.
 *
 * @returns `undefined` if no session has changed it, or if there was no value
 */
export function originalOf(object: KubernetesObject): unknown {
  return noteOf(object)?.before;
}

/** Returns the session that has changed an object, if any. */
export function sessionOf(object: KubernetesObject): string | undefined {
  return noteOf(object)?.session;
}

/**
 * Restores a field and its owners, unless another session has changed it since. Returns whether there was anything to
 * restore.
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
    // A writer of a field becomes its owner, so only a write that changes no field can restore the owners. The annotation is
    // removed last, so that the next run can restore the rest if this one is killed in between.
    const managedFields = withOwners(back.metadata.managedFields, what.field, note.owners ?? []);
    await by.client.update(noted({ ...back, metadata: { ...back.metadata, managedFields } }, undefined), as);
    return true;
  });
}

async function find({ reader }: Takeovers, { kind, name }: Taken): Promise<KubernetesObject | undefined> {
  return ignoreNotFound(reader.get<KubernetesObject>(kind, { name }));
}

/** Retries on conflicts with concurrent writes. */
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
