import { byPosition } from "../../../diagnostics/collector.ts";
import type { Access, Accesses, Ask } from "../../source/api-calls/model.ts";
import { type Need, resourceText } from "./grants.ts";
import type { Resource } from "./resources.ts";

/** A permission that the code needs at some position. */
export interface PlacedNeed extends Need {
  readonly access: Access;
  /** Needed in some runs only. */
  readonly maybe: boolean;
}

type ResourceOf = (kind: Access["kinds"][number]) => Resource;

/** Returns the permissions that the code needs for kinds that are known, by position. */
export function needsOf(accesses: Accesses, resourceOf: ResourceOf): PlacedNeed[] {
  const places = [...accesses.accesses].sort((a, b) => byPosition(a.at, b.at));
  const watched = new Set<string>();
  const primary = new Set<string>();
  for (const { informer, call, kinds } of places) {
    for (const kind of kinds) {
      if (informer) watched.add(keyOf(resourceOf(kind)));
      if (informer && /(^|\.)for$/.test(call)) primary.add(keyOf(resourceOf(kind)));
    }
  }
  return places.flatMap((access) =>
    access.kinds.flatMap((kind) => {
      const resource = resourceOf(kind);
      const startsInformer = access.read === true && accesses.readsStartInformers;
      const isCached = access.read === true && watched.has(keyOf(resource));
      const asks: readonly Ask[] = startsInformer ? [...access.asks, { verbs: ["list", "watch"] }] : access.asks;
      const needs = asks.flatMap(({ verbs, subresource, name, maybe, ifAbsent }) =>
        verbs.map(
          (verb): PlacedNeed => ({
            access,
            resource,
            ...(subresource === undefined ? {} : { subresource }),
            verb,
            ...(name === undefined ? {} : { name }),
            maybe: maybe === true || (ifAbsent === true && primary.has(keyOf(resource))),
            // The informer makes the requests that a cache needs.
            everywhere: isEverywhere(access, accesses, startsInformer || isCached),
            ofMany: verb === "create" || verb === "deletecollection" || (isList(verb) && !mayName(access, accesses)),
          }),
        ),
      );
      return needs.flatMap((need) => [need, ...signerNeeds(need)]);
    }),
  );
}

const signerVerbs: Readonly<Record<string, string>> = { approval: "approve", status: "sign" };

/** Returns the permission for the signer of a CertificateSigningRequest, which admission plugins require. */
function signerNeeds({ resource, subresource = "", verb, ...rest }: PlacedNeed): PlacedNeed[] {
  const { group, plural } = resource;
  const signerVerb = signerVerbs[subresource];
  const isWrite = verb === "update" || verb === "patch";
  if (group !== "certificates.k8s.io" || plural !== "certificatesigningrequests" || !signerVerb || !isWrite) return [];
  return [{ ...rest, resource: { group, plural: "signers", scope: "Cluster" }, verb: signerVerb }];
}

function isEverywhere({ informer, everywhere }: Access, accesses: Accesses, cached: boolean): boolean {
  return !accesses.namespaced && (informer === true || (everywhere === true && !cached));
}

function isList(verb: string): boolean {
  return verb === "list" || verb === "watch";
}

/** Returns whether a list may select one object by its name. */
function mayName({ informer, everywhere }: Access, { selects }: Accesses): boolean {
  return informer ? selects : everywhere !== true;
}

function keyOf(resource: Resource): string {
  return `${resource.group}/${resourceText(resource, undefined)}`;
}
