import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Registry } from "prom-client";
import type { Bus, NoticesHeard } from "./platform/bus/bus.ts";
import type { Clock } from "./platform/clock.ts";
import type { Database } from "./platform/database/schema/schema.ts";
import type { Files } from "./platform/files/files.ts";

/** What the server treats as if it were not there, by user and device ID. */
export interface Closed {
  userIds: ReadonlySet<number>;
  deviceSnIds: ReadonlySet<string>;
}

/** Everything that reaches outside a module, built once and handed down. A module names what it needs with `Pick`. */
export interface World {
  db: Database;
  /** The same database for hand-written statements: the telemetry writer and the packing job. */
  pool: Pool;
  bus: Bus;
  notices: NoticesHeard;
  clock: Clock;
  log: Logger;
  files: Files;
  /** The demonstration of a server that is started without it. */
  closed: Closed;
  /** Where browsers find the console, without a slash at the end: for links in mail. */
  publicUrl: string;
  /** What `/metrics` tells; a module adds its own gauges and counters. */
  metrics: Registry;
}
