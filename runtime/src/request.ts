/** The object to reconcile. Nothing else: a reconcile looks at the state of the world, not at an event. */
export interface Request {
  /** Empty for cluster-scoped objects. */
  namespace: string;
  name: string;
  /** Which cluster, where a manager serves several. */
  cluster?: string;
}

/** The identity of a request: what the queue removes duplicates by. */
export function requestKey(request: Request): string {
  const local = `${request.namespace}/${request.name}`;
  return request.cluster === undefined ? local : `${request.cluster}//${local}`;
}
