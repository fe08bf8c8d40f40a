// The webhook of the front page.
import type { Context, Validator } from "@kubewright/runtime";
import type { Website } from "../../../testdata/projects/website/api/v1/index.ts";

// +kubebuilder:webhook:path=/validate-web-example-com-v1-website,mutating=false,failurePolicy=fail,sideEffects=None,groups=web.example.com,resources=websites,verbs=create;update,versions=v1,name=vwebsite-v1.kb.io,admissionReviewVersions=v1

/** Requires a version of the image. */
export class WebsiteValidator implements Validator<Website> {
  validateCreate(_ctx: Context, website: Website): void {
    if (website.spec.image.endsWith(":latest")) {
      throw new Error("spec.image: set a version instead of latest");
    }
  }

  validateUpdate(ctx: Context, _before: Website, website: Website): void {
    this.validateCreate(ctx, website);
  }

  validateDelete(): void {}
}
