// Certificates that come of age: a CA after 60 seconds, what it signs after 32.
import { testWebhookCertificates } from "./steps.ts";

const lives = "caValidFor: 90_000, validFor: 48_000, overlap: 8_000, interval: 1_000";
testWebhookCertificates({ options: lives, ages: true, callers: 200 });
