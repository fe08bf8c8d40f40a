// Renewal that is asked for by emptying the Secret; webhook-certs.full.test.ts waits for it.
import { testWebhookCertificates } from "./steps.ts";

testWebhookCertificates({ options: "interval: 1_000", ages: false });
