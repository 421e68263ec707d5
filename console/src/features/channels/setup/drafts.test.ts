import { ChannelMessage } from "@telltale/contract/channel-types/checks";
import { type ChannelKeys, Key } from "@telltale/contract/channel-types/keys";
import type { ChannelSetup, DeviceSetup } from "@telltale/contract/domains/channel-settings";
import { Analog, ChannelType, InputMode, SensorType } from "@telltale/contract/domains/channels";
import { expect, test } from "vitest";
import {
  changeOf,
  concurrentSaves,
  type Drafts,
  editedChannel,
  isChanged,
  isFaulty,
  localChanges,
  savedDraft,
  withAlarm,
  withField,
  withoutKeys,
} from "./drafts.ts";

const analog: ChannelKeys = {
  [Key.inputSensorType]: SensorType.milliamps4to20,
  [Key.analog]: Analog.pressure,
  [Key.unit]: "bar",
  [Key.zero]: 0,
  [Key.span]: 16,
  [Key.higherAlarm]: 8,
  [Key.higherHysteresis]: 0.2,
  [Key.reportInterval]: 60,
  [Key.staticData]: 600,
};

const channel = (channelKeys: ChannelKeys = analog, more: Partial<ChannelSetup> = {}): ChannelSetup => ({
  deviceChannelId: 7,
  channelName: "Pressure",
  channelCn: "AI1",
  channelType: ChannelType.analogInput,
  channelAnalogId: Analog.pressure,
  unit: "bar",
  channelSwitch: 1,
  isBuiltIn: false,
  channelKeys,
  isPending: false,
  ...more,
});

const device = (channels: ChannelSetup[] = [channel()]): DeviceSetup => ({
  deviceId: 1,
  deviceName: "Pump house",
  deviceType: 1,
  typeId: 4,
  reportIntervalDefault: 60,
  reportIntervalLimit: 10,
  settingsVersion: 3,
  savedTime: null,
  savedBy: "",
  isPending: false,
  confirmedTime: null,
  channels,
});

const edited = (draft: Drafts[number] | undefined, of = channel()) => editedChannel(device([of]), of, draft);

test("a field typed back to its saved value is not a change", () => {
  const typed = withField(undefined, channel(), Key.span, "20");
  expect(edited(typed)).toMatchObject({ changed: [Key.span], validationErrors: {} });
  expect(changeOf(7, edited(typed))).toEqual({ channelId: 7, channelKeys: { [Key.span]: 20 } });
  expect(isChanged(edited(withField(typed, channel(), Key.span, " 16.0 ")))).toBe(false);
});

test("an empty field, and one without a number, is invalid and not sent", () => {
  const of = (text: string) => edited(withField(undefined, channel(), Key.span, text)).validationErrors[Key.span];
  expect(of("")).toBe(ChannelMessage.blank);
  expect(of("wide")).toBe(ChannelMessage.number);
  expect(isFaulty(edited({ name: " ", keys: {} }))).toBe(true);
});

test("an alarm is turned off with its hysteresis, and restored with its previous value", () => {
  const off = withAlarm(undefined, channel(), Key.higherAlarm, false);
  expect(changeOf(7, edited(off)).channelKeys).toEqual({ [Key.higherAlarm]: null, [Key.higherHysteresis]: null });
  expect(isChanged(edited(withAlarm(off, channel(), Key.higherAlarm, true)))).toBe(false);
  const on = withAlarm(undefined, channel(), Key.lowerAlarm, true);
  expect(edited(on).validationErrors).toEqual({ [Key.lowerAlarm]: ChannelMessage.blank });
});

test("a delay is shown as 0 while none is set, is a change when it is another, and goes with its alarm", () => {
  expect(savedDraft(analog, Key.higherDelay)).toBe("0");
  expect(isChanged(edited(withField(undefined, channel(), Key.higherDelay, "0")))).toBe(false);
  const delayed = withField(undefined, channel(), Key.higherDelay, "30");
  expect(changeOf(7, edited(delayed)).channelKeys).toEqual({ [Key.higherDelay]: 30 });
  const off = withAlarm(delayed, channel(), Key.higherAlarm, false);
  expect(changeOf(7, edited(off)).channelKeys).toEqual({ [Key.higherAlarm]: null, [Key.higherHysteresis]: null });
  const now = device([channel({ ...analog, [Key.higherDelay]: 60 })]);
  expect(concurrentSaves(device(), now)).toEqual({ 7: { [Key.higherDelay]: { before: "0", now: "60" } } });
});

test("a choice sets dependent fields: a thermistor its unit, a quantity its first unit, a mode its alarm", () => {
  const ntc = withField(undefined, channel(), Key.inputSensorType, String(SensorType.ntc));
  expect(edited(ntc)).toMatchObject({
    after: { [Key.analog]: Analog.temperature, [Key.unit]: "°C" },
    validationErrors: {},
  });
  const speed = withField(undefined, channel(), Key.analog, String(Analog.speed));
  expect(edited(speed).after[Key.unit]).toBe("rpm");
  const contact = channel(
    { [Key.sensorType]: 1, [Key.inputMode]: InputMode.statusLog, [Key.on]: 1, [Key.reportInterval]: 60 },
    { channelType: ChannelType.digitalInput },
  );
  const digital = edited(withField(undefined, contact, Key.inputMode, String(InputMode.digital)), contact);
  expect(digital).toMatchObject({ changed: [Key.inputMode, Key.alarmData], validationErrors: {} });
});

test("other users' saved changes are listed by channel and setting", () => {
  const now = device([channel({ ...analog, [Key.span]: 20, [Key.higherAlarm]: null })]);
  expect(concurrentSaves(device(), now)).toEqual({
    7: { [Key.span]: { before: "16", now: "20" }, [Key.higherAlarm]: { before: "8", now: null } },
  });
});

test("input that was reverted does not change the newest settings, and the other user's values can be kept", () => {
  const typed = (keys: Drafts[number]["keys"]): Drafts => ({ 7: { keys } });
  const drafts = localChanges(device(), typed({ [Key.reportInterval]: "60", [Key.span]: "20" }));
  expect(drafts).toEqual(typed({ [Key.span]: "20" }));
  const now = device([channel({ ...analog, [Key.reportInterval]: 700 })]);
  expect(editedChannel(now, now.channels[0] as ChannelSetup, drafts[7]).changed).toEqual([Key.span]);
  expect(withoutKeys(drafts, { 7: [Key.span] })).toEqual(typed({}));
});

test("a name that was typed as it was before is not the newest one's to undo", () => {
  const typed = (name: string): Drafts => ({ 7: { name, keys: { [Key.span]: "20" } } });
  expect(localChanges(device(), typed("Pressure"))).toEqual({ 7: { keys: { [Key.span]: "20" } } });
  expect(localChanges(device(), typed("Suction"))).toEqual(typed("Suction"));
});
