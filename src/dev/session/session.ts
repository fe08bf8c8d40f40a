import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { DevEventBody, DevProblem } from "@kubewright/dashboard/protocol";
import { type Bundle, Bundler, type GoodBundle, inputsOf } from "../build/bundler.ts";
import { Generator } from "../build/generator.ts";
import { Installation, installing } from "../build/installation.ts";
import { TypeCheck } from "../build/type-check.ts";
import { ProjectWatcher } from "../build/watcher.ts";
import { WrittenFiles } from "../build/written-files.ts";
import { hasObjects } from "../client/apply.ts";
import { KubeClient } from "../client/kube-client.ts";
import { crdDirectory, policyDirectory, readDefinitions } from "../client/manifests.ts";
import { devPackageOf } from "../client/packages.ts";
import type { DevCluster } from "../cluster/cluster.ts";
import { openCluster } from "../cluster/open.ts";
import { ManagerFlags } from "../manager/flags.ts";
import { SessionWebhooks } from "../manager/session-webhooks.ts";
import { ManagerSupervisor } from "../manager/supervisor.ts";
import { claimSession } from "../setup/claim.ts";
import { prepareCache, type SessionPaths, sessionPaths, writeSecret } from "../setup/files.ts";
import type { DevOptions, SessionServer } from "../setup/options.ts";
import { Records } from "../store/records.ts";
import { SessionEvents } from "../store/session-events.ts";
import { OpenErrors } from "./errors.ts";
import { PodFaults } from "./pod-faults.ts";
import { ProblemReports } from "./problem-reports.ts";
import { ProjectObjects } from "./project-objects.ts";
import type { RunningSession } from "./running-session.ts";
import { beginTakeover, leaseName, newSessionIdentity, type Takeover } from "./takeover.ts";
import { type Demands, isCode, isReadAtStart, isSettings, PendingWork, type Work } from "./work.ts";

/** A development session: the cluster, the watched project, and the running manager. */
export class DevSession {
  readonly records = new Records();
  readonly #options: DevOptions;
  readonly #paths: SessionPaths;
  readonly #events = new SessionEvents();
  readonly #startedAt = new Date().toISOString();
  readonly #errors = new OpenErrors();
  readonly #supervisor: ManagerSupervisor;
  readonly #webhooks: SessionWebhooks;
  readonly #problems = new ProblemReports(this.#errors, this.#events, () => this.#pending.hasFiles);
  readonly #started = performance.now();
  readonly #generator: Generator;
  readonly #objects: ProjectObjects;
  readonly #pending = new PendingWork();
  readonly #installation: Installation;
  readonly #written: WrittenFiles;
  readonly #stop = new AbortController();
  readonly #identity = newSessionIdentity();
  #lastGood: GoodBundle | undefined;
  /** Whether the last code has type errors in files that the program reaches. */
  #hasBlockingTypes = false;
  /** Whether nothing is left to do for the samples of an empty cluster. */
  #hasSamples: boolean;
  #bundler: Bundler | undefined;
  /** Unset until the cluster runs. */
  #running: RunningSession | undefined;
  /** Why the session ends. */
  #reason: string | undefined;
  #dashboard = "";
  #takeover: Takeover | undefined;
  readonly #types: TypeCheck;

