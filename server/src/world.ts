import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Bus, NoticeSync } from "./platform/bus/bus.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/schema/schema.ts";
import type { Files } from "./platform/files/files.ts";
import type { ServerNode } from "./platform/node/node.ts";
import type { Peers } from "./platform/node/peers.ts";

/** Users and devices that are treated as if they did not exist. */
export interface Closed {
  userIds: ReadonlySet<number>;
  deviceSnIds: ReadonlySet<string>;
}

/** Who signs in with a password. */
export interface PasswordPolicy {
  isOff: boolean;
  /** E-mail of the owner who still may, for when the provider of single sign-on fails. */
  keptFor?: string | undefined;
  /** What users sign in with instead. */
  instead: string;
}

/** All external dependencies, created once and passed down. A module names what it needs with `Pick`. */
export interface World {
  db: Database;
  /** The same database for hand-written statements: the telemetry writer and the packing job. */
  pool: Pool;
  bus: Bus;
  notices: NoticeSync;
  node: ServerNode;
  peers: Peers;
  clock: Clock;
  log: Logger;
  files: Files;
  /** The demonstration in the database of a server that runs without it. */
  closed: Closed;
  passwords: PasswordPolicy;
  /** Public address of the console without a trailing slash, for links in mail. */
  publicUrl: string;
  /** Registry behind `/metrics`; modules add their own gauges and counters. */
  metrics: Registry;
}
