import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { localWebhooks } from "./local-webhooks.ts";

it("the certificates of local webhooks stay valid if the computer's clock is set back by a month", async () => {
  const webhooks = localWebhooks({ url: "https://127.0.0.1:9443" });
  const { cert } = (await webhooks?.server.certificates?.watch(new AbortController().signal, () => {})) ?? { cert: "" };
  const certificate = new X509Certificate(cert);
  const day = 86_400_000;
  expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now() - 30 * day);
  expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 30 * day);
});
