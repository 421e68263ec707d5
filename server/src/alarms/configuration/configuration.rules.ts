import { systemClasses } from "@telltale/contract/domains/alarms";
import {
  type AlarmCondition,
  alarmConditionLabels,
  hasHysteresis,
  hasValue,
} from "@telltale/contract/domains/alerting/conditions";
import { GateType, gateTypeLabels, hasGate } from "@telltale/contract/domains/alerting/gate";
import {
  AlertClass,
  type AlertPriority,
  type AlertType,
  alertClassLabels,
  alertPriorityLabels,
  alertTypeLabels,
} from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";

/** Whether this role may create and change alarms of the class; limits and notifications are the owner's. (spec 2 §6) */
export const mayConfigure = (roleType: Role, alarmClass: AlertClass): boolean =>
  roleType === Role.owner || !systemClasses.includes(alarmClass);

/** The requested fields of an alarm. */
interface LimitInput {
  alarmName: string;
  alarmClass: AlertClass;
  deviceId: number;
  deviceChannelId?: number | undefined;
  condition?: AlarmCondition | undefined;
  type?: AlertType | undefined;
  alarmValue?: number | undefined;
  alarmHysteresis?: number | undefined;
  planId?: number | undefined;
  priority?: AlertPriority | undefined;
  response?: string | undefined;
  enabled?: 0 | 1 | undefined;
  onDelay?: number | undefined;
  offDelay?: number | undefined;
  times?: number | undefined;
  window?: number | undefined;
  gateChannelId?: number | undefined;
  gateType?: GateType | undefined;
  gateValue?: number | undefined;
  startUp?: number | undefined;
}

/** The columns of an alarm's gate; none are changed when it is not requested. */
const gateColumns = (
  isCustom: boolean,
  input: Pick<LimitInput, "gateChannelId" | "gateType" | "gateValue" | "startUp">,
) => {
  if (isCustom && input.gateChannelId === undefined) return {};
  if (!isCustom || !hasGate(input)) return { gate_channel_id: null, gate_type: null, gate_value: null, start_up: 0 };
  return {
    gate_channel_id: input.gateChannelId,
    gate_type: input.gateType,
    gate_value: input.gateType === GateType.on ? null : input.gateValue,
    start_up: input.startUp ?? 0,
  };
};

/** The columns of an alarm; what is not requested stays as it is, or gets its default. Only a custom alarm watches a channel; other classes ignore those fields. */
export const columnsOf = ({ alarmName, alarmClass, deviceId, ...limit }: LimitInput) => {
  const isCustom = alarmClass === AlertClass.custom;
  const ofCustom = <T>(value: T | undefined): T | null => (isCustom && value !== undefined ? value : null);
  const { condition } = limit;
  return {
    alarm_name: alarmName,
    alarm_class: alarmClass,
    device_id: deviceId,
    channel_id: ofCustom(limit.deviceChannelId),
    condition: isCustom ? condition : undefined,
    type: hasValue(condition) ? ofCustom(limit.type) : null,
    alarm_value: hasValue(condition) ? ofCustom(limit.alarmValue) : null,
    alarm_hysteresis: hasHysteresis(condition) ? ofCustom(limit.alarmHysteresis) : null,
    plan_id: limit.planId === undefined ? undefined : limit.planId || null,
    priority: limit.priority,
    response: limit.response,
    is_enabled: limit.enabled === undefined ? undefined : limit.enabled === 1,
    on_delay: limit.onDelay,
    off_delay: limit.offDelay,
    times: limit.times,
    times_within: limit.window,
    ...gateColumns(isCustom, limit),
  };
};

/** The alarm as recorded in the audit log: names instead of ids, since what they refer to may be deleted later. */
export const recorded = (alarm: {
  alarmName: string;
  alarmClass: AlertClass;
  deviceName: string;
  channelName: string | null;
  condition: AlarmCondition;
  type: AlertType | null;
  alarmValue: number | null;
  alarmHysteresis: number | null;
  priority: AlertPriority;
  response: string;
  enabled: 0 | 1;
  onDelay: number;
  offDelay: number;
  times: number;
  window: number;
  gateChannelName: string;
  gateDeviceName: string;
  gateType: GateType | null;
  gateValue: number | null;
  startUp: number;
  notifyUsers: readonly { contactInfo: string }[];
  planName: string;
}) => ({
  alarmName: alarm.alarmName,
  alarmClass: alertClassLabels[alarm.alarmClass],
  device: alarm.deviceName,
  channel: alarm.channelName,
  condition: alarmConditionLabels[alarm.condition],
  type: alarm.type && alertTypeLabels[alarm.type],
  alarmValue: alarm.alarmValue,
  alarmHysteresis: alarm.alarmHysteresis,
  priority: alertPriorityLabels[alarm.priority],
  response: alarm.response,
  enabled: alarm.enabled === 1,
  onDelay: alarm.onDelay,
  offDelay: alarm.offDelay,
  times: alarm.times,
  window: alarm.window,
  onlyWhile:
    alarm.gateType &&
    [alarm.gateDeviceName, alarm.gateChannelName, gateTypeLabels[alarm.gateType], alarm.gateValue ?? ""]
      .join(" ")
      .trim(),
  startUp: alarm.startUp,
  escalationPlan: alarm.planName || null,
  recipients: alarm.notifyUsers.map(({ contactInfo }) => contactInfo),
});
