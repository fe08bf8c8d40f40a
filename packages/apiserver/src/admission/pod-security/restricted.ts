import {
  addedCapabilities,
  capabilitiesCheck,
  hostPathCheck,
  procMountCheck,
  seccompCheck,
  unlessOwnUsers,
  unmaskedProc,
  unsafeSeccomp,
} from "./baseline.ts";
import type { Check, Rule } from "./check.ts";
import { containersText, counted, quoted, settersOf, sorted } from "./messages.ts";
import { containersWhere } from "./pod.ts";

/** Returns a rule for Pods that don't run on Windows, where the setting doesn't exist. */
function unlessWindows(rule: Rule): Rule {
  return (pod) => (pod.spec.os?.name === "windows" ? undefined : rule(pod));
}

const privilegeEscalation: Rule = (pod) => {
  const names = containersWhere(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (names.length === 0) return undefined;
  const detail = `${containersText(names)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: "allowPrivilegeEscalation != false", detail };
};

const oneCapability = new Set(["NET_BIND_SERVICE"]);

const unrestrictedCapabilities: Rule = (pod) => {
  const keeping = containersWhere(pod, ({ securityContext }) => {
    return securityContext?.capabilities?.drop?.includes("ALL") !== true;
  });
  const adding = addedCapabilities(pod, oneCapability);
  const problems = [
    ...(keeping.length === 0 ? [] : [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding === undefined ? [] : [adding]),
  ];
  return problems.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: problems.join("; ") };
};

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

const volumeTypes: Rule = ({ spec }) => {
  const wrong = (spec.volumes ?? []).filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined));
  if (wrong.length === 0) return undefined;
  const names = wrong.map(({ name }) => name);
  // A valid volume has exactly one type.
  const types = sorted(wrong.flatMap((volume) => Object.keys(volume).filter((field) => field !== "name")));
  const uses = `${counted("uses", names.length, "use")} ${counted("restricted volume type", types.length)}`;
  const detail = `${counted("volume", names.length)} ${quoted(names)} ${uses} ${quoted(types)}`;
  return { reason: "restricted volume types", detail };
};

const runAsRoot: Rule = (pod) => {
  const reason = "runAsNonRoot != true";
  const setters = settersOf(pod, ({ runAsNonRoot }) => runAsNonRoot === false);
  if (setters.length > 0) {
    return { reason, detail: `${setters.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  }
  if (pod.spec.securityContext?.runAsNonRoot === true) return undefined;
  const names = containersWhere(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (names.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(names)} must set securityContext.runAsNonRoot=true` };
};

const rootUser: Rule = (pod) => {
  const setters = settersOf(pod, ({ runAsUser }) => runAsUser === 0);
  if (setters.length === 0) return undefined;
  return { reason: "runAsUser=0", detail: `${setters.join(" and ")} must not set runAsUser=0` };
};

const missingSeccomp: Rule = (pod) => {
  const unsafe = unsafeSeccomp(pod);
  if (unsafe !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return unsafe;
  const names = containersWhere(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (names.length === 0) return undefined;
  const problem = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: "seccompProfile", detail: `pod or ${containersText(names)} ${problem}` };
};

/** The checks that the restricted level adds to the baseline level, in the order of their messages. */
export const restricted: readonly Check[] = [
  {
    rules: [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  },
  {
    rules: [
      [22, unrestrictedCapabilities],
      [25, unlessWindows(unrestrictedCapabilities)],
    ],
    includes: capabilitiesCheck,
  },
  { rules: [[35, unmaskedProc]], includes: procMountCheck },
  { rules: [[0, volumeTypes]], includes: hostPathCheck },
  {
    rules: [
      [0, runAsRoot],
      [35, unlessOwnUsers(runAsRoot)],
    ],
  },
  {
    rules: [
      [23, rootUser],
      [35, unlessOwnUsers(rootUser)],
    ],
  },
  {
    rules: [
      [19, missingSeccomp],
      [25, unlessWindows(missingSeccomp)],
    ],
    includes: seccompCheck,
  },
];
