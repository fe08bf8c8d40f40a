import { describe } from "vitest";
import { testWebhookCertificates } from "./steps.ts";

// With these options, a CA is renewed after 60 seconds, and a certificate after 32.
const lives = "caValidFor: 90_000, validFor: 48_000, overlap: 8_000, interval: 1_000";
describe("certificates that are renewed because of their age", () => {
  testWebhookCertificates({ options: lives, ages: true, callers: 200 });
});

describe("certificates that are renewed because their Secret was emptied", () => {
  testWebhookCertificates({ options: "interval: 1_000", ages: false, callers: 20 });
});
