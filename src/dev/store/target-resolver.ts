import { type ObjectRef, RequestError } from "@kubewright/dashboard/protocol";
import { didYouMean } from "../../diagnostics/index.ts";
import { listed } from "../../text/list.ts";
import { printable } from "../../text/shown.ts";
import { apiVersionOf, type KubeClient } from "../client/kube-client.ts";
import { fullName, groupOf, kindsNamed, type NamedKind, namedKinds, type RecordedKind } from "../kinds/named-kind.ts";
import type { ObjectFilter } from "./records.ts";

/** An object as a request names it: a kind in a form of kubectl, or with an `apiVersion` the exact kind. */
export interface NamedObject {
  readonly apiVersion?: string;
  readonly kind: string;
  /** Unset for any. */
  readonly namespace?: string;
  readonly name: string;
}

/** Finds objects and kinds besides those of the discovery. */
export interface KnownObjects {
  /** Returns the objects that exist. */
  live(filter: ObjectFilter): readonly ObjectRef[];
  /** Returns the objects that existed: deleted ones, and those of reconciles and admission requests. */
  past(filter: ObjectFilter): readonly ObjectRef[];
  kinds(): readonly RecordedKind[];
  /** Returns whether a kind is one of the project. */
  isOwn(kind: Pick<NamedKind, "group" | "kind">): boolean;
}

/** Finds the objects that requests name. */
export class TargetResolver {
  readonly #client: Pick<KubeClient, "allResources" | "forgetResources">;
  readonly #known: KnownObjects;

  constructor(client: Pick<KubeClient, "allResources" | "forgetResources">, knownObjects: KnownObjects) {
    this.#client = client;
    this.#known = knownObjects;
  }

  /**
   * Returns the exact kind and namespace of an object. If the text names several kinds, it is the one that has an object with
   * this name. Without such an object, a kind of the project comes first, and then the first one in the order of kubectl.
   *
   * @param named - the object
   * @param isMeant - excludes kinds, unless it would exclude all
   * @returns the object; the namespace is unset if neither the request nor an object has one
   * @throws RequestError if no kind has the name, or if several objects have it
   */
  async resolve(named: NamedObject, isMeant: (kind: NamedKind) => boolean = () => true): Promise<NamedObject> {
    const candidates = await this.#kindsOf(named);
    const meant = candidates.filter(isMeant);
    const kinds = meant.length > 0 ? meant : candidates;
    const [object, ...others] = this.#objects(named, kinds);
    if (object && others.length > 0) throw ambiguous(named, [object, ...others]);
    if (object) {
      const { apiVersion = versionOf(object.kind), kind, namespace = "", name } = object.ref;
      return { apiVersion, kind, namespace, name };
    }
    const kind = this.#preferred(kinds);
    const isInCluster = kind.namespaced === false;
    return { ...named, apiVersion: versionOf(kind), kind: kind.kind, ...(isInCluster ? { namespace: "" } : {}) };
  }

  /**
   * Returns the exact kind that a text names.
   *
   * @throws RequestError if there is none
   */
  async resolveKind(text: string): Promise<{ readonly apiVersion: string; readonly kind: string }> {
    const kind = this.#preferred(await this.#kindsOf({ kind: text }));
    return { apiVersion: versionOf(kind), kind: kind.kind };
  }

  /** Returns a kind of the project, or else the first one in the order of kubectl. */
  #preferred(kinds: readonly NamedKind[]): NamedKind {
    const first = kinds[0] as NamedKind;
    return kinds.length === 1 ? first : (kinds.find((kind) => this.#known.isOwn(kind)) ?? first);
  }

  async #kindsOf({ apiVersion, kind }: Pick<NamedObject, "apiVersion" | "kind">): Promise<NamedKind[]> {
    if (apiVersion !== undefined) return namedKinds([], [{ apiVersion, kind }]);
    const find = async () => {
      const resources = await this.#client.allResources().catch(() => []);
      const all = namedKinds(resources, this.#known.kinds());
      return { all, found: kindsNamed(all, kind) };
    };
    const first = await find();
    if (first.found.length > 0) return first.found;
    // Others can have applied its CRD.
    this.#client.forgetResources();
    const { all, found } = await find();
    if (found.length > 0) return found;
    const near = didYouMean(
      kind.toLowerCase(),
      all.flatMap(({ names }) => names),
    );
    throw new RequestError(
      404,
      `no kind ${printable(kind)} in the cluster`,
      near === undefined ? "see npx scaffold dev objects for the objects of the project" : `did you mean ${near}?`,
    );
  }

  #objects({ namespace, name }: NamedObject, kinds: readonly NamedKind[]): FoundObject[] {
    const find = (refsOf: (filter: ObjectFilter) => readonly ObjectRef[]): FoundObject[] => {
      const objects = new Map<string, FoundObject>();
      for (const kind of kinds) {
        const isAnywhere = namespace === undefined || kind.namespaced === false;
        const filter = {
          apiVersion: versionOf(kind),
          kind: kind.kind,
          name,
          ...(isAnywhere ? {} : { namespace }),
        };
        for (const ref of refsOf(filter)) {
          const group = ref.apiVersion === undefined ? kind.group : groupOf(ref.apiVersion);
          const key = `${group}/${ref.kind}/${ref.namespace ?? ""}`;
          if (!objects.has(key)) objects.set(key, { kind, ref });
        }
      }
      return [...objects.values()];
    };
    const live = find((filter) => this.#known.live(filter));
    return live.length > 0 ? live : find((filter) => this.#known.past(filter));
  }
}

interface FoundObject {
  readonly kind: NamedKind;
  readonly ref: ObjectRef;
}

function versionOf({ group, versions }: NamedKind): string {
  return apiVersionOf({ group, version: versions[0] ?? "v1" });
}

function ambiguous({ kind, name }: NamedObject, objects: readonly FoundObject[]): RequestError {
  const about = `${printable(kind)}/${printable(name)} is ambiguous`;
  const names = [...new Set(objects.map((foundObject) => fullName(foundObject.kind)))];
  if (names.length > 1) {
    return new RequestError(
      409,
      `${about}: ${listed(names)} have an object with this name`,
      `use ${listed(
        names.map((one) => `${one}/${name}`),
        "or",
      )}`,
    );
  }
  const namespaces = objects.map(({ ref }) => ref.namespace ?? "").sort();
  return new RequestError(
    409,
    `${about}: the namespaces ${listed(namespaces)} have an object with this name`,
    `use ${listed(
      namespaces.map((namespace) => `--namespace ${namespace}`),
      "or",
    )}`,
  );
}
