import { type Context, type Manager, newWebhookManagedBy, type Validator } from "@kubewright/runtime";
import { Website } from "#api/v1/index.ts";

/** Registers the webhook of Website with the manager. */
export async function setupWebsiteWebhookWithManager(mgr: Manager): Promise<void> {
  await newWebhookManagedBy(mgr, Website).withValidator(new WebsiteValidator()).complete();
}

// +kubebuilder:webhook:path=/validate-web-example-com-v1-website,mutating=false,failurePolicy=fail,sideEffects=None,groups=web.example.com,resources=websites,verbs=create;update,versions=v1,name=vwebsite-v1.kb.io,admissionReviewVersions=v1

/** WebsiteValidator rejects images without a fixed version, because each Pod could run another one. */
export class WebsiteValidator implements Validator<Website> {
  async validateCreate(_ctx: Context, website: Website): Promise<string[]> {
    return checkImage(website);
  }

  async validateUpdate(_ctx: Context, _before: Website, website: Website): Promise<string[]> {
    return checkImage(website);
  }

  async validateDelete(): Promise<string[]> {
    return [];
  }
}

function checkImage({ spec }: Website): string[] {
  const name = spec.image.slice(spec.image.lastIndexOf("/") + 1);
  if (!name.includes(":") || name.endsWith(":latest")) {
    throw new Error(`spec.image: ${spec.image} needs a fixed version, such as nginx:1.29`);
  }
  return [];
}
