import type { KubernetesObject } from "../../api/index.ts";
import { groupKind, type Kind } from "../../api/kind.ts";
import type { Converter, SpokeConverter } from "./converter.ts";

/** A converter with its spokes by `apiVersion`. */
export interface RegisteredConverter {
  hub: Kind;
  spokes: ReadonlyMap<string, SpokeConverter>;
}

/** The converters of a server, one per group and kind. */
export class ConverterRegistry {
  readonly #converters = new Map<string, RegisteredConverter>();

  /** Registers a converter. Throws an `Error` for a second converter of a kind, and for invalid or duplicate spokes. */
  register(kind: Kind, { hub, spokes }: Converter<KubernetesObject, readonly KubernetesObject[]>): void {
    const name = groupKind(kind);
    if (groupKind(hub) !== name) {
      throw new Error(`failed to create hub spoke converter for ${name}: the hub is ${groupKind(hub)}`);
    }
    const failed = `failed to create hub spoke converter for ${hub.kind}`;
    const byVersion = new Map<string, SpokeConverter>();
    for (const spoke of spokes) {
      if (groupKind(spoke.kind) !== name) {
        const key = groupKind(spoke.kind);
        throw new Error(`${failed}: spoke converter GroupKind ${key} does not match hub GroupKind ${name}`);
      }
      const { apiVersion, version } = spoke.kind;
      if (apiVersion === hub.apiVersion)
        throw new Error(`${failed}: version ${version} is the hub, it can't be a spoke`);
      if (byVersion.has(apiVersion)) throw new Error(`${failed}: duplicate spoke converter for version ${version}`);
      byVersion.set(apiVersion, spoke);
    }
    if (this.#converters.has(name)) {
      throw new Error(`failed to register Converter for GroupKind ${name}: converter already registered`);
    }
    this.#converters.set(name, { hub, spokes: byVersion });
  }

  /** Hubs of all converters. */
  get hubs(): readonly Kind[] {
    return [...this.#converters.values()].map(({ hub }) => hub);
  }

  /** The kinds of each converter in all versions, the hub first. */
  get versions(): readonly (readonly Kind[])[] {
    return [...this.#converters.values()].map(({ hub, spokes }) => [
      hub,
      ...[...spokes.values()].map(({ kind }) => kind),
    ]);
  }

  find(kind: { group: string; kind: string }): RegisteredConverter | undefined {
    return this.#converters.get(groupKind(kind));
  }
}
