import type { BridgeFormat } from "@telltale/contract/domains/readings/bridges";
import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of bridges, which publish values and alerts to other MQTT brokers. Part of `Schema`. */
export interface BridgeTables {
  bridges: {
    bridge_id: Generated<number>;
    plant_id: number;
    bridge_name: string;
    url: string;
    user_name: string;
    password: string;
    client_id: string;
    /** Certificates in PEM; empty for the well-known authorities. */
    ca: string;
    format: BridgeFormat;
    prefix: string;
    /** Otherwise those of `bridge_devices`. */
    all_devices: boolean;
    sends_values: boolean;
    sends_alerts: boolean;
    is_enabled: boolean;
    connected_since: NullableMoment;
    failing_since: NullableMoment;
    fault: Generated<string>;
    published_count: Generated<number>;
    published_time: NullableMoment;
    refused_count: Generated<number>;
    lost_count: Generated<number>;
    lost_time: NullableMoment;
    /** Sparkplug's bdSeq of the next connection. */
    births: Generated<number>;
    created_by: number | null;
    created_time: Moment;
    version: Generated<number>;
  };
  bridge_devices: { bridge_id: number; device_id: number };
  bridge_queue: {
    bridge_id: number;
    entry_id: Generated<number>;
    queued_ts: number;
    count: number;
    readings: Buffer | null;
    alert: unknown;
  };
}
