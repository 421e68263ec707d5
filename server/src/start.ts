import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { collectDefaultMetrics, Registry } from "prom-client";
import { createOwnerLink } from "./accounts/first-owner.ts";
import type { BuildApp } from "./app-options.ts";
import { systemClock } from "./clock.ts";
import {
  BadConfig,
  type Config,
  mailSender,
  operatorContactsOf,
  paypalAccountOf,
  publicUrlOf,
  unusedVariables,
} from "./config.ts";
import { refusePhone } from "./contacts/answer.ts";
import { connect } from "./database/connect.ts";
import { migrate } from "./database/migrate.ts";
import { createDemonstration } from "./demonstration/create.ts";
import { isDemonstration, tokenOf } from "./demonstration/fleet.ts";
import { ids } from "./demonstration/measured.ts";
import { createSimulatedFleet } from "./demonstration/simulated-fleet.ts";
import { checkDisk } from "./disk.ts";
import { createFiles } from "./files.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import { greeting } from "./greeting.ts";
import type { Checks } from "./http/health.ts";
import { createDeletedDevicesJob } from "./jobs/deleted-devices.ts";
import { createFirmwareJob } from "./jobs/firmware.ts";
import { createMemoryTender } from "./jobs/memory.ts";
import { createMonthlyPackagesJob } from "./jobs/monthly-packages.ts";
import { createOpenOrdersJob } from "./jobs/open-orders.ts";
import { createServiceReminders } from "./jobs/service-reminders.ts";
import { createJointControl } from "./joint/control.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { createBus } from "./live/bus.ts";
import { createNotices } from "./live/notices.ts";
import { createDatabaseMetrics } from "./metrics/database-metrics.ts";
import { createDiskMetrics } from "./metrics/disk-metrics.ts";
import { createDelivery } from "./notify/delivery.ts";
import { createMailSender } from "./notify/mail.ts";
import { createSmsSender } from "./notify/sms.ts";
import { smsAccountOf } from "./notify/sms-account.ts";
import { createSmsCharging } from "./notify/sms-charging.ts";
import { ownOpenFilesWarning } from "./open-files.ts";
import { createSandboxPayments } from "./payments/sandbox.ts";
import { createTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
import type { World } from "./world.ts";

const root = join(import.meta.dirname, "../..");

interface Needs {
  config: Config;
  life: Lifecycle;
  buildApp: BuildApp;
  databaseUrl: string;
  log: World["log"];
}

/** PayPal's SDK is large; only a server that uses it holds it in memory. */
const paypalPayments = async (...needs: Parameters<typeof import("./payments/paypal.ts").createPaypalPayments>) => {
  const { createPaypalPayments } = await import("./payments/paypal.ts");
  return createPaypalPayments(...needs);
};

const openWorld = async ({ config, life, databaseUrl, log }: Needs): Promise<World> => {
  await migrate(databaseUrl);
  const { db, pool, close } = connect(databaseUrl, log);
  life.onStop("connections", close);
  const memory = createMemoryTender();
  memory.start();
  life.onStop("memory", memory.stop);
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics });
  const clock = systemClock;
  createDatabaseMetrics({ pool, metrics, clock });
  createDiskMetrics({ metrics }, config.DATA_DIR);
  const bus = createBus((fault) => log.error({ err: fault }, "A listener failed"));
  const notices = createNotices({ pool, bus, log });
  await notices.start();
  life.onStop("notices", notices.stop);
  const publicUrl = publicUrlOf(config);
  const account = paypalAccountOf(config);
  const payments = account ? await paypalPayments({ log, publicUrl }, account) : createSandboxPayments({ db, clock });
  return { db, pool, bus, notices, clock, log, metrics, files: createFiles(config.DATA_DIR), payments, publicUrl };
};

const smsGivenAway =
  "SMS credit is sold by the sandbox checkout, which takes no money, and you pay for each SMS: set PAYPAL_CLIENT_ID and PAYPAL_SECRET";

