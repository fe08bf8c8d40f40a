import { errors } from "./entry.ts";

/** Work that goes on outside of the project's files. */
export const workErrors = errors({
  "install-failed": [
    "The project is made, and its packages could not be installed: no network, a registry that refuses, a full disk.",
    "Mend the cause, and run `npm install` in the project.",
  ],
  "no-package-version": [
    "`--external-api-module` names no version of the package, and npm could not be asked for the newest.",
    "Name a version, such as `@acme/types@1.2.3`.",
  ],
  "conversion-without-webhook": [
    "`config/default` deploys no webhooks, but a CRD is converted by one: the API server can't serve its versions.",
    "Run `npx scaffold edit --enable webhook`, or `--disable webhook`, which takes the conversion out of the CRD.",
  ],
  "no-directory": ["The working directory was deleted while a shell was in it.", "Change to a directory that exists."],
  "run-failed": ["The manager ended with an error, which stands above.", "Mend the cause."],
  "watch-failed": ["A run of `generate --watch` broke. It goes on watching.", "Mend what the message names."],
  "no-parser": [
    "TypeScript can't be edited on this machine: the parser has no binary for it.",
    "Use a platform that oxc-parser serves, such as Linux, macOS or Windows on x64 or arm64.",
  ],
  "not-built": ["A checkout of kubewright was run before it was built.", "Run `npm run build` in it."],
  "runtime-missing": [
    "An unpublished kubewright packs its runtime into the project, and finds none beside itself.",
    "Install both packages, or run from a built checkout.",
  ],
});
