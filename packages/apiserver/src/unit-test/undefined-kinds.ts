import { cloneJson, type JsonObject } from "@kubewright/cel/json";
import { builtInGroups } from "../builtin/resources.ts";
import type { Definitions } from "../custom-resources/definitions.ts";
import type { ApiObject, ResourceType } from "../model/resource.ts";
import { type Engine, parseStored } from "../registry/scope.ts";

/** A kind that a client is about to use. */
export interface KindUse {
  group: string;
  version: string;
  kind: string;
  /** The name of the resource, if the client has it. */
  plural?: string;
  /** The scope, if the client declares it. */
  scope?: "Namespaced" | "Cluster";
  /** Whether the request names a namespace. Undefined if it can concern all namespaces. */
  inNamespace?: boolean;
}

/** A custom kind that no definition describes: what its uses tell about it. */
interface UndefinedKind {
  group: string;
  kind: string;
  plural: string;
  namespaced: boolean;
  /** True if a client declares the scope; otherwise, the first object determines it. */
  isScopeDeclared: boolean;
  /** The versions that were used. */
  versions: string[];
  type: ResourceType;
}

/** Finds the resources of kinds, and serves custom kinds that no definition describes: with any fields. */
export class UndefinedKinds {
  readonly #engine: Engine;
  readonly #definitions: Definitions;
  readonly #withStatus: ReadonlySet<string>;
  readonly #builtIn = new Map<string, ResourceType>();
  readonly #kinds = new Map<string, UndefinedKind>();

  /**
   * @param engine - the server
   * @param definitions - serves the resources
   * @param withStatus - the kinds with a status subresource
   */
  constructor(engine: Engine, definitions: Definitions, withStatus: readonly { group: string; kind: string }[]) {
    this.#engine = engine;
    this.#definitions = definitions;
    this.#withStatus = new Set(withStatus.map(({ group, kind }) => `${group}/${kind}`));
    for (const type of engine.resources()) {
      const key = `${type.group}/${type.kind}`;
      if (!type.custom && !this.#builtIn.has(key)) this.#builtIn.set(key, type);
    }
  }

  /** Returns the name and scope of the resource; undefined if the kind doesn't exist. */
  resource(use: KindUse): { plural: string; namespaced: boolean } | undefined {
    const type = this.type(use);
    if (type === undefined || !type.versions.has(use.version)) return undefined;
    return { plural: type.resource, namespaced: type.namespaced };
  }

  /** Returns the resource of a kind; undefined if the kind doesn't exist. */
  type(use: KindUse): ResourceType | undefined {
    const key = `${use.group}/${use.kind}`;
    const builtIn = this.#builtIn.get(key);
    if (builtIn !== undefined) return builtIn;
    const undefinedKind = this.#kinds.get(key);
    const served = this.#definitions.resources().find(({ group, kind }) => group === use.group && kind === use.kind);
    if (served !== undefined && served !== undefinedKind?.type) return this.#inUsedVersion(served, use.version);
    if (builtInGroups().some(({ name }) => name === use.group)) return undefined;
    return this.#undefined(key, undefinedKind, use);
  }

  #undefined(key: string, undefinedKind: UndefinedKind | undefined, use: KindUse): ResourceType {
    const { group, version, kind } = use;
    const isEmpty =
      undefinedKind === undefined || this.#engine.store.collection(undefinedKind.type.collection).size === 0;
    const declared = use.scope === undefined ? undefined : use.scope === "Namespaced";
    const seen = undefinedKind?.isScopeDeclared || !isEmpty ? undefined : use.inNamespace;
    const next = {
      group,
      kind,
      plural: use.plural ?? undefinedKind?.plural ?? pluralOf(kind),
      namespaced: declared ?? seen ?? undefinedKind?.namespaced ?? true,
      isScopeDeclared: declared !== undefined || undefinedKind?.isScopeDeclared === true,
      versions: undefinedKind?.versions.includes(version)
        ? undefinedKind.versions
        : [...(undefinedKind?.versions ?? []), version],
    };
    const isSame =
      undefinedKind !== undefined &&
      undefinedKind.plural === next.plural &&
      undefinedKind.namespaced === next.namespaced &&
      undefinedKind.versions === next.versions;
    if (isSame) {
      undefinedKind.isScopeDeclared = next.isScopeDeclared;
      return undefinedKind.type;
    }
    if (undefinedKind !== undefined) this.#definitions.withdraw(undefinedKind.type);
    const type = this.#definitions.serve(
      definitionOf(next, this.#withStatus.has(`${group}/${kind}`)),
      undefinedKind?.type.collection,
    );
    this.#kinds.set(key, { ...next, type });
    return type;
  }

  /**
   * Stores the objects of a kind in the version that is used, if nothing can convert them because no webhook is called.
   * A test that uses one version then needs no conversion.
   */
  #inUsedVersion(type: ResourceType, version: string): ResourceType {
    if (type.storageVersion === version || !type.versions.has(version)) return type;
    if (this.#engine.store.collection(type.collection).size > 0) return type;
    const definitionType = this.#builtIn.get("apiextensions.k8s.io/CustomResourceDefinition") as ResourceType;
    const entry = this.#engine.store.collection(definitionType.collection).get(`${type.resource}.${type.group}`);
    if (entry === undefined) return type;
    const definition = cloneJson(parseStored(definitionType, entry.text));
    const { conversion, versions } = definition.spec as { conversion?: JsonObject; versions: JsonObject[] };
    if (conversion?.strategy !== "Webhook") return type;
    for (const entry of versions) entry.storage = entry.name === version;
    return this.#definitions.serve(definition);
  }
}

function definitionOf({ group, kind, plural, namespaced, versions }: Omit<UndefinedKind, "type">, hasStatus: boolean) {
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const definition: ApiObject = {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema,
        ...(hasStatus ? { subresources: { status: {} } } : {}),
      })),
    },
  };
  return definition;
}

/** Guesses the name of a resource as Kubernetes' API machinery does. */
function pluralOf(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith("s")) return `${name}es`;
  return name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`;
}
