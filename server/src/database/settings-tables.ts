import type { ColumnType, Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** What channels are set to, and how far the devices know. Part of `Schema`. */
export interface SettingsTables {
  settings_periods: {
    period_id: Generated<number>;
    channel_id: number;
    start_time: Moment;
    end_time: NullableMoment;
    settings: ColumnType<unknown, string, string>;
    version: Generated<number>;
  };
  device_settings: {
    device_id: number;
    version: Generated<number>;
    saved_time: NullableMoment;
    saved_by: number | null;
    confirmed_version: number | null;
    confirmed_time: NullableMoment;
  };
}
