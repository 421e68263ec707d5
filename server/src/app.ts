import { constants } from "node:zlib";
import compress from "@fastify/compress";
import { accounts } from "@telltale/contract/accounts";
import { alarms } from "@telltale/contract/alarms";
import { alerts } from "@telltale/contract/alerts";
import { audit } from "@telltale/contract/audit";
import { channelSettings } from "@telltale/contract/channel-settings";
import { channels } from "@telltale/contract/channels";
import { contacts } from "@telltale/contract/contacts";
import { dashboards } from "@telltale/contract/dashboards";
import { deviceConfiguration } from "@telltale/contract/device-configuration";
import { devices } from "@telltale/contract/devices";
import { downloads } from "@telltale/contract/downloads";
import { firmware } from "@telltale/contract/firmware";
import { history } from "@telltale/contract/history";
import { joint } from "@telltale/contract/joint";
import { keyboard } from "@telltale/contract/keyboard";
import { modbus } from "@telltale/contract/modbus";
import { orders } from "@telltale/contract/orders";
import { passwords } from "@telltale/contract/passwords";
import { paypal } from "@telltale/contract/paypal";
import { personal } from "@telltale/contract/personal";
import { profile } from "@telltale/contract/profile";
import { registration } from "@telltale/contract/registration";
import { sandbox } from "@telltale/contract/sandbox";
import { secondFactor } from "@telltale/contract/second-factor";
import { signIns } from "@telltale/contract/sign-ins";
import { site } from "@telltale/contract/site";
import { sms } from "@telltale/contract/sms";
import { support } from "@telltale/contract/support";
import { users } from "@telltale/contract/users";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import { createMailLimits } from "./accounts/mail-limits.ts";
import { passwordRoutes, registrationRoutes } from "./accounts/registration-routes.ts";
import { accountRoutes } from "./accounts/routes.ts";
import { secondFactorRoutes } from "./accounts/second-factor-routes.ts";
import { signInRoutes } from "./accounts/sign-in-routes.ts";
import { callerFinder } from "./accounts/sign-ins.ts";
import { alarmRoutes } from "./alarms/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import type { AppOptions } from "./app-options.ts";
import { auditRoutes } from "./audit/routes.ts";
import { modbusRoutes } from "./channels/modbus-routes.ts";
import { channelRoutes } from "./channels/routes.ts";
import { channelSettingRoutes } from "./channels/setting-routes.ts";
import { contactRoutes } from "./contacts/routes.ts";
import { dashboardRoutes } from "./dashboards/routes.ts";
import { checkWriting } from "./database/check-writing.ts";
import { callNobody } from "./device-calls.ts";
import { deviceConfigurationRoutes } from "./devices/configuration-routes.ts";
import { deviceRoutes } from "./devices/routes.ts";
import { downloadRoutes } from "./downloads/routes.ts";
import { firmwareRoutes } from "./firmware/routes.ts";
import { historyRoutes } from "./history/routes.ts";
import { answerWhenHeard } from "./http/answer-when-heard.ts";
import { serveApiDocs } from "./http/api-docs.ts";
import { serveConsole } from "./http/console-files.ts";
import { createGate, type Gate } from "./http/gate.ts";
import { serveHealth } from "./http/health.ts";
import { timeRequests } from "./http/http-metrics.ts";
import { serveMetrics } from "./http/metrics.ts";
import { mount } from "./http/mount.ts";
import { secure } from "./http/security.ts";
import { createHttp } from "./http/server.ts";
import { jointRoutes } from "./joint/routes.ts";
import { keyboardRoutes } from "./keyboard/routes.ts";
import { serveLive } from "./live/socket.ts";
import { paypalRoutes } from "./orders/paypal-routes.ts";
import { orderRoutes } from "./orders/routes.ts";
import { sandboxRoutes } from "./orders/sandbox-routes.ts";
import { servePaymentWebhook } from "./orders/webhook.ts";
import { personalRoutes } from "./personal/routes.ts";
import { profileRoutes } from "./profile/routes.ts";
import { siteRoutes } from "./site/routes.ts";
import { smsRoutes } from "./sms/routes.ts";
import { supportRoutes } from "./support/routes.ts";
import { userRoutes } from "./users/routes.ts";
import type { World } from "./world.ts";

const mountIdentity = (app: FastifyInstance, gate: Gate, world: World): void => {
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

const mountCalls = (app: FastifyInstance, gate: Gate, world: World, options: AppOptions): void => {
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
  mount(app, gate, site, siteRoutes(world, options.hasOpenOutbox ?? false));
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
export const buildApp = async (world: World, options: AppOptions = {}): Promise<FastifyInstance> => {
  const app = createHttp(world.log, options.trustProxy);
  timeRequests(app, world.metrics);
  await secure(app, options.isTls ?? false);
  await compressAnswers(app);
  const findCaller = callerFinder(world);
  const gate = createGate(findCaller);
  await serveLive(app, world, findCaller, options.live);
  const calls: FastifyPluginAsync = async (scope) => {
    answerWhenHeard(scope, world.notices);
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
