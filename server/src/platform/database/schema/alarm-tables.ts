import type { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import type { Shift, Step } from "@telltale/contract/domains/alerting/escalation";
import type { GateType } from "@telltale/contract/domains/alerting/gate";
import type { WindowPlan } from "@telltale/contract/domains/alerting/maintenance";
import type { SilenceKind } from "@telltale/contract/domains/alerting/silences";
import type { AlertClass, AlertPriority, AlertStatus, AlertType } from "@telltale/contract/domains/alerts";
import type { ColumnType, Generated } from "kysely";
import type { Moment, NullableMoment } from "./moment.ts";

/** Tables of alarm rules, their states, and the alerts that they raised. Part of `Schema`. */
export interface AlarmTables {
  alarms: {
    alarm_id: Generated<number>;
    plant_id: number;
    alarm_name: string;
    alarm_class: AlertClass;
    device_id: number;
    /** Null, like the three below, unless it is a custom alarm. */
    channel_id: number | null;
    type: AlertType | null;
    alarm_value: number | null;
    alarm_hysteresis: number | null;
    priority: Generated<AlertPriority>;
    /** What to do when it is raised. */
    response: Generated<string>;
    is_enabled: Generated<boolean>;
    /** Seconds. */
    on_delay: Generated<number>;
    off_delay: Generated<number>;
    times: Generated<number>;
    times_within: Generated<number>;
    condition: Generated<AlarmCondition>;
    gate_channel_id: number | null;
    gate_type: GateType | null;
    gate_value: number | null;
    start_up: Generated<number>;
    /** Null: the plant's default. */
    plan_id: number | null;
    created_by: number | null;
    created_time: Moment;
    version: Generated<number>;
  };
  alerts: {
    alert_id: Generated<number>;
    plant_id: number;
    device_id: number;
    channel_id: number | null;
    alarm_id: number | null;
    alarm_class: AlertClass;
    alarm_type: AlertType;
    status: AlertStatus;
    value: number | null;
    value_unit: Generated<string>;
    threshold: number | null;
    report_interval: number | null;
    msg: Generated<string>;
    created_time: Moment;
    accept_time: NullableMoment;
    accepted_by: number | null;
    /** Of a contact who confirmed it; null for an account. */
    accepted_name: string | null;
    cleared_time: NullableMoment;
    rule_key: string;
    /** Of the rule as it was raised; empty when no rule of a person raised it. */
    alarm_name: Generated<string>;
    priority: Generated<AlertPriority>;
    /** When the server learned of it; null of an older version. */
    received_time: NullableMoment;
    /** The most extreme value while it stood. */
    peak: number | null;
    /** The account that has it. */
    assigned_to: number | null;
    /** Raised while its rule was silenced or its device in a maintenance window. */
    was_silent: Generated<boolean>;
  };
  /** What people did with an alert besides confirming it. */
  alert_events: {
    event_id: Generated<number>;
    alert_id: number;
    kind: "note" | "assigned" | "silenced" | "resumed" | "returned";
    account_id: number | null;
    /** Of a contact; null for an account. */
    by_name: string | null;
    /** Whom it was assigned to; null for nobody. */
    subject_id: number | null;
    note: Generated<string>;
    created_time: Moment;
  };
  /** What is kept of a rule's state besides its open alert. */
  alarm_phases: {
    rule_key: string;
    channel_id: number;
    alarm_id: number | null;
    holds: boolean;
    since_ts: number;
    is_counted: boolean;
    counted: number[];
    due_ts: number | null;
    memory: unknown;
    gate: unknown;
  };
  /** Rules and devices whose alerts nobody is notified of for a time. */
  silences: {
    silence_id: Generated<number>;
    plant_id: number;
    kind: SilenceKind;
    /** Null of a maintenance window, like device and priority. */
    rule_key: string | null;
    device_id: number | null;
    alarm_name: string;
    priority: AlertPriority | null;
    reason: string;
    created_by: number | null;
    created_time: Moment;
    end_time: Moment;
    /** Null while it holds. */
    ended_time: NullableMoment;
    ended_by: number | null;
    version: Generated<number>;
    /** Of a maintenance window, with the end: the occurrence of now, or the next. */
    start_time: NullableMoment;
    plan: WindowPlan | null;
  };
  plans: {
    plan_id: Generated<number>;
    plant_id: number;
    plan_name: string;
    is_default: Generated<boolean>;
    steps: ColumnType<Step[], string, string>;
    repeat_every: number | null;
    repeat_times: Generated<number>;
    back_to_normal: Generated<boolean>;
    back_to_normal_by_sms: Generated<boolean>;
    created_time: Moment;
    version: Generated<number>;
  };
  rosters: {
    roster_id: Generated<number>;
    plant_id: number;
    roster_name: string;
    time_zone_id: string;
    shifts: ColumnType<Shift[], string, string>;
    created_time: Moment;
    version: Generated<number>;
  };
  roster_swaps: {
    swap_id: Generated<number>;
    roster_id: number;
    account_id: number;
    from_time: Moment;
    to_time: Moment;
    /** Accounts that were on call when it was made; null among them for a gap. */
    instead_of: (number | null)[];
    created_by: number | null;
    created_time: Moment;
  };
  /** Where an alert is in its plan. */
  escalations: {
    alert_id: number;
    started_time: Moment;
    position: Generated<number>;
    due_time: NullableMoment;
    was_over: Generated<boolean>;
  };
  silence_devices: { silence_id: number; device_id: number };
  /** The newest month of which a plant's alert report was sent, counted from year 0. */
  alert_reports: { plant_id: number; month: number; sent_time: Moment };
  account_visits: { account_id: number; since_time: Moment; seen_time: Moment };
}
