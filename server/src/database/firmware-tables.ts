import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Images, and the devices that were given them. Part of `Schema`. */
export interface FirmwareTables {
  firmware_images: {
    image_id: Generated<number>;
    device_sn: string;
    version: string;
    version_order: number[];
    version_type: number;
    file: string;
    size: number;
    sha256: string;
    added_by: string;
    created_time: Moment;
    withdrawn_time: NullableMoment;
  };
  firmware_updates: {
    update_id: Generated<number>;
    plant_id: number;
    device_id: number;
    image_id: number;
    from_version: string | null;
    step: Generated<number>;
    chunk_size: number | null;
    chunks_sent: Generated<number>;
    asked_by: number | null;
    created_time: Moment;
    heard_time: Moment;
    ended_time: NullableMoment;
    failure: string | null;
  };
}
