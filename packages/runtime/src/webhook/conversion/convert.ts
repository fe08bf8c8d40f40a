import type { KubernetesObject } from "../../api/index.ts";
import { groupOf } from "../../api/kind.ts";
import { errorText } from "../../log/error-text.ts";
import type { ConverterRegistry, RegisteredConverter } from "./registry.ts";

/**
 * Converts an object to another version of its kind. Conversions between two spokes pass through the hub. The object
 * may be changed. Rejects for versions and kinds without a converter, and with errors of converters.
 */
export async function convertObject(
  converters: ConverterRegistry,
  object: unknown,
  desiredAPIVersion: string,
): Promise<KubernetesObject> {
  const source = checked(object);
  const group = groupOf(source.apiVersion);
  if (groupOf(desiredAPIVersion) !== group) {
    throw new Error(`${describe(source)} and ${desiredAPIVersion} do not belong to the same API group`);
  }
  if (source.apiVersion === desiredAPIVersion) {
    throw new Error(`conversion is not allowed between same type ${describe(source)}`);
  }
  const converter = converters.find({ group, kind: source.kind });
  if (!converter) throw new Error(`no converter is registered for ${describe(source)}`);
  return viaHub(converter, source, desiredAPIVersion);
}

async function viaHub(
  { hub, spokes }: RegisteredConverter,
  source: KubernetesObject,
  desired: string,
): Promise<KubernetesObject> {
  const from = spokes.get(source.apiVersion);
  const to = spokes.get(desired);
  const target = { apiVersion: desired, kind: source.kind };
  const isHub = (apiVersion: string): boolean => apiVersion === hub.apiVersion;
  if (!(from || isHub(source.apiVersion)) || !(to || isHub(desired))) {
    throw new Error(`failed to convert ${describe(source)} to ${describe(target)}: not convertible`);
  }
  if (!from) return typed(await to?.fromHub(source), target, source);
  const hubType = { apiVersion: hub.apiVersion, kind: hub.kind };
  if (!to) return typed(await from.toHub(source), target, source);
  const between = await step(`failed to convert spoke ${describe(source)} to hub ${describe(hubType)}`, async () =>
    typed(await from.toHub(source), hubType, source),
  );
  return step(`failed to convert hub ${describe(hubType)} to spoke ${describe(target)}`, async () =>
    typed(await to.fromHub(between), target, between),
  );
}

/** Adds the conversion step to errors. */
async function step<T>(message: string, convert: () => Promise<T>): Promise<T> {
  try {
    return await convert();
  } catch (error) {
    throw new Error(`${message} : ${errorText(error)}`, { cause: error });
  }
}

type TypeMeta = Pick<KubernetesObject, "apiVersion" | "kind">;

/** Returns a converter's result with its type. API servers reject objects whose metadata was changed. */
function typed(converted: unknown, type: TypeMeta, source: KubernetesObject): KubernetesObject {
  if (typeof converted !== "object" || converted === null) {
    throw new Error(`the converter returned no object for ${describe(type)}`);
  }
  return { metadata: source.metadata, ...converted, ...type };
}

function checked(object: unknown): KubernetesObject {
  const { apiVersion, kind } = (object ?? {}) as Partial<KubernetesObject>;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || apiVersion === "" || kind === "") {
    throw new Error("an object to convert has no apiVersion or kind");
  }
  return object as KubernetesObject;
}

function describe({ apiVersion, kind }: TypeMeta): string {
  return `${apiVersion}, Kind=${kind}`;
}