  constructor(options: DevOptions) {
    this.#options = options;
    this.#paths = sessionPaths(options.root);
    this.#written = new WrittenFiles(options.root);
    this.#hasSamples = !options.samples;
    this.#installation = new Installation(options.root);
    this.#generator = new Generator(options.root, options.request, options.cache);
    this.#types = new TypeCheck({ root: options.root, cache: this.#paths.cache, env: options.env });
    const flags = new ManagerFlags(options.root, options.args, options.webhookUrl, () => this.#webhooks.origin);
    const events = this.#events;
    const client = () => this.#parts.client;
    events.on("event", options.onEvent);
    events.on("line", options.onLine);
    events.on("line", (line) => this.records.addLine(line));
    this.#webhooks = new SessionWebhooks({
      events,
      root: options.root,
      engine: options.engine,
      file: this.#paths.webhooks,
      address: flags.webhookAddress,
      program: options.project.projectName,
      reason: () => this.#errors.all[0]?.message ?? "none has started",
      isDown: () => this.#supervisor.faults.some(({ fault }) => fault === "webhook-down"),
      onConverted: () => this.#objects.applyCrds(),
    });
    const settings = {
      root: options.root,
      env: options.env,
      kubeconfig: this.#paths.kubeconfig,
      program: options.project.projectName,
      // Without a known lease, the session couldn't release it.
      identity: () => (leaseName(options.root) === undefined ? undefined : this.#identity),
    };
    this.#supervisor = new ManagerSupervisor({
      settings,
      events,
      flags,
      webhooks: this.#webhooks,
      records: this.records,
      signal: this.#stop.signal,
      client,
      restart: () => this.restart(),
    });
    this.#objects = new ProjectObjects({
      events,
      root: options.root,
      engine: options.engine,
      client,
      isConverted: (definition) => this.#webhooks.isConverted(definition),
    });
    if (options.signal.aborted) this.#stop.abort();
    options.signal.addEventListener("abort", () => this.stop(), { once: true });
  }

  /** Whether the running manager reports what it does. */
  get isInspected(): boolean {
    return this.#supervisor.manager?.isInspected === true;
  }

  /** Whether reconciles are held back. */
  get paused(): boolean {
    return this.#supervisor.paused;
  }

  /**
   * Ends the session. {@link run} then cleans up and resolves.
   *
   * @param reason - for the event `stopped`
   */
  stop(reason = "interrupted"): void {
    this.#reason ??= reason;
    this.#stop.abort();
    this.#pending.wake();
  }

  /** Restarts the manager with the code of the last good build. */
  restart(): void {
    this.#demand({ restart: true });
  }

  /** Generates, even if no file has changed. */
  generate(): void {
    this.#demand({ generate: true });
  }

  /** Applies the samples. */
  applySamples(): void {
    this.#demand({ samples: true });
  }

  /** Holds back reconciles, or releases them. It stays in effect when the manager restarts. */
  pause(paused: boolean): Promise<void> {
    return this.#supervisor.pause(paused);
  }

  /** Applies the changes of CRDs by which stored objects lose values. */
  acceptLoss(): Promise<void> {
    return this.#objects.acceptLoss();
  }

  /**
   * Runs the session until its signal aborts.
   *
   * @param open - called when the cluster runs: serves the dashboard, and returns its URL and how to close it
   * @throws ProblemError if the session can't start
   */
  async run(open: (session: RunningSession) => Promise<SessionServer>): Promise<void> {
    const { root } = this.#options;
    await claimSession(this.#paths);
    const warn = (message: string) => this.#events.note(message);
    const watcher = new ProjectWatcher(root, (files, since) => this.#onFiles(files, since), warn);
    let cluster: DevCluster | undefined;
    let server: SessionServer | undefined;
    try {
      prepareCache(this.#paths);
      // Before the cluster, because the stored objects refer to them.
      const opened = this.#webhooks.open();
      this.#bundler = new Bundler(root, this.#options.project, this.#paths.bundles, (built) => {
        watcher.follow(built.inputs);
        // The manager's flags contain their address.
        void opened.then(() => this.#supervisor.load(built)).catch(() => undefined);
      });
      const watching = watcher.start();
      const built = this.#bundler.build();
      built.catch(() => undefined);
      await opened;
      cluster = await openCluster(this.#options, this.#paths, warn, this.#stop.signal);
      if (!this.#stop.signal.aborted) {
        await this.#webhooks.connect(cluster.config);
        writeSecret(this.#paths.kubeconfig, cluster.kubeconfig);
        const running = this.#partsOf(cluster);
        this.#running = running;
        server = await open(running);
        this.#dashboard = server.url;
        await running.podFaults.clearLeft().catch((error: Error) => warn(`a Pod still fails: ${error.message}`));
        this.#takeover = await beginTakeover({
          ...{ root, client: running.client, identity: this.#identity, takesOver: this.#options.takeover },
          events: this.#events,
        });
        await this.#firstCycle(built);
        await watching;
        if (this.#supervisor.manager) await this.#supervisor.webhooksConfigured();
        if (!this.#stop.signal.aborted) this.#events.emit(this.#ready());
        await this.#loop();
      }
    } finally {
      await this.#close(watcher, cluster, server);
    }
    this.#events.emit({ event: "stopped", reason: this.#reason ?? "interrupted" });
  }

  #partsOf(cluster: DevCluster): RunningSession {
    const { engine, root } = this.#options;
    const client = new KubeClient(devPackageOf(root).createTransport(cluster.config));
    return {
      options: this.#options,
      paths: this.#paths,
      startedAt: this.#startedAt,
      cluster,
      client,
      events: this.#events,
      records: this.records,
      errors: this.#errors,
      supervisor: this.#supervisor,
      webhooks: this.#webhooks,
      podFaults: new PodFaults({ client, engine, file: this.#paths.podFaults(engine) }),
      signal: this.#stop.signal,
      restart: () => this.restart(),
      takenOver: () => this.#takeover?.held.map(({ lease }) => lease) ?? [],
    };
  }

  get #parts(): RunningSession {
    if (!this.#running) throw new Error("the session hasn't started yet");
    return this.#running;
  }

  #ready(): DevEventBody {
    const [{ kubeconfig }, { engine }] = [this.#paths, this.#options];
    const durationMs = Math.round(performance.now() - this.#started);
    return { event: "ready", kubeconfig, engine, dashboard: this.#dashboard, durationMs };
  }

  async #close(
    watcher: ProjectWatcher,
    cluster: DevCluster | undefined,
    server: SessionServer | undefined,
  ): Promise<void> {
    const running = this.#running;
    rmSync(this.#paths.session, { force: true });
    this.#objects.stop();
    await watcher.close();
    // The manager stops first: it may write to the cluster at its end.
    await this.#supervisor.stop();
    await this.#webhooks.close();
    await running?.podFaults.clear().catch(() => undefined);
    await this.#takeover?.end().catch(() => undefined);
    await Promise.allSettled([server?.close(this.#reason ?? "interrupted"), running?.client.close()]);
    await Promise.allSettled([this.#bundler?.dispose(), cluster?.stop(), this.#types.close()]);
  }

  #onFiles(files: readonly string[], since: number): void {
    const foreign = files.filter((file) => !this.#written.has(file));
    if (foreign.length > 0) this.#pending.add({ files: foreign, since });
  }

  #demand(demands: Partial<Demands>): void {
    this.#pending.add({ demands, since: performance.now() });
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#pending.isEmpty || this.#isInstalling()) {
        await this.#pending.wait();
        continue;
      }
      const work = this.#pending.take();
      try {
        if (work.files.length > 0) this.#events.emit({ event: "changed", files: work.files });
        for (const name of this.#installation.updates()) {
          this.#events.note(`${name} was installed: restart scaffold dev to use it`);
        }
        await this.#cycle(work);
      } catch (error) {
        if (!this.#stop.signal.aborted)
          this.#problems.report("apply", [{ phase: "apply", message: (error as Error).message }]);
      }
    }
  }

  /** Starts with whatever is there. Type errors are shown, but don't delay the first start. */
  async #firstCycle(built: Promise<Bundle>): Promise<void> {
    try {
      const generated = await this.#runGenerator();
      await this.#objects.applyCrds();
      const bundle = await built;
      const reported = this.#problems.reportBuild(generated, bundle);
      const reconciled = this.#events.next("reconciled");
      if ("hash" in bundle) await this.#start(bundle, this.#started);
      else this.#options.onFailedBuild(undefined);
      // Not earlier: the first reconcile needs the processor time, 0.7 s for the types and 0.5 s for the generator. Without
      // objects, there is none.
      const settled = Promise.race([reconciled, sleep(1000, undefined, { ref: false })]);
      const types = settled.then(() => this.#types.run(inputsOf(built), this.#stop.signal));
      const reports = types.then((result) => this.#problems.reportTypes(result, reported)).catch(() => undefined);
      void reports.then(() => this.#generator.load(this.#stop.signal));
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#problems.report("apply", [{ phase: "apply", message: (error as Error).message }]);
    }
  }

  async #start(bundle: GoodBundle, since: number, force = false): Promise<void> {
    this.#lastGood = bundle;
    await this.#supervisor.start(bundle, since, force);
    // Without definitions and webhooks, the samples would be refused.
    const isReady =
      this.#supervisor.status.state === "running" && this.#errors.all.every(({ phase }) => phase === "types");
    if (this.#hasSamples || !isReady) return;
    this.#hasSamples = true;
    if (!(await hasObjects(this.#parts.client, readDefinitions(this.#options.root).documents)))
      await this.#applySamples();
  }

  /** Whether packages are being installed. Reports it, once. */
  #isInstalling(): boolean {
    if (!this.#installation.isRunning) return false;
    if (!this.#errors.all.some(({ message }) => message === installing.message)) {
      this.#problems.report("bundle", [installing]);
      this.#options.onFailedBuild(this.#supervisor.manager?.pid);
    }
    return true;
  }

  async #cycle(work: Work): Promise<void> {
    const { files, demands, since } = work;
    const restart = demands.restart || files.some(isReadAtStart);
    const hasCode = restart || files.some(isCode);
    const hasTypes = demands.generate || files.some(isCode);
    if (restart || files.some(isSettings)) this.#types.forget();
    const built = hasCode ? this.#bundler?.build() : undefined;
    const checked = built && this.#types.run(inputsOf(built), this.#stop.signal);
    const generated = hasTypes ? await this.#runGenerator() : undefined;
    const isApplied = (file: string) => file.startsWith(`${crdDirectory}/`) || file.startsWith(`${policyDirectory}/`);
    const hasCrds = hasTypes || files.some(isApplied);
    if (hasCrds) await this.#objects.applyCrds();
    if (generated && !built) this.#problems.report("generate", generated);
    if (built) {
      const bundle = await built;
      // Its end causes a start, too.
      if (this.#installation.isRunning) return this.#pending.putBack(work);
      const reported = this.#problems.reportBuild(generated, bundle);
      const types = await checked;
      if (this.#stop.signal.aborted) return;
      if ("hash" in bundle) this.#problems.reportTypes(types, reported);
      this.#hasBlockingTypes = types?.isBlocking === true;
      if ("hash" in bundle && !this.#hasBlockingTypes) await this.#start(bundle, since, restart);
      else {
        void this.#supervisor.unload();
        if (restart && this.#lastGood) await this.#start(this.#lastGood, since, true);
        this.#options.onFailedBuild(this.#supervisor.manager?.pid);
      }
    } else if (files.some((file) => file.startsWith("config/webhook/")) && this.#bundler) {
      const bundle = await this.#bundler.build();
      if ("hash" in bundle && !this.#hasBlockingTypes) await this.#start(bundle, since);
    }
    if (demands.samples) await this.#applySamples();
  }

  async #applySamples(): Promise<void> {
    await this.#objects.applyCrds();
    await this.#supervisor.webhooksConfigured();
    await this.#objects.applySamples();
  }

  /** Generates. Returns the problems, which the bundle can have, too. */
  async #runGenerator(): Promise<readonly DevProblem[]> {
    try {
      const { files, breaking, warnings, problems } = await this.#generator.run();
      for (const file of files) this.#written.add(file);
      const more = warnings.length === 0 ? {} : { warnings };
      if (problems.length === 0 || files.length > 0)
        this.#events.emit({ event: "generated", files, breaking, ...more });
      return problems;
    } catch (error) {
      const { message, hint } = error as Error & { hint?: string };
      return [{ phase: "generate", message, ...(hint === undefined ? {} : { hint }) }];
    }
  }
}
