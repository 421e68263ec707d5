import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { CallDevice } from "./device-calls.ts";
import type { Checks } from "./http/health.ts";
import type { LiveOptions } from "./live/socket.ts";
import type { OperatorContacts } from "./support/items.ts";
import type { World } from "./world.ts";

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
export type BuildApp = (world: World, options: AppOptions) => Promise<FastifyInstance>;
