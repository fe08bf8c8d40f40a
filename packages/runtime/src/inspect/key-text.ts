import { requestKey } from "../reconcile/request.ts";

/** Returns the text of a request for people: `NAMESPACE/NAME`, or `NAME` for cluster-scoped objects. */
export function keyText(request: unknown): string {
  return requestKey(request).replace(/^\//, "");
}
