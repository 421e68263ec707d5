import { constants } from "node:zlib";
import compress from "@fastify/compress";
import { alarms } from "@telltale/contract/domains/alarms";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { orders, paypal, sandbox, sms } from "@telltale/contract/domains/billing";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboards";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { downloads } from "@telltale/contract/domains/downloads";
import { firmware } from "@telltale/contract/domains/firmware";
import { history } from "@telltale/contract/domains/history";
import { joint } from "@telltale/contract/domains/joint";
import { modbus } from "@telltale/contract/domains/modbus";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { profile } from "@telltale/contract/domains/people/profile";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { secondFactor, signIns } from "@telltale/contract/domains/people/sign-ins";
import { users } from "@telltale/contract/domains/people/users";
import { site, support } from "@telltale/contract/domains/support";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { alarmRoutes, alertRoutes } from "./alarms/index.ts";
import { type LiveOptions, serveLive } from "./live/index.ts";
import {
  accountRoutes,
  callerFinder,
  createMailLimits,
  passwordRoutes,
  registrationRoutes,
  secondFactorRoutes,
  signInRoutes,
} from "./modules/accounts/index.ts";
import { auditRoutes } from "./modules/audit/index.ts";
import {
  type BillingWorld,
  orderRoutes,
  paypalRoutes,
  sandboxRoutes,
  servePaymentWebhook,
  smsRoutes,
} from "./modules/billing/index.ts";
import { channelRoutes, channelSettingRoutes, modbusRoutes } from "./modules/channels/index.ts";
import { contactRoutes } from "./modules/contacts/index.ts";
import { dashboardRoutes } from "./modules/dashboards/index.ts";
import { deviceConfigurationRoutes, deviceRoutes } from "./modules/devices/index.ts";
import { downloadRoutes } from "./modules/downloads/index.ts";
import { firmwareRoutes } from "./modules/firmware/index.ts";
import { historyRoutes } from "./modules/history/index.ts";
import { jointRoutes } from "./modules/joint/index.ts";
import { keyboardRoutes, personalRoutes } from "./modules/personal/index.ts";
import { profileRoutes } from "./modules/profile/index.ts";
import { siteRoutes } from "./modules/site/index.ts";
import { type OperatorContacts, supportRoutes } from "./modules/support/index.ts";
import { userRoutes } from "./modules/users/index.ts";
import { type CallDevice, callNobody } from "./platform/device-calls.ts";
import { serveApiDocs } from "./platform/http/api-docs.ts";
import { serveConsole } from "./platform/http/console-files.ts";
import { createGate, type Gate } from "./platform/http/gate.ts";
import { type Checks, checkWriting, serveHealth } from "./platform/http/health.ts";
import { mount } from "./platform/http/mount.ts";
import { readYourWrites } from "./platform/http/read-your-writes.ts";
import { secure } from "./platform/http/security.ts";
import { createHttp } from "./platform/http/server.ts";
import { serveMetrics, timeRequests } from "./platform/metrics/metrics-route.ts";

/** What the HTTP side of the server is told besides the world. */
export interface AppOptions {
  /** Proxies in front whose forwarded address is believed. */
  trustProxy?: boolean | string;
  /** Browsers reach the server by https. */
  isTls?: boolean;
  /** The built console. */
  consoleFolder?: string;
  metricsToken?: string;
  /** What must work besides the database before the server is ready. */
  checks?: Checks;
  /** The device API over HTTP. */
  deviceApi?: FastifyPluginAsync;
  /** Commands down to devices; absent where no gateway runs. */
  callDevice?: CallDevice;
  live?: LiveOptions;
  version?: string;
  /** Anybody may look into the outbox, which is what a demonstration without mail is for. */
  hasOpenOutbox?: boolean;
  /** Whom users may ask, and where the apps are. */
  support?: OperatorContacts;
  /** Where phones are sent to instead. */
  mobileSiteUrl?: string;
}

/** `buildApp` of app.ts. */
export type BuildApp = (world: BillingWorld, options: AppOptions) => Promise<FastifyInstance>;

const mountIdentity = (app: FastifyInstance, gate: Gate, world: BillingWorld): void => {
  const limited = createMailLimits(world.clock);
  mount(app, gate, accounts, accountRoutes(world));
  mount(app, gate, registration, registrationRoutes(world, limited));
  mount(app, gate, passwords, passwordRoutes(world, limited));
  mount(app, gate, profile, profileRoutes(world));
  mount(app, gate, signIns, signInRoutes(world));
  mount(app, gate, secondFactor, secondFactorRoutes(world));
  mount(app, gate, personal, personalRoutes(world));
  mount(app, gate, keyboard, keyboardRoutes(world));
};

const mountCalls = (app: FastifyInstance, gate: Gate, world: BillingWorld, options: AppOptions): void => {
  mount(app, gate, alarms, alarmRoutes(world));
  mount(app, gate, alerts, alertRoutes(world));
  mount(app, gate, audit, auditRoutes(world));
  mount(app, gate, channels, channelRoutes(world));
  mount(app, gate, channelSettings, channelSettingRoutes(world));
  mount(app, gate, contacts, contactRoutes(world));
  mount(app, gate, dashboards, dashboardRoutes(world));
  mount(app, gate, devices, deviceRoutes(world));
  mount(app, gate, deviceConfiguration, deviceConfigurationRoutes(world, options.callDevice ?? callNobody));
  mount(app, gate, downloads, downloadRoutes(world));
  mount(app, gate, firmware, firmwareRoutes(world, options.callDevice ?? callNobody));
  mount(app, gate, history, historyRoutes(world));
  mount(app, gate, joint, jointRoutes(world));
  mount(app, gate, modbus, modbusRoutes(world));
  mount(app, gate, orders, orderRoutes(world));
  mount(app, gate, paypal, paypalRoutes(world));
  mount(app, gate, sandbox, sandboxRoutes(world));
  mount(app, gate, sms, smsRoutes(world));
  mount(app, gate, support, supportRoutes(world, options.support ?? {}));
  mount(app, gate, users, userRoutes(world));
  mount(
    app,
    gate,
    site,
    siteRoutes(world, {
      hasOutbox: options.hasOpenOutbox ?? false,
      hasPayments: world.payments.kind !== "none",
    }),
  );
};

const compressAnswers = (app: FastifyInstance) =>
  app.register(compress, {
    threshold: 1024,
    // A few bytes from a stranger unpack to gigabytes, and nothing of ours sends a packed body.
    globalDecompression: false,
    // The default, 11, is meant for files packed once and takes a hundred times as long.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });

/** The HTTP side of the server, ready to listen or to be injected into. */
export const buildApp = async (world: BillingWorld, options: AppOptions = {}): Promise<FastifyInstance> => {
  const app = createHttp(world.log, options.trustProxy);
  timeRequests(app, world.metrics);
  await secure(app, options.isTls ?? false);
  await compressAnswers(app);
  const findCaller = callerFinder(world);
  const gate = createGate(findCaller);
  await serveLive(app, world, findCaller, options.live);
  const calls: FastifyPluginAsync = async (scope) => {
    readYourWrites(scope, world.notices);
    mountIdentity(scope, gate, world);
    mountCalls(scope, gate, world, options);
  };
  await app.register(calls);
  if (options.deviceApi) await app.register(options.deviceApi);
  await servePaymentWebhook(app, world);
  serveHealth(app, { database: () => checkWriting(world.pool), ...options.checks });
  serveMetrics(app, world.metrics, options.metricsToken);
  serveApiDocs(app, options.version ?? "0");
  await serveConsole(app, options.consoleFolder, options.mobileSiteUrl);
  return app;
};
