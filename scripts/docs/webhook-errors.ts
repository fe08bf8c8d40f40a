/**
 * Errors of failing webhooks, as kubectl and managers print them, with the section of the page about troubleshooting that must
 * be among the first three results of the search for the whole message.
 */
export const webhookErrors: readonly (readonly [situation: string, message: string, section: string])[] = [
  [
    "wrong CA",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:45557/x?timeout=2s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    "x509-certificate-signed-by-unknown-authority",
  ],
  [
    "CA of an earlier run",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:23017/validate-mail-example-org-v1-relay?timeout=5s": tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "kubewright-local-ca")',
    "x509-certificate-signed-by-unknown-authority",
  ],
  [
    "expired certificate",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:43409/x?timeout=2s": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-27T11:54:16Z is after 2021-01-01T00:00:00Z',
    "x509-certificate-has-expired-or-is-not-yet-valid",
  ],
  [
    "certificate of another name",
    `Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:35747/x?timeout=2s": tls: failed to verify certificate: x509: cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
    "x509-certificate-is-valid-for--not-",
  ],
  [
    "no CA",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
    "could-not-get-rest-client-unable-to-load-root-certificates",
  ],
  [
    "timeout",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:42025/x?timeout=2s": context deadline exceeded',
    "context-deadline-exceeded",
  ],
  [
    "wrong port",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:35705/x?timeout=2s": http: server gave HTTP response to HTTPS client',
    "server-gave-http-response-to-https-client",
  ],
  [
    "connection refused",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:1/x?timeout=2s": dial tcp 127.0.0.1:1: connect: connection refused',
    "connection-refused-no-endpoints-available-for-service",
  ],
  [
    "no endpoints",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://relay-webhook-service.relay-system.svc:443/validate-mail-example-org-v1-relay?timeout=10s": no endpoints available for service "relay-webhook-service"',
    "connection-refused-no-endpoints-available-for-service",
  ],
  [
    "no Service",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://relay-webhook-service.default.svc:443/x?timeout=2s": service "relay-webhook-service" not found',
    "service-mygame-webhook-service-not-found-no-such-host",
  ],
  [
    "wrong port of the Service",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://relay-webhook-service.default.svc:8443/x?timeout=2s": no service port 8443 found for service "relay-webhook-service"',
    "no-service-port-8443-found-for-service",
  ],
  [
    "unknown host",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://relay.invalid:443/x?timeout=2s": dial tcp: lookup relay.invalid on 10.0.0.10:53: no such host',
    "service-mygame-webhook-service-not-found-no-such-host",
  ],
  [
    "closed connection",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: Post "https://127.0.0.1:37047/x?timeout=2s": EOF',
    "eof-connection-reset-by-peer",
  ],
  [
    "wrong path",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: the server could not find the requested resource',
    "the-server-could-not-find-the-requested-resource",
  ],
  [
    "server error",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: an error on the server ("unknown") has prevented the request from succeeding',
    "an-error-on-the-server-has-prevented-the-request-from-succeeding",
  ],
  [
    "wrong uid",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": received invalid webhook response: expected response.uid="a73b4d87-5bd7-4dcb-8675-5ed71f1ca09e", got "wrong"',
    "received-invalid-webhook-response",
  ],
  [
    "not a review",
    `Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": failed to call webhook: couldn't get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    "received-invalid-webhook-response",
  ],
  [
    "patch of a validator",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "vrelay-v1.kb.io": received invalid webhook response: validating webhook may not return response.patch',
    "received-invalid-webhook-response",
  ],
  [
    "undecodable patch",
    `Error from server (InternalError): error when creating "STDIN": Internal error occurred: failed calling webhook "mrelay-v1.kb.io": received undecodable patch in webhook response: invalid character 'o' in literal null (expecting 'u')`,
    "received-invalid-webhook-response",
  ],
  [
    "patch of a missing field",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: replace operation does not apply: doc is missing path: /data/host: missing value',
    "replace-operation-does-not-apply-doc-is-missing-path",
  ],
  [
    "patch of a missing parent",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: add operation does not apply: doc is missing path: "/data/host/x": missing value',
    "replace-operation-does-not-apply-doc-is-missing-path",
  ],
  [
    "patch with a wrong type",
    'Error from server (InternalError): error when creating "STDIN": Internal error occurred: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    "replace-operation-does-not-apply-doc-is-missing-path",
  ],
  [
    "bug in a validator",
    `Error from server (Forbidden): error when creating "relay.yaml": admission webhook "vrelay-v1.kb.io" denied the request: Cannot read properties of undefined (reading 'name')`,
    "admission-webhook-denied-the-request",
  ],
  [
    "missing conversion",
    'admission webhook "mrelay-v1.kb.io" denied the request: obj.spec.upstreams is not iterable',
    "admission-webhook-denied-the-request",
  ],
  [
    "webhook of another kind",
    'Error from server: error when creating "STDIN": admission webhook "vrelay-v1.kb.io" denied the request: unable to decode v1 ConfigMap into mail.example.org/v1 Relay',
    "unable-to-decode--into-",
  ],
  [
    "conversion webhook as validator",
    'Error from server: error when creating "STDIN": admission webhook "vrelay-v1.kb.io" denied the request without explanation',
    "denied-the-request-without-explanation",
  ],
  [
    "match condition",
    `Error from server (Forbidden): error when creating "STDIN": configmaps "settings" is forbidden: expression 'object.spec.foo == 1' resulted in error: no such key: spec`,
    "expression-resulted-in-error-no-such-key",
  ],
  [
    "side effects",
    'The ValidatingWebhookConfiguration "relay" is invalid: webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    "sideeffects-unsupported-value",
  ],
  [
    "long timeout",
    'The ValidatingWebhookConfiguration "relay" is invalid: webhooks[0].timeoutSeconds: Invalid value: 60: the timeout value must be between 1 and 30 seconds',
    "timeoutseconds-clientconfigurl-admissionreviewversions-invalid-value",
  ],
  [
    "URL with http",
    `The ValidatingWebhookConfiguration "relay" is invalid: webhooks[0].clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme; desired format: https://host[/path]`,
    "timeoutseconds-clientconfigurl-admissionreviewversions-invalid-value",
  ],
  [
    "unknown review version",
    'The ValidatingWebhookConfiguration "relay" is invalid: webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    "timeoutseconds-clientconfigurl-admissionreviewversions-invalid-value",
  ],
  [
    "missing default",
    'The Relay "second" is invalid: spec.image: Required value',
    "required-value-invalid-value-although-a-defaulter-sets-it",
  ],
  [
    "default that the schema rejects",
    'The Relay "second" is invalid: spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1',
    "required-value-invalid-value-although-a-defaulter-sets-it",
  ],
  [
    "converter that throws",
    "Error from server: conversion webhook for mail.example.org/v1, Kind=Relay failed: spec.tls: v1beta1 has no Off",
    "conversion-webhook-failed",
  ],
  [
    "missing converter",
    "Error from server: conversion webhook for mail.example.org/v1, Kind=Relay failed: the server could not find the requested resource",
    "the-server-could-not-find-the-requested-resource",
  ],
  [
    "unreachable converter",
    'Error from server: conversion webhook for mail.example.org/v1, Kind=Relay failed: Post "https://127.0.0.1:1/convert?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    "connection-refused-no-endpoints-available-for-service",
  ],
  [
    "conversion of a part",
    "failed to prune fields: failed add back owned items: failed to convert pruned object at version mail.example.org/v1beta1: conversion webhook for mail.example.org/v1, Kind=Relay failed: internal error occurred during conversion",
    "failed-to-prune-fields",
  ],
  [
    "port conflict",
    "the webhook server: listen EADDRINUSE: address already in use :::9443",
    "address-already-in-use-eaddrinuse",
  ],
  ["failurePolicy", "failurePolicy ignore webhook skipped", "the-webhook-isnt-called-failurepolicy-namespaceselector"],
  [
    "namespaceSelector",
    "webhook is not called namespaceSelector",
    "the-webhook-isnt-called-failurepolicy-namespaceselector",
  ],
  ["no error", "validator not called object accepted", "the-webhook-isnt-called-failurepolicy-namespaceselector"],
  [
    "dropped connection",
    'Internal error occurred: failed calling webhook "vorder-v1.kb.io": failed to call webhook: Post "https://shop-webhook-service.shop-system.svc:443/validate-store-acme-io-v1-order?timeout=10s": dial tcp 10.96.3.4:443: i/o timeout',
    "io-timeout-no-route-to-host-tls-handshake-timeout",
  ],
  [
    "no route",
    'Internal error occurred: failed calling webhook "vorder-v1.kb.io": failed to call webhook: Post "https://shop-webhook-service.shop-system.svc:443/validate-store-acme-io-v1-order?timeout=10s": dial tcp 10.96.3.4:443: connect: no route to host',
    "io-timeout-no-route-to-host-tls-handshake-timeout",
  ],
  [
    "no handshake",
    'Internal error occurred: failed calling webhook "vorder-v1.kb.io": failed to call webhook: Post "https://shop-webhook-service.shop-system.svc:443/validate-store-acme-io-v1-order?timeout=10s": net/http: TLS handshake timeout',
    "io-timeout-no-route-to-host-tls-handshake-timeout",
  ],
  [
    "no names in the certificate",
    'Internal error occurred: failed calling webhook "vorder-v1.kb.io": failed to call webhook: Post "https://shop-webhook-service.shop-system.svc:443/validate-store-acme-io-v1-order?timeout=10s": tls: failed to verify certificate: x509: certificate relies on legacy Common Name field, use SANs instead',
    "x509-certificate-is-valid-for--not-",
  ],
  [
    "no Secret",
    'MountVolume.SetUp failed for volume "webhook-certs" : secret "webhook-server-cert" not found',
    "secret-webhook-server-cert-not-found-cant-use-the-certificate-tlscrt",
  ],
  [
    "no files",
    "the webhook server: can't use the certificate tls.crt with tls.key in /tmp/k8s-webhook-server/serving-certs: ENOENT: no such file or directory, open '/tmp/k8s-webhook-server/serving-certs/tls.crt'",
    "secret-webhook-server-cert-not-found-cant-use-the-certificate-tlscrt",
  ],
  [
    "dry run",
    'Error from server (BadRequest): admission webhook "morder-v1.kb.io" does not support dry run',
    "sideeffects-unsupported-value",
  ],
];
