import type { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import type { CommandStatus, JointEnding, OutputLevel } from "@telltale/contract/domains/joint";
import type { Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of joint control, watchlists and keyboard shortcuts. Part of `Schema`. */
export interface JointTables {
  joint_rules: {
    joint_id: Generated<number>;
    plant_id: number;
    name: string;
    source_key: string | null;
    source_channel_id: number;
    alarm_class: AlertClass;
    alarm_type: AlertType;
    alarm_id: number | null;
    output_channel_id: number;
    level: OutputLevel;
    ending: JointEnding;
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
    level: OutputLevel;
    status: CommandStatus;
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
