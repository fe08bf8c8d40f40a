import { ts } from "ts-morph";
import { ownKinds } from "./calls.ts";
import { nameOf } from "./flow.ts";
import type { Access, KindRef } from "./model.ts";
import type { Search } from "./search.ts";

/** Returns the API calls of the manager itself, depending on its options. */
export function managerAccesses({ program, flow }: Search, call: ts.CallExpression): Access[] {
  const [, options] = call.arguments;
  if (!options) return [];

  function literalsOf(expression: ts.Expression): ts.ObjectLiteralExpression[] {
    return flow.trail(expression).ends.filter((end) => ts.isObjectLiteralExpression(end));
  }

  /** Returns the options with a name that may be enabled, in all objects that may contain them. */
  function switchedOn(holders: readonly ts.ObjectLiteralExpression[], name: string): ts.ObjectLiteralElementLike[] {
    return holders.flatMap((holder) => {
      const properties = holder.properties.filter((property) => property.name && nameOf(property.name) === name);
      return properties.filter((property) => !ts.isPropertyAssignment(property) || !isOff(property.initializer));
    });
  }

  function isOff(value: ts.Expression): boolean {
    const { ends, lost } = flow.trail(value);
    const { FalseKeyword } = ts.SyntaxKind;
    const off = (end: ts.Expression) => end.kind === FalseKeyword || end.getText() === "undefined";
    return ends.length > 0 && lost.length === 0 && ends.every(off);
  }

  function within(holders: readonly ts.ObjectLiteralExpression[], name: string): ts.ObjectLiteralExpression[] {
    return switchedOn(holders, name).flatMap((element) =>
      ts.isPropertyAssignment(element) ? literalsOf(element.initializer) : [],
    );
  }

  const access = (node: ts.Node, name: string, kind: KindRef, ...verbs: string[]): Access => ({
    at: program.positionOf(node),
    call: name,
    kinds: [kind],
    asks: [{ verbs }],
  });

  /** Returns the string that an option always has, if the code contains it. */
  function textOf(holders: readonly ts.ObjectLiteralExpression[], name: string): string | undefined {
    const values = switchedOn(holders, name).map((element) =>
      ts.isPropertyAssignment(element) ? flow.trail(element.initializer) : undefined,
    );
    const [text, ...others] = new Set(
      values.flatMap((trail) => {
        const ends = trail?.lost.length === 0 ? trail.ends : [];
        return ends.length > 0 ? ends.map((end) => (ts.isStringLiteralLike(end) ? end.text : undefined)) : [undefined];
      }),
    );
    return others.length === 0 ? text : undefined;
  }

  const top = literalsOf(options);
  const lease = textOf(top, "leaderElectionID");
  const elections = switchedOn(top, "leaderElectionConfig").length > 0 ? [] : switchedOn(top, "leaderElection");
  const metrics = within(top, "metrics");
  const protections = switchedOn(metrics, "filterProvider").length > 0 ? [] : switchedOn(metrics, "secureServing");
  const certificates = switchedOn(within(top, "webhook"), "selfManagedCertificates");
  return [
    ...elections.map((election) => ({
      ...access(election, "leaderElection", ownKinds.lease),
      asks: [{ verbs: ["create"] }, { verbs: ["get", "update"], ...(lease === undefined ? {} : { name: lease }) }],
    })),
    ...switchedOn(top, "sharding").map((element) =>
      access(element, "sharding", ownKinds.lease, "get", "list", "watch", "create", "update", "delete"),
    ),
    ...protections.flatMap((protection) => [
      access(protection, "secureServing", ownKinds.tokenReview, "create"),
      access(protection, "secureServing", ownKinds.subjectAccessReview, "create"),
    ]),
    ...certificates.flatMap((certificate) => [
      access(certificate, "selfManagedCertificates", ownKinds.secret, "get", "update"),
      ...ownKinds.caBundleTargets.map((kind) => ({
        ...access(certificate, "selfManagedCertificates", kind),
        asks: [{ verbs: ["get", "patch"], maybe: true as const }],
      })),
    ]),
  ];
}
