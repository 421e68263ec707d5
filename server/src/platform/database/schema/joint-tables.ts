import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Joint control, and what users keep for themselves. Part of `Schema`. */
export interface JointTables {
  joint_rules: {
    joint_id: Generated<number>;
    plant_id: number;
    name: string;
    source_key: string | null;
    source_channel_id: number;
    alarm_class: number;
    alarm_type: number;
    alarm_id: number | null;
    output_channel_id: number;
    level: number;
    ending: number;
    enabled: boolean;
    is_active: Generated<boolean>;
    created_by: number | null;
    created_time: Moment;
    modified_time: Moment;
    version: Generated<number>;
  };
  joint_events: { event_id: Generated<number>; joint_id: number; is_raised: boolean };
  joint_commands: {
    command_id: Generated<number>;
    plant_id: number;
    joint_id: number | null;
    output_channel_id: number;
    level: number;
    status: number;
    created_time: Moment;
    settled_time: NullableMoment;
    tries: Generated<number>;
    next_time: Moment;
    reason: Generated<string>;
  };
  watched_channels: { account_id: number; channel_id: number; position: number };
  keyboard_shortcuts: { shortcut_id: Generated<number>; user_id: number; keys: string; target: string };
  keyboard_settings: { user_id: number; is_on: boolean };
}
