import type { Model } from "@telltale/contract/domains/devices";
import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of devices that register themselves. Part of `Schema`. */
export interface FleetTables {
  provisioning_keys: {
    key_id: Generated<number>;
    plant_id: number;
    key_name: string;
    provision_key: string;
    secret_hash: Buffer;
    type_id: Model;
    device_limit: number;
    device_count: Generated<number>;
    refused_count: Generated<number>;
    last_used_time: NullableMoment;
    last_refused_time: NullableMoment;
    last_refusal: Generated<string>;
    created_by: number;
    created_time: Moment;
    expire_time: Moment;
    revoked_time: NullableMoment;
  };
  provisioned_devices: { device_id: number; key_id: number; plant_id: number; serial: string };
}
