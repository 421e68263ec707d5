import { mkdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { BuildApp } from "./app.ts";
import { startJobs } from "./background-jobs.ts";
import { settleExchange } from "./backup/exchange-files.ts";
import { createBridges } from "./bridges/index.ts";
import { BadConfig, type Config, mailSender, operatorContactsOf, paypalAccountOf, publicUrlOf } from "./config.ts";
import { type ClosedDemonstration, closedDemonstration } from "./demonstration/closed.ts";
import { createDemonstration } from "./demonstration/create.ts";
import { isDemonstration, tokenOf } from "./demonstration/plants/fleet.ts";
import { ids } from "./demonstration/plants/measured.ts";
import { createSimulatedFleet } from "./demonstration/simulated-fleet.ts";
import { createGateway, type Gateway } from "./gateway/index.ts";
import { greeting } from "./greeting.ts";
import { createOwnerLink, createProvider, type Provider } from "./modules/accounts/index.ts";
import { passwordPolicyOf, providerSettingsOf } from "./modules/accounts/single-sign-on/settings.rules.ts";
import { type BillingWorld, createSmsCharging, openPayments } from "./modules/billing/index.ts";
import { refusePhone } from "./modules/contacts/index.ts";
import { createJointControl } from "./modules/joint/index.ts";
import { openSqlAccess } from "./modules/sql-access/index.ts";
import { createDelivery, openSenders } from "./notify/index.ts";
import { createBus } from "./platform/bus/bus.ts";
import { createNotices } from "./platform/bus/device-notices.ts";
import { systemClock } from "./platform/clock.ts";
import { connect, idleLimitOfNodes } from "./platform/database/connect.ts";
import { migrate } from "./platform/database/migrate.ts";
import type { Presence } from "./platform/database/presence.ts";
import type { Sharing } from "./platform/database/serving-lock.ts";
import { createDrain, type Drain } from "./platform/drain.ts";
import { checkDisk, createDiskMetrics } from "./platform/files/disk.ts";
import type { Checks } from "./platform/http/health.ts";
import { root } from "./platform/installed.ts";
import { createMemoryReclaimer } from "./platform/jobs/memory.ts";
import type { Lifecycle } from "./platform/lifecycle.ts";
import { createDatabaseMetrics } from "./platform/metrics/database-metrics.ts";
import { diskWarning } from "./platform/metrics/disk-forecast.ts";
import { joinNodes } from "./platform/node/join.ts";
import { openFiles } from "./platform/node/open-files.ts";
import { noPeers, type Peers } from "./platform/node/peers.ts";
import { findParts } from "./readings/index.ts";
import { createTelemetry, type Telemetry } from "./telemetry/index.ts";
import type { Closed, World } from "./world.ts";

/** Connections that a server may reach in ordinary use. */
const plenty = 10_000;

/** Warning about a low limit of open files, from the text of `/proc/self/limits`; undefined when it is high enough. */
export const openFilesWarning = (limits: string): string | undefined => {
  const most = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (most >= plenty) return undefined;
  return `This process may open ${most} files, and each device or browser that is connected takes one: raise the limit (ulimit -n, or LimitNOFILE of its systemd unit) for more`;
};

/** The warning for this process; undefined also where the system has no /proc. */
export const ownOpenFilesWarning = async (): Promise<string | undefined> =>
  openFilesWarning(await readFile("/proc/self/limits", "utf8").catch(() => ""));

interface Needs {
  config: Config;
  life: Lifecycle;
  buildApp: BuildApp;
  databaseUrl: string;
  /** The same PostgreSQL as a role that may create roles and databases. */
  adminUrl: string;
  sharing: Sharing;
  presence: Presence;
  log: World["log"];
}

const nothingClosed: Closed = { userIds: new Set(), deviceSnIds: new Set() };

/** The world, and the state of the demonstration. */
interface Opened {
  world: BillingWorld;
  /** The demonstration is in the database and enabled. */
  isDemo: boolean;
  /** The demonstration is in the database and disabled. */
  closed: ClosedDemonstration | undefined;
}

interface PeerNeeds extends Pick<World, "bus" | "log" | "metrics" | "node"> {
  config: Config;
  life: Lifecycle;
  clusterId: string;
}

/** Connects to the other nodes, if this server is one of a cluster. */
const openPeers = async ({ config, life, clusterId, bus, log, metrics, node }: PeerNeeds): Promise<Peers> => {
  if (!config.NATS_URL) return noPeers;
  const { joinPeers } = await import("./platform/bus/bus-bridge.ts");
  const name = `telltale process ${process.pid} on ${hostname()}`;
  const peers = await joinPeers({ addresses: config.NATS_URL, clusterId, name, log, metrics, bus, nodeId: node.id });
  life.onStop("NATS", peers.stop);
  return peers;
};

const openWorld = async ({ config, life, databaseUrl, sharing, presence, log }: Needs): Promise<Opened> => {
  await mkdir(config.DATA_DIR, { recursive: true });
  await migrate(databaseUrl);
  const clusterId = await presence.register();
  const { db, pool, close } = connect(databaseUrl, log, {
    presence,
    ...(sharing === "shared" ? { idleLimit: idleLimitOfNodes } : {}),
  });
  life.onStop("connections", close);
  await findParts(pool);
  const { node, leave } = await joinNodes({ sharing, dataDir: config.DATA_DIR, url: databaseUrl, pool, log });
  life.onStop("node", leave);
  const memory = createMemoryReclaimer();
  memory.start();
  life.onStop("memory", memory.stop);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const clock = systemClock;
  createDatabaseMetrics({ pool, metrics, clock });
  createDiskMetrics({ metrics }, config.DATA_DIR);
  const bus = createBus((fault) =>
    log.error({ err: fault }, "A listener of an internal event failed; the other listeners were called"),
  );
  const peers = await openPeers({ config, life, bus, log, metrics, clusterId, node });
  const notices = createNotices({ pool, bus, log });
  await notices.start();
  life.onStop("notices", notices.stop);
  const publicUrl = publicUrlOf(config);
  await settleExchange(config.DATA_DIR, pool);
  const files = await openFiles({ dataDir: config.DATA_DIR, pool, peers, clock, log });
  const opened = { db, pool, bus, notices, node, peers, clock, log, metrics, files };
  const base = { ...opened, publicUrl, passwords: passwordPolicyOf(config) };
  if (config.TELLTALE_DEMO && (await createDemonstration(base))) log.info("The demonstration plant was created");
  const isDemo = config.TELLTALE_DEMO && (await isDemonstration(db));
  const closed = config.TELLTALE_DEMO ? undefined : await closedDemonstration(db);
  const payments = await openPayments(base, {
    paypal: paypalAccountOf(config),
    isSandbox: isDemo || config.PAYMENTS === "sandbox",
  });
  return { world: { ...base, payments, closed: closed ?? nothingClosed }, isDemo, closed };
};

const smsGivenAway =
  "SMS credit is sold by the sandbox checkout, which takes no money, and you pay for each SMS: set PAYPAL_CLIENT_ID and PAYPAL_SECRET";
const nothingSold =
  "Payments are not set up: services and SMS credit can't be bought. Set PAYPAL_CLIENT_ID and PAYPAL_SECRET, or PAYMENTS=sandbox to give them away";

const startDelivery = (config: Config, world: BillingWorld, life: Lifecycle): void => {
  const senders = openSenders({ ...config, mailFrom: mailSender(config) });
  if (senders.sms && world.payments.kind === "sandbox") world.log.warn(smsGivenAway);
  const onUnwanted = (recipient: string) => refusePhone(world, recipient);
  const own = { privateWebhooks: config.WEBHOOK_PRIVATE, pushServices: config.PUSH_SERVICES };
  const charging = createSmsCharging(world);
  const delivery = createDelivery({ ...world, ...senders, charging, onUnwanted, ...own });
  delivery.start();
  life.onStop("delivery", delivery.stop);
};

const tlsOf = async ({ TLS_CERT, TLS_KEY, MQTT_TLS_PORT }: Config) => {
  if (!TLS_CERT || !TLS_KEY) return undefined;
  const read = (name: string, path: string) =>
    readFile(path, "utf8").catch(() => {
      throw new BadConfig(`${name} names a file that can't be read: ${path}`);
    });
  return { cert: await read("TLS_CERT", TLS_CERT), key: await read("TLS_KEY", TLS_KEY), port: MQTT_TLS_PORT };
};

const startTelemetry = async (world: BillingWorld, life: Lifecycle): Promise<Telemetry> => {
  const telemetry = createTelemetry(world);
  await telemetry.start();
  life.onStop("telemetry", telemetry.stop);
  return telemetry;
};

const openGateway = async (config: Config, world: BillingWorld, telemetry: Telemetry): Promise<Gateway> => {
  const tls = await tlsOf(config);
  return createGateway(
    { ...world, telemetry },
    {
      host: config.MQTT_HOST,
      mqttPort: config.MQTT_PORT,
      ...(tls ? { tls } : {}),
      ...(config.TRUST_PROXY ? { proxies: config.TRUST_PROXY } : {}),
    },
  );
};

const openSql = async ({ config, life, databaseUrl, adminUrl }: Needs, world: World): Promise<void> => {
  const { SQL_PORT: port, SQL_HOST: host } = config;
  if (port === undefined) return;
  const tls = await tlsOf(config);
  await openSqlAccess(world, { databaseUrl, adminUrl }, { host, port, ...(tls ? { tls } : {}) }, life);
};

const checksOf = (
  { DATA_DIR }: Config,
  world: BillingWorld,
  { gateway, telemetry: { writer } }: Pick<Parts, "gateway" | "telemetry">,
): { checks: Checks; ownChecks: Checks } => {
  const broker = async () => {
    if (!gateway.isListening()) throw new Error("MQTT does not listen");
    return undefined;
  };
  const disk = () => checkDisk(DATA_DIR);
  return {
    checks: { broker, readings: writer.check, disk: async () => (await disk()) ?? diskWarning(world, DATA_DIR) },
    ownChecks: { broker, disk },
  };
};

interface Parts {
  gateway: Gateway;
  telemetry: Telemetry;
  isDemo: boolean;
  drain: Drain | undefined;
}

const openProvider = (config: Config, world: BillingWorld): Provider | undefined => {
  const settings = providerSettingsOf(config);
  const provider = settings && createProvider(world, settings, `${world.publicUrl}/sso`);
  // Not awaited: a provider that is slow or down must not keep a server of alarms from starting.
  void provider?.tryIt();
  return provider;
};

const openApp = async (
  { config, life, buildApp }: Needs,
  world: BillingWorld,
  { gateway, telemetry, isDemo, drain }: Parts,
) => {
  const provider = openProvider(config, world);
  const app = await buildApp(world, {
    trustProxy: config.TRUST_PROXY ?? false,
    isTls: config.PUBLIC_URL?.startsWith("https:") ?? false,
    consoleFolder: join(root, "console/dist"),
    ...checksOf(config, world, { gateway, telemetry }),
    ...(drain ? { drain } : {}),
    deviceApi: gateway.http,
    callDevice: gateway.callDevice,
    telemetry,
    live: { publicUrl: config.PUBLIC_URL },
    hasOpenOutbox: isDemo && !config.MAIL_URL,
    support: operatorContactsOf(config),
    privateWebhooks: config.WEBHOOK_PRIVATE,
    ...(provider ? { provider } : {}),
    ...(config.PUSH_SERVICES ? { pushServices: config.PUSH_SERVICES } : {}),
    ...(config.READINGS_KEPT ? { monthsKept: config.READINGS_KEPT } : {}),
    ...(config.MOBILE_SITE_URL ? { mobileSiteUrl: config.MOBILE_SITE_URL } : {}),
    ...(config.METRICS_TOKEN ? { metricsToken: config.METRICS_TOKEN } : {}),
  });
  life.onStop("app", () => app.close());
  return app;
};

const portOf = (address: ReturnType<import("node:net").Server["address"]>, wanted: number): number =>
  typeof address === "object" && address !== null ? address.port : wanted;

const started = <T extends { start(): void }>(part: T): T => {
  part.start();
  return part;
};

const listen = async (needs: Needs, { world, isDemo, closed }: Opened): Promise<string> => {
  const { config, life } = needs;
  const telemetry = await startTelemetry(world, life);
  const gateway = await openGateway(config, world, telemetry);
  const drain = world.node.isOfCluster ? createDrain(life) : undefined;
  drain?.add(gateway.devices);
  const app = await openApp(needs, world, { gateway, telemetry, isDemo, drain });
  await gateway.start();
  life.onStop("gateway", gateway.stop);
  const controlJointly = () => started(createJointControl({ ...world, callDevice: gateway.callDevice }));
  life.onStop("joint control", world.node.lead("joint control", controlJointly));
  await app.listen({ port: config.PORT, host: config.HOST });
  await openSql(needs, world);
  startDelivery(config, world, life);
  startJobs(config, world, life);
  const bridges = started(createBridges({ ...world, isPrivateAllowed: config.WEBHOOK_PRIVATE }));
  life.onStop("bridges", bridges.stop);
  const simulate = () =>
    started(createSimulatedFleet({ ...world, telemetry }, () => `mqtt://127.0.0.1:${gateway.mqttPort()}`));
  if (isDemo) life.onStop("simulated fleet", world.node.lead("simulated fleet", simulate));
  return greeting(config, {
    httpPort: portOf(app.server.address(), config.PORT),
    mqttPort: gateway.mqttPort(),
    isDemonstration: isDemo,
    closed,
    testToken: isDemo ? await tokenOf(world.db, ids.testBench) : undefined,
    ownerSecret: await createOwnerLink(world),
  });
};

/** Starts all parts in order of their dependencies; `life` stops them. Returns the greeting to print. */
export const start = async (needs: Needs): Promise<string> => {
  const opened = await openWorld(needs);
  const { world } = opened;
  const warning = await ownOpenFilesWarning();
  if (warning) world.log.warn(warning);
  if (world.payments.kind === "none") world.log.info(nothingSold);
  return listen(needs, opened);
};
