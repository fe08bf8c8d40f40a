/**
 * Errors of commands, managers, API servers and Node that people paste into the search, with the section of the page about
 * troubleshooting that must be among the first three results.
 */
export const pastedErrors: readonly (readonly [message: string, section: string])[] = [
  [
    "owns(…) requires for(…): it enqueues the owners of that kind",
    "the-controller-watches-nothing-owns-requires-for-the-controller-has-no-name",
  ],
  [
    "the controller watches nothing: call for(…), watches(…) or watchesRawSource(…)",
    "the-controller-watches-nothing-owns-requires-for-the-controller-has-no-name",
  ],
  [
    "the controller has no name: without for(…), set one with named(…)",
    "the-controller-watches-nothing-owns-requires-for-the-controller-has-no-name",
  ],
  [
    "failed waiting for all runnables to end within grace period",
    "failed-waiting-for-all-runnables-to-end-within-grace-period",
  ],
  ["WATCH_NAMESPACE must contain at least one namespace to watch", "namespace-isnt-in-the-cache"],
  ['namespace "other" isn\'t in the cache of Game', "namespace-isnt-in-the-cache"],
  [
    "can't read the kubeconfig /home/you/.kube/config: ENOENT: no such file or directory, open '/home/you/.kube/config'",
    "cant-read-the-kubeconfig-no-current-context",
  ],
  [
    "the kubeconfig /home/you/.kube/config isn't valid YAML: bad indentation of a mapping entry",
    "cant-read-the-kubeconfig-no-current-context",
  ],
  [
    'KUBECONFIG has no current-context: select one with "kubectl config use-context"',
    "cant-read-the-kubeconfig-no-current-context",
  ],
  [
    "the credential plugin aws failed (exit code 255): Unable to locate credentials",
    "the-credential-plugin-isnt-installed-the-credential-plugin-failed",
  ],
  [
    "the credential plugin gke-gcloud-auth-plugin isn't installed",
    "the-credential-plugin-isnt-installed-the-credential-plugin-failed",
  ],
  ["error retrieving resource lock", "attempting-to-acquire-leader-lease-error-retrieving-resource-lock"],
  ["Attempting to acquire leader lease...", "attempting-to-acquire-leader-lease-error-retrieving-resource-lock"],
  ["List or watch failed", "list-or-watch-failed"],
  ["Watch expired, listing again", "list-or-watch-failed"],
  ["Bug in the reconciler", "bug-in-the-reconciler"],
  ["Unhandled promise rejection", "unhandled-promise-rejection-uncaught-exception"],
  [
    "Deployment default/web is already controlled by Game chess",
    "already-controlled-by-cant-own-an-object-in-another-namespace",
  ],
  [
    "Game in default can't own Deployment in another namespace, other",
    "already-controlled-by-cant-own-an-object-in-another-namespace",
  ],
  ["Deployment: the object has neither a name nor a generateName", "a-namespace-is-required-the-object-has-no-name"],
  [
    "Service: a namespace is required, because the kind is namespaced",
    "a-namespace-is-required-the-object-has-no-name",
  ],
  ["an object must have apiVersion and kind", "a-namespace-is-required-the-object-has-no-name"],
  [
    'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
    "apply-failed-with-1-conflict",
  ],
  [
    "the server is currently unable to handle the request",
    "too-many-requests-429-currently-unable-to-handle-the-request-503",
  ],
  [
    "the server has received too many requests and has asked us to try again later",
    "too-many-requests-429-currently-unable-to-handle-the-request-503",
  ],
  ["etcdserver: request is too large", "request-entity-too-large-etcdserver-request-is-too-large"],
  ["Request entity too large: limit is 3145728", "request-entity-too-large-etcdserver-request-is-too-large"],
  [
    "The connection to the server localhost:8080 was refused - did you specify the right host or port?",
    "connect-econnrefused",
  ],
  [
    "unable to create new content in namespace shop because it is being terminated",
    "unable-to-create-new-content-in-namespace-because-it-is-being-terminated",
  ],
  [
    'The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: field is immutable',
    "field-is-immutable",
  ],
  [
    'The Game "chess" is invalid: spec.players: Invalid value: 12: spec.players in body should be less than or equal to 10',
    "invalid-value-unsupported-value-should-be-less-than-or-equal-to",
  ],
  [
    'spec.mode: Unsupported value: "fast": supported values: "slow", "medium"',
    "invalid-value-unsupported-value-should-be-less-than-or-equal-to",
  ],
  [
    "metadata.name: Invalid value: \"My_Game\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'",
    "a-lowercase-rfc-1123-subdomain-must-be-no-more-than-63-characters",
  ],
  ["Back-off restarting failed container", "crashloopbackoff"],
  ["Readiness probe failed: HTTP probe failed with statuscode: 500", "readiness-probe-failed-liveness-probe-failed"],
  [
    'Liveness probe failed: Get "http://10.244.0.5:8081/healthz": context deadline exceeded',
    "readiness-probe-failed-liveness-probe-failed",
  ],
  [
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@kubewright/runtime' imported from /home/you/mygame/src/main.ts",
    "cannot-find-package-cannot-find-module-unknown-file-extension-ts",
  ],
  [
    'TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts"',
    "cannot-find-package-cannot-find-module-unknown-file-extension-ts",
  ],
  [
    "Error: Cannot find module '/home/you/mygame/dist/main.js'",
    "cannot-find-package-cannot-find-module-unknown-file-extension-ts",
  ],
  [
    "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
    "oomkilled-exit-code-137-javascript-heap-out-of-memory",
  ],
  [
    "Error: ENOSPC: System limit for number of file watchers reached",
    "enospc-system-limit-for-number-of-file-watchers-reached",
  ],
  ["config/crd/bases: no such file or directory (crdDirectoryPaths)", "no-such-file-or-directory-crddirectorypaths"],
  ["Error: Test timed out in 5000ms", "test-timed-out-in-5000ms"],
  ["exec /nodejs/bin/node: exec format error", "exec-format-error"],
  ["container has runAsNonRoot and image will run as root", "container-has-runasnonroot-and-image-will-run-as-root"],
];
