/** A module of an npm package, such as `@kubernetes-models/cert-manager/cert-manager.io/v1`. */
export const modulePath =
  /^(?!-)(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

/** The path of a resource's package, in Go or npm notation, without `..` segments. */
export const recordedPath = /^(?!-)(?!.*(?:^|\/)\.*(?:\/|$))[\w@~.+:/-]{1,500}$/;

/** An npm package, optionally with a version. It can't begin with `-`, because commands would read it as a flag. */
export const packageSpec = /^(?!-)(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(@[A-Za-z0-9^~<>=.*+-]+)?$/;

/** The path of a webhook, at most 200 characters. */
export const webhookPathText = /^(?=.{1,200}$)(\/[A-Za-z0-9_-]+)+$/;
