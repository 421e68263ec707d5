import { AlertType } from "../domains/alerts.ts";
import { ChannelType, ControlContact, OutputMode } from "../domains/channels.ts";
import { type ChannelTypeDescriptor, inChannelUnit, levels } from "./descriptor.ts";
import { Key } from "./keys.ts";

/** A relay, driven by all alarms of its device or by one channel's alarm. (spec 2 §4) */
export const digitalOutput: ChannelTypeDescriptor = {
  type: ChannelType.digitalOutput,
  label: "DO",
  stored: [Key.mode, Key.controlContact],
  defaults: { outputMode: OutputMode.all, controlContact: ControlContact.normallyOpen },
  editable: (keys) => [Key.mode, Key.controlContact, ...(keys[Key.mode] === OutputMode.channel ? [Key.source] : [])],
  shown: ({ outputMode }) => [
    Key.mode,
    Key.controlContact,
    ...(outputMode === undefined ? [] : [Key.source]),
    Key.on,
    Key.alarmData,
  ],
  consequences: () => ({}),
  limits: [{ alarmType: AlertType.digitalOutput, setpoint: "alarmData" }],
  range: () => levels,
  ...inChannelUnit,
  isDiscrete: true,
};
