// Renewal that is asked for by emptying the Secret, under some calls; webhook-certs.full.test.ts waits for it, under many.
import { testWebhookCertificates } from "./steps.ts";

testWebhookCertificates({ options: "interval: 1_000", ages: false, callers: 20 });
