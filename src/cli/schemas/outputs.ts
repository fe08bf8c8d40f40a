// The objects that commands print with `--json`. `npm run schemas` generates schemas/ from these types.
import type { DevEvent, Faults, Link, Objects, Queues, Status, Timeline, Why } from "@kubewright/dashboard/protocol";
import type { PlanDocument } from "../../plan/document.ts";
import type { CompletionData } from "../commands/completion.ts";
import type { DeletedObject, RequestedReconciles } from "../commands/dev-session.ts";
import type { DoctorData } from "../commands/doctor.ts";
import type { OptionHelp } from "../commands/generate/help.ts";
import type { ClientConfig } from "../commands/mcp.ts";
import type { MigrationData } from "../commands/migrate.ts";
import type { SimulationData } from "../commands/simulate.ts";
import type { VersionData } from "../commands/version.ts";
import type { Calls, Changes, Failed, Generated } from "../framework/json.ts";
import type { CommandList } from "./command-list.ts";

/** The result of a command, or why it failed. */
type Result<T> = T | Failed;

/** A success without further data. */
interface Done {
  readonly diagnostics?: undefined;
}

/** The result of a command that only runs programs. */
type Ran = Result<Calls | Done>;

/** A line of a session. Before it has started, a failure has no event. */
type DevLine = Result<DevEvent | Calls | (DevEvent & Failed)>;

/** The output of each command, by its words. */
export interface Outputs {
  readonly init: Result<Changes>;
  /** With `--dev`, the lines of `scaffold dev` follow. */
  readonly "create project": Result<Changes> | DevLine;
  readonly "create api": Result<Changes>;
  readonly "create webhook": Result<Changes>;
  readonly "delete api": Result<Changes>;
  readonly "delete webhook": Result<Changes>;
  readonly edit: Result<Changes>;
  readonly upgrade: Result<Changes>;
  readonly migrate: Result<MigrationData>;
  readonly generate: Result<Generated | OptionHelp | VersionData>;
  readonly manifests: Result<Generated>;
  readonly build: Ran;
  readonly run: Ran;
  readonly dev: DevLine;
  readonly plan: Result<PlanDocument | Calls>;
  readonly simulate: Result<SimulationData>;
  readonly "dev status": Result<Status>;
  readonly "dev open": Result<Link>;
  readonly "dev why": Result<Why>;
  readonly "dev apply": Result<Done>;
  readonly "dev timeline": Result<Timeline>;
  readonly "dev objects": Result<Objects>;
  readonly "dev queue": Result<Queues>;
  readonly "dev delete": Result<DeletedObject>;
  readonly "dev reconcile": Result<RequestedReconciles>;
  readonly "dev fault": Result<Faults>;
  readonly install: Ran;
  readonly uninstall: Ran;
  readonly deploy: Ran;
  readonly undeploy: Ran;
  readonly "build-installer": Ran;
  readonly "helm-deploy": Ran;
  readonly "helm-package": Ran;
  readonly "helm-push": Ran;
  readonly "helm-uninstall": Ran;
  readonly "helm-status": Ran;
  readonly "helm-history": Ran;
  readonly "helm-rollback": Ran;
  readonly "docker-build": Ran;
  readonly "docker-push": Ran;
  readonly "docker-buildx": Ran;
  readonly "setup-test-e2e": Ran;
  readonly "test-e2e": Ran;
  readonly "cleanup-test-e2e": Ran;
  readonly mcp: Result<ClientConfig>;
  readonly doctor: Result<DoctorData>;
  readonly completion: Result<CompletionData>;
  readonly version: Result<VersionData>;
  readonly help: Result<CommandList>;
}
