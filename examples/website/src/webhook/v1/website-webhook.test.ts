import { testContext } from "@kubewright/runtime/testing";
import { describe, expect, it } from "vitest";
import { Website } from "#api/v1/index.ts";
import { WebsiteValidator } from "./website-webhook.ts";

const ctx = testContext();
const validator = new WebsiteValidator();

function website(image: string): Website {
  return { apiVersion: Website.apiVersion, kind: Website.kind, metadata: { name: "sample" }, spec: { image } };
}

describe("the webhook", () => {
  it.each(["nginx:1.29", "registry.example.com:5000/site:v2", `nginx@sha256:${"0".repeat(64)}`])(
    "accepts %s",
    async (image) => {
      await expect(validator.validateCreate(ctx, website(image))).resolves.toEqual([]);
    },
  );

  it.each(["nginx", "nginx:latest", "registry.example.com:5000/site"])("rejects %s", async (image) => {
    const message = `spec.image: ${image} needs a fixed version`;
    await expect(validator.validateCreate(ctx, website(image))).rejects.toThrow(message);
    await expect(validator.validateUpdate(ctx, website("nginx:1.29"), website(image))).rejects.toThrow(message);
  });
});
