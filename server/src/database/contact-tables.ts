import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Whom a plant's alerts are told besides its users. Part of `Schema`. */
export interface ContactTables {
  contacts: {
    contact_id: Generated<number>;
    plant_id: number;
    type: number;
    first_name: string;
    last_name: string;
    contact_info: string;
    status: Generated<number>;
    stop_key: string;
    created_by: number | null;
    created_time: Moment;
    answered_time: NullableMoment;
  };
  alarm_recipients: { alarm_id: number; contact_id: number };
  contact_codes: { contact_id: number; code_hash: Buffer; tries: Generated<number>; expires_time: Moment };
  contact_requests: {
    request_id: Generated<number>;
    plant_id: number;
    type: number;
    contact_info: string;
    created_time: Moment;
    refused_time: NullableMoment;
  };
}
