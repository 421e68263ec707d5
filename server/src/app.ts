import { constants } from "node:zlib";
import compress from "@fastify/compress";
import { alarms } from "@telltale/contract/domains/alarms";
import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { plans, rosters } from "@telltale/contract/domains/alerting/escalation";
import { alertLinks } from "@telltale/contract/domains/alerting/links";
import { alertReports } from "@telltale/contract/domains/alerting/report";
import { silences } from "@telltale/contract/domains/alerting/silences";
import { silentNow } from "@telltale/contract/domains/alerting/silent-now";
import { alarmTrial } from "@telltale/contract/domains/alerting/trial";
import { webhooks } from "@telltale/contract/domains/alerting/webhooks";
import { alerts } from "@telltale/contract/domains/alerts";
import { audit } from "@telltale/contract/domains/audit";
import { orders, paypal, sandbox, sms } from "@telltale/contract/domains/billing";
import { channelSettings } from "@telltale/contract/domains/channel-settings";
import { channels } from "@telltale/contract/domains/channels";
import { dashboards } from "@telltale/contract/domains/dashboard/dashboards";
import { tileOffers } from "@telltale/contract/domains/dashboard/tile-offers";
import { deviceConfiguration } from "@telltale/contract/domains/device-configuration";
import { devices } from "@telltale/contract/domains/devices";
import { firmware } from "@telltale/contract/domains/firmware";
import { labels } from "@telltale/contract/domains/fleet/labels";
import { provisioning } from "@telltale/contract/domains/fleet/provisioning";
import { joint } from "@telltale/contract/domains/joint";
import { modbus } from "@telltale/contract/domains/modbus";
import { accounts } from "@telltale/contract/domains/people/accounts";
import { apiKeys } from "@telltale/contract/domains/people/api-keys";
import { contacts } from "@telltale/contract/domains/people/contacts";
import { keyboard, personal } from "@telltale/contract/domains/people/personal";
import { profile } from "@telltale/contract/domains/people/profile";
import { push } from "@telltale/contract/domains/people/push";
import { passwords, registration } from "@telltale/contract/domains/people/registration";
import { secondFactor, signIns } from "@telltale/contract/domains/people/sign-ins";
import { singleSignOn } from "@telltale/contract/domains/people/single-sign-on";
import { site } from "@telltale/contract/domains/people/site";
import { users } from "@telltale/contract/domains/people/users";
import { bridges } from "@telltale/contract/domains/readings/bridges";
import { downloads } from "@telltale/contract/domains/readings/downloads";
import { history } from "@telltale/contract/domains/readings/history";
import { imports } from "@telltale/contract/domains/readings/imports";
import { rewind } from "@telltale/contract/domains/readings/rewind";
import { storage } from "@telltale/contract/domains/readings/storage";
import { trends } from "@telltale/contract/domains/readings/trends";
import { outbox, support } from "@telltale/contract/domains/support";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { statusesOf } from "./access/index.ts";
import {
  alarmRoutes,
  alertEntryRoutes,
  alertReportRoutes,
  alertRoutes,
  changedAlerts,
  planRoutes,
  rosterRoutes,
  silenceRoutes,
  silentNowRoutes,
} from "./alarms/index.ts";
import { type ChangedOf, type LiveOptions, serveLive } from "./live/index.ts";
import {
  accountRoutes,
  callerFinder,
  createMailLimits,
  type Provider,
  passwordRoutes,
  registrationRoutes,
  secondFactorRoutes,
  signInRoutes,
  singleSignOnRoutes,
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
import { bridgeRoutes } from "./modules/bridges/index.ts";
import { channelRoutes, channelSettingRoutes, modbusRoutes } from "./modules/channels/index.ts";
import { contactRoutes } from "./modules/contacts/index.ts";
import { dashboardRoutes, tileOfferRoutes } from "./modules/dashboards/index.ts";
import { deviceConfigurationRoutes, deviceRoutes } from "./modules/devices/index.ts";
import { downloadRoutes } from "./modules/downloads/index.ts";
import { firmwareRoutes } from "./modules/firmware/index.ts";
import { historyRoutes, trendRoutes } from "./modules/history/index.ts";
import { importRoutes } from "./modules/imports/index.ts";
import { jointRoutes } from "./modules/joint/index.ts";
import { apiKeyRoutes, keyFinder } from "./modules/keys/index.ts";
import { labelRoutes } from "./modules/labels/index.ts";
import { alertLinkRoutes } from "./modules/links/index.ts";
import { keyboardRoutes, personalRoutes } from "./modules/personal/index.ts";
import { profileRoutes } from "./modules/profile/index.ts";
import { provisioningRoutes } from "./modules/provisioning/index.ts";
import { pushRoutes } from "./modules/push/index.ts";
import { rewindRoutes } from "./modules/rewind/index.ts";
import { outboxRoutes } from "./modules/site/index.ts";
import { storageRoutes } from "./modules/storage/index.ts";
import { type OperatorContacts, supportRoutes } from "./modules/support/index.ts";
import { alarmTrialRoutes } from "./modules/trial/index.ts";
import { userRoutes } from "./modules/users/index.ts";
import { webhookRoutes } from "./modules/webhooks/index.ts";
import { type CallDevice, callWithoutGateway } from "./platform/device-calls.ts";
import type { Drain } from "./platform/drain.ts";
import { serveApiDocs } from "./platform/http/api-docs.ts";
import { serveConsole } from "./platform/http/console-files.ts";
import { createGate, type FindCaller, type Gate, isApiKey } from "./platform/http/gate.ts";
import { type Checks, checkWriting, serveHealth } from "./platform/http/health.ts";
import { mount } from "./platform/http/mount.ts";
import { readYourWrites } from "./platform/http/read-your-writes.ts";
import { secure } from "./platform/http/security.ts";
import { createHttp } from "./platform/http/server.ts";
import { serveMetrics, timeRequests } from "./platform/metrics/metrics-route.ts";
import { markUnreadable } from "./readings/index.ts";
import type { Telemetry } from "./telemetry/index.ts";

/** Options of the HTTP server beyond the world. */
export interface AppOptions {
  /** Proxies whose X-Forwarded-For header is trusted. */
  trustProxy?: boolean | string;
  /** Whether browsers reach the server by https. */
  isTls?: boolean;
  /** Folder of the built console. */
  consoleFolder?: string;
  metricsToken?: string;
  /** Readiness checks besides the database. */
  checks?: Checks;
  /** Those of them that need no database: whether this node, apart from what it shares with others, can take clients. */
  ownChecks?: Checks;
  /** How clients are handed over to other nodes; absent for a server that is alone. */
  drain?: Drain;
  /** The device API over HTTP. */
  deviceApi?: FastifyPluginAsync;
  /** Sends commands to devices; absent when no gateway runs. */
  callDevice?: CallDevice;
  /** What devices send, which is stored before imported readings, and what packs both; absent when no telemetry runs. */
  telemetry?: Pick<Telemetry, "writer" | "merger" | "packing">;
  live?: LiveOptions;
  version?: string;
  /** Whether the outbox is public: for a demonstration without mail. */
  hasOpenOutbox?: boolean;
  /** Support contacts and links to the apps. */
  support?: OperatorContacts;
  /** The provider of single sign-on; absent when there is none. */
  provider?: Provider;
  /** For how many months readings are kept; for ever by default. */
  monthsKept?: number;
  /** Whether webhooks and bridges may have addresses of private networks. */
  privateWebhooks?: boolean;
  /** Addresses of push services besides the browsers' own. */
  pushServices?: readonly string[];
  /** Site to which phones are redirected. */
  mobileSiteUrl?: string;
}

/** The type of `buildApp`. */
export type BuildApp = (world: BillingWorld, options: AppOptions) => Promise<FastifyInstance>;

const mountIdentity = (app: FastifyInstance, gate: Gate, world: BillingWorld, options: AppOptions): void => {
  const limited = createMailLimits(world);
  mount(app, gate, accounts, accountRoutes(world));
  mount(app, gate, registration, registrationRoutes(world, limited));
  mount(app, gate, passwords, passwordRoutes(world, limited));
  mount(app, gate, profile, profileRoutes(world));
  mount(app, gate, signIns, signInRoutes(world));
  const { provider, support: contacts } = options;
  mount(app, gate, singleSignOn, singleSignOnRoutes(world, { provider, supportEmail: contacts?.email }));
  mount(app, gate, secondFactor, secondFactorRoutes(world));
  mount(app, gate, personal, personalRoutes(world));
  mount(app, gate, keyboard, keyboardRoutes(world));
  mount(app, gate, apiKeys, apiKeyRoutes(world));
  mount(app, gate, push, pushRoutes(world, options.pushServices ?? []));
};

const mountCalls = (app: FastifyInstance, gate: Gate, world: BillingWorld, options: AppOptions): void => {
  mount(app, gate, alarms, alarmRoutes(world));
  mount(app, gate, alarmTrial, alarmTrialRoutes(world));
  mount(app, gate, alerts, alertRoutes(world));
  mount(app, gate, silences, silenceRoutes(world));
  mount(app, gate, plans, planRoutes(world));
  mount(app, gate, silentNow, silentNowRoutes(world));
  mount(app, gate, rosters, rosterRoutes(world));
  mount(app, gate, alertReports, alertReportRoutes(world));
  mount(app, gate, alertEntries, alertEntryRoutes(world));
  mount(app, gate, alertLinks, alertLinkRoutes(world));
  mount(app, gate, audit, auditRoutes(world));
  mount(app, gate, bridges, bridgeRoutes(world, options.privateWebhooks ?? false));
  mount(app, gate, channels, channelRoutes(world));
  mount(app, gate, channelSettings, channelSettingRoutes(world));
  mount(app, gate, contacts, contactRoutes(world));
  mount(app, gate, dashboards, dashboardRoutes(world));
  mount(app, gate, tileOffers, tileOfferRoutes(world));
  mount(app, gate, devices, deviceRoutes(world));
  mount(app, gate, deviceConfiguration, deviceConfigurationRoutes(world, options.callDevice ?? callWithoutGateway));
  mount(app, gate, downloads, downloadRoutes(world));
  mount(app, gate, firmware, firmwareRoutes(world, options.callDevice ?? callWithoutGateway));
  mount(app, gate, history, historyRoutes(world));
  mount(app, gate, trends, trendRoutes(world));
  mount(app, gate, rewind, rewindRoutes(world));
  mount(app, gate, imports, importRoutes(world, options.telemetry));
  mount(app, gate, joint, jointRoutes(world));
  mount(app, gate, labels, labelRoutes(world));
  mount(app, gate, provisioning, provisioningRoutes(world));
  mount(app, gate, modbus, modbusRoutes(world));
  mount(app, gate, orders, orderRoutes(world));
  mount(app, gate, paypal, paypalRoutes(world));
  mount(app, gate, sandbox, sandboxRoutes(world));
  mount(app, gate, sms, smsRoutes(world));
  mount(app, gate, storage, storageRoutes(world, options.monthsKept ?? null));
  mount(app, gate, support, supportRoutes(world, options.support ?? {}));
  mount(app, gate, users, userRoutes(world));
  mount(app, gate, webhooks, webhookRoutes(world, options.privateWebhooks ?? false));
  const facts = {
    hasOutbox: options.hasOpenOutbox ?? false,
    hasPayments: world.payments.kind !== "none",
    singleSignOn: options.provider?.settings.name ?? null,
    hasPasswords: !world.passwords.isOff,
  };
  mount(app, gate, site, { info: async () => facts });
  mount(app, gate, outbox, outboxRoutes(world, facts));
};

const compressAnswers = (app: FastifyInstance) =>
  app.register(compress, {
    threshold: 1024,
    // In one call, which takes some milliseconds at most. A stream takes several turns of the event loop, which are long under full load.
    syncThreshold: 1024 * 1024,
    // Off: a small compressed body could unpack to gigabytes, and no client of ours compresses bodies.
    globalDecompression: false,
    // The next levels take longer and make JSON and readings no smaller; the default, 11, is meant for files that are compressed once.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } },
  });

/** Builds the HTTP server, ready to listen or for injected requests. */
export const buildApp = async (world: BillingWorld, options: AppOptions = {}): Promise<FastifyInstance> => {
  const app = createHttp(world.log, options.trustProxy);
  timeRequests(app, world.metrics);
  await secure(app, options.isTls ?? false);
  await compressAnswers(app);
  const [findSession, findByKey] = [callerFinder(world), keyFinder(world)];
  const findCaller: FindCaller = (token, address) => (isApiKey(token) ? findByKey : findSession)(token, address);
  const gate = createGate(findCaller, (fault) => markUnreadable(world, fault));
  const changedOf: ChangedOf = async (plantId, asked) => {
    const [alerts, statuses] = await Promise.all([
      changedAlerts(world, plantId, asked),
      statusesOf(world.db, plantId, asked.deviceIds, world.clock.date()),
    ]);
    return { ...alerts, statuses };
  };
  const sockets = await serveLive(app, world, { findCaller, changedOf }, options.live);
  options.drain?.add(sockets);
  const calls: FastifyPluginAsync = async (scope) => {
    readYourWrites(scope, world.notices);
    mountIdentity(scope, gate, world, options);
    mountCalls(scope, gate, world, options);
  };
  await app.register(calls);
  if (options.deviceApi) await app.register(options.deviceApi);
  await servePaymentWebhook(app, world);
  serveHealth(app, {
    checks: { database: () => checkWriting(world.pool), ...options.checks },
    ownChecks: options.ownChecks ?? {},
    isDraining: () => options.drain?.isUnderWay() ?? false,
  });
  serveMetrics(app, world.metrics, options.metricsToken);
  serveApiDocs(app, options.version ?? "0", options.consoleFolder);
  await serveConsole(app, options.consoleFolder, options.mobileSiteUrl);
  return app;
};
