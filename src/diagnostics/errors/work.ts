import { errors } from "./entry.ts";

/** Problems with work outside of the project's files. */
export const workErrors = errors({
  "install-failed": [
    "The project was created, but its packages could not be installed: no network, an error of the registry, or a full disk.",
    "Fix the cause, and run `npm install` in the project.",
  ],
  "no-package-version": [
    "`--external-api-module` has no version, and npm couldn't find the newest one.",
    "Add a version, such as `@acme/types@1.2.3`.",
  ],
  "conversion-without-webhook": [
    "`config/default` deploys no webhooks, but a CRD requires a conversion webhook, so the API server can't serve its versions.",
    "Run `npx scaffold edit --enable webhook`, or `--disable webhook` to remove the conversion from the CRD.",
  ],
  "no-directory": ["The working directory was deleted.", "Change to an existing directory."],
  "run-failed": ["The manager failed. Its error is printed above.", "Fix the cause."],
  "program-failed": [
    "A program that the command ran, such as kubectl or tsc, failed. Its error is printed above.",
    "Fix the cause and run the command again.",
  ],
  "program-missing": [
    "A program that the command needs isn't installed or isn't in PATH.",
    "Install it. For tools of the project, run `npm install`. For others, you can set a variable, such as `KUBECTL`.",
  ],
  "rollout-failed": [
    "The manager was deployed but didn't become ready in time. The reasons are printed above.",
    "Fix the reasons. If the rollout is only slow, set `DEPLOY_TIMEOUT`.",
  ],
  "objects-held": [
    "Objects have finalizers that only the manager can remove. Without it, they and their CRDs could never be deleted.",
    "Delete the objects while the manager runs, or use `--force` to remove their finalizers without cleanup.",
  ],
  "no-chart": ["The project has no Helm chart.", "Create it with `npx scaffold edit --helm`."],
  "watch-failed": ["A run of `generate --watch` failed. The command continues to watch.", "Fix the reported problem."],
  "no-parser": [
    "TypeScript files can't be edited on this machine, because the parser has no binary for its platform.",
    "Use a platform that oxc-parser supports, such as Linux, macOS or Windows on x64 or arm64.",
  ],
  "not-built": ["A checkout of kubewright was run before it was built.", "Run `npm run build` in it."],
  "runtime-missing": [
    "An unpublished kubewright packs its runtime into the project, but the runtime wasn't found next to it.",
    "Install both packages, or run from a built checkout.",
  ],
});
