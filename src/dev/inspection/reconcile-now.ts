import { RequestError } from "@kubewright/dashboard/protocol";
import { groupOf, type NamedKind } from "../kinds/named-kind.ts";
import type { ManagerRequests } from "../manager/manager-requests.ts";
import type { ManagerSupervisor } from "../manager/supervisor.ts";
import type { NamedObject, TargetResolver } from "../store/target-resolver.ts";
import type { ObjectActions } from "./object-actions.ts";

/** The parts of a session that a requested reconcile needs. */
export interface ReconcileNowParts {
  readonly actions: Pick<ObjectActions, "checkExists">;
  readonly requests: ManagerRequests;
  readonly supervisor: Pick<ManagerSupervisor, "loaded">;
  readonly targets: TargetResolver;
}

/**
 * Reconciles an object now: in the namespace that the request or an object has, and else in `default`.
 *
 * @param parts - the parts of the session
 * @param named - the object
 * @param controllerName - the controller; unset for all that reconcile the kind
 * @returns the names of the controllers
 * @throws RequestError if no controller reconciles the kind, or if the object doesn't exist
 */
export async function reconcileNow(
  { actions, requests, supervisor, targets }: ReconcileNowParts,
  named: NamedObject,
  controllerName?: string,
): Promise<readonly string[]> {
  await supervisor.loaded();
  const running = (await requests.controllers()).controllers;
  const isReconciled = ({ group, kind }: Pick<NamedKind, "group" | "kind">) =>
    running.some(
      (controller) =>
        controller.kind === kind &&
        (controller.apiVersion === undefined || groupOf(controller.apiVersion) === group) &&
        (controllerName === undefined || controller.name === controllerName),
    );
  const { namespace = "default", ...target } = await targets.resolve(named, isReconciled);
  if (isReconciled({ group: groupOf(target.apiVersion ?? ""), kind: target.kind })) {
    await actions.checkExists({ ...target, ...(namespace === "" ? {} : { namespace }) });
  }
  const controllers = await requests.change<readonly string[]>({
    call: "reconcile",
    target: { ...target, namespace, ...(controllerName === undefined ? {} : { controller: controllerName }) },
  });
  if (controllers.length > 0) return controllers;
  throw new RequestError(
    404,
    `no controller reconciles ${controllerName ?? named.kind}`,
    "see npx scaffold dev queue for the controllers",
  );
}