const startDelivery = (config: Config, world: World, life: Lifecycle): void => {
  const mail = config.MAIL_URL ? createMailSender(config.MAIL_URL, mailSender(config)) : undefined;
  const account = config.SMS_URL ? smsAccountOf(config.SMS_URL) : undefined;
  if (account && !paypalAccountOf(config)) world.log.warn(smsGivenAway);
  const sms = account && createSmsSender(account);
  const onUnwanted = (recipient: string) => refusePhone(world, recipient);
  const delivery = createDelivery({ ...world, mail, sms, charging: createSmsCharging(world), onUnwanted });
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

const startTelemetry = async (world: World, life: Lifecycle): Promise<Telemetry> => {
  const telemetry = createTelemetry(world);
  await telemetry.start();
  life.onStop("telemetry", telemetry.stop);
  return telemetry;
};

const openGateway = async (config: Config, world: World, telemetry: Telemetry): Promise<Gateway> => {
  const tls = await tlsOf(config);
  return createGateway(
    { ...world, telemetry },
    { host: config.MQTT_HOST, mqttPort: config.MQTT_PORT, ...(tls ? { tls } : {}) },
  );
};

const checksOf = ({ DATA_DIR }: Config, gateway: Gateway, { writer }: Telemetry): Checks => ({
  broker: async () => {
    if (!gateway.isListening()) throw new Error("MQTT does not listen");
    return undefined;
  },
  readings: writer.check,
  disk: () => checkDisk(DATA_DIR),
});

interface Parts {
  gateway: Gateway;
  telemetry: Telemetry;
  isDemo: boolean;
}

const openApp = async ({ config, life, buildApp }: Needs, world: World, { gateway, telemetry, isDemo }: Parts) => {
  const app = await buildApp(world, {
    trustProxy: config.TRUST_PROXY ?? false,
    isTls: config.PUBLIC_URL?.startsWith("https:") ?? false,
    consoleFolder: join(root, "console/dist"),
    checks: checksOf(config, gateway, telemetry),
    deviceApi: gateway.http,
    callDevice: gateway.callDevice,
    live: { publicUrl: config.PUBLIC_URL },
    hasOpenOutbox: isDemo && !config.MAIL_URL,
    support: operatorContactsOf(config),
    ...(config.MOBILE_SITE_URL ? { mobileSiteUrl: config.MOBILE_SITE_URL } : {}),
    ...(config.METRICS_TOKEN ? { metricsToken: config.METRICS_TOKEN } : {}),
  });
  life.onStop("app", () => app.close());
  return app;
};

const portOf = (address: ReturnType<import("node:net").Server["address"]>, wanted: number): number =>
  typeof address === "object" && address !== null ? address.port : wanted;

const startJobs = (world: World, life: Lifecycle): void => {
  const jobs = {
    "monthly packages": createMonthlyPackagesJob(world),
    "deleted devices": createDeletedDevicesJob(world),
    "firmware updates": createFirmwareJob(world),
    "open orders": createOpenOrdersJob(world),
    "service reminders": createServiceReminders(world),
  };
  for (const [name, job] of Object.entries(jobs)) {
    job.start();
    life.onStop(name, job.stop);
  }
};

const listen = async (needs: Needs, world: World): Promise<string> => {
  const { config, life } = needs;
  const telemetry = await startTelemetry(world, life);
  const gateway = await openGateway(config, world, telemetry);
  const isDemo = config.TELLTALE_DEMO && (await isDemonstration(world.db));
  const app = await openApp(needs, world, { gateway, telemetry, isDemo });
  await gateway.start();
  life.onStop("gateway", gateway.stop);
  const jointControl = createJointControl({ ...world, callDevice: gateway.callDevice });
  jointControl.start();
  life.onStop("joint control", jointControl.stop);
  await app.listen({ port: config.PORT, host: config.HOST });
  startDelivery(config, world, life);
  startJobs(world, life);
  const fleet = createSimulatedFleet({ ...world, telemetry }, () => `mqtt://127.0.0.1:${gateway.mqttPort()}`);
  if (isDemo) fleet.start();
  life.onStop("simulated fleet", fleet.stop);
  return greeting(config, {
    httpPort: portOf(app.server.address(), config.PORT),
    mqttPort: gateway.mqttPort(),
    isDemonstration: isDemo,
    testToken: isDemo ? await tokenOf(world.db, ids.testBench) : undefined,
    ownerSecret: await createOwnerLink(world),
  });
};

/** Brings the server up in the order in which one part needs the other; `life` stops it. Gives what to tell whoever started it. */
export const start = async (needs: Needs): Promise<string> => {
  const { config } = needs;
  const world = await openWorld(needs);
  for (const name of unusedVariables(config)) world.log.warn(`${name} is set, and this version does not use it yet`);
  const warning = await ownOpenFilesWarning();
  if (warning) world.log.warn(warning);
  if (config.TELLTALE_DEMO && (await createDemonstration(world))) world.log.info("The demonstration plant was created");
  return listen(needs, world);
};
