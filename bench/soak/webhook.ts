import { connect } from "node:tls";
import type { ValidatingWebhookConfiguration } from "@kubewright/runtime/api/admissionregistration/v1";
import type { Secret } from "@kubewright/runtime/api/core/v1";
import { reviewedLabel } from "./changes.ts";
import { certificateNames } from "./operator/protocol.ts";

/**
 * Returns the objects that the operator's webhook needs. No review may be lost while the operator renews its certificates.
 */
export function webhookObjects(port: number): [Secret, ValidatingWebhookConfiguration] {
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: certificateNames.secret, namespace: "default" } },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: certificateNames.configuration },
      webhooks: [
        {
          name: "soak.kubewright.dev",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          failurePolicy: "Fail",
          clientConfig: { url: `https://127.0.0.1:${port}/validate` },
          rules: [
            {
              apiGroups: ["test.kubewright.dev"],
              apiVersions: ["v1"],
              resources: ["widgets"],
              operations: ["CREATE", "UPDATE"],
            },
          ],
          objectSelector: { matchLabels: { [reviewedLabel]: "yes" } },
        },
      ],
    },
  ];
}

/** Returns the fingerprint of the certificate that a port of this machine serves; `undefined` if none is served. */
export function servedCertificate(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, timeout: 5000 }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
    socket.on("timeout", () => {
      resolve(undefined);
      socket.destroy();
    });
  });
}
