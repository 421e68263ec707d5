import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Analog, ChannelType, InputMode, OutputMode, SensorType } from "../domains/channels.ts";
import { ChannelMessage, type EditedChannel, tooLong, tooShort } from "./checks.ts";
import { keysOf } from "./index.ts";
import { type ChannelKeys, Key } from "./keys.ts";
import { longestReportInterval, ntcRange } from "./options.ts";
import { changedKeys, channelErrors } from "./rules.ts";

const analog: ChannelKeys = {
  [Key.inputSensorType]: SensorType.milliamps4to20,
  [Key.analog]: Analog.pressure,
  [Key.unit]: "bar",
  [Key.zero]: 0,
  [Key.span]: 16,
  [Key.lowerAlarm]: 2,
  [Key.lowerHysteresis]: 0.2,
  [Key.higherAlarm]: 8,
  [Key.higherHysteresis]: 0.2,
  [Key.reportInterval]: 60,
  [Key.staticData]: 600,
};

const contact: ChannelKeys = {
  [Key.sensorType]: 1,
  [Key.inputMode]: InputMode.digital,
  [Key.on]: 1,
  [Key.countingEdge]: 1,
  [Key.alarmData]: 1,
  [Key.debounce]: 2,
  [Key.reportInterval]: 60,
  [Key.staticData]: 600,
};

const output: ChannelKeys = {
  [Key.mode]: OutputMode.all,
  [Key.controlContact]: 1,
  [Key.reportInterval]: 60,
  [Key.staticData]: 600,
};

const edited = (before: ChannelKeys, change: ChannelKeys, more: Partial<EditedChannel> = {}): EditedChannel => ({
  channelType: ChannelType.analogInput,
  isBuiltIn: false,
  isOn: true,
  isSubDevice: false,
  reportIntervalLimit: 10,
  before,
  after: { ...before, ...change },
  ...more,
});
const validationErrors = (change: ChannelKeys, more: Partial<EditedChannel> = {}) =>
  channelErrors(edited(analog, change, more));

const whole = fc.integer({ min: -1000, max: 50_000 });
const tenths = fc.integer({ min: -500, max: 500 }).map((value) => value / 10);
const size = fc.integer({ min: 0, max: 100 }).map((value) => value / 10);

describe("Report Interval and STATIC DATA", () => {
  test("the interval is whole, between the device's limit and 43200, while the channel is on", () => {
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 60 }), (interval, reportIntervalLimit) => {
        const change = { [Key.reportInterval]: interval, [Key.staticData]: longestReportInterval };
        const found = validationErrors(change, { reportIntervalLimit })[Key.reportInterval];
        expect(found === undefined).toBe(interval >= reportIntervalLimit && interval <= longestReportInterval);
      }),
    );
    expect(validationErrors({ [Key.reportInterval]: 9 })[Key.reportInterval]).toBe(tooShort(10));
    expect(validationErrors({ [Key.reportInterval]: 5 }, { isOn: false })[Key.reportInterval]).toBeUndefined();
  });

  test("decimals and negatives are refused for whole numbers", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const isWhole = Number.isInteger(value) && value >= 0;
        for (const key of [Key.reportInterval, Key.staticData]) {
          const validationError = validationErrors({ [key]: value })[key];
          expect(validationError === ChannelMessage.whole).toBe(!isWhole);
        }
      }),
    );
  });

  test("STATIC DATA lies between the interval and 43200; on a sub-device it may be below the interval", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 43_200 }),
        whole.filter((value) => value >= 0),
        (interval, fixed) => {
          const found = validationErrors({ [Key.reportInterval]: interval, [Key.staticData]: fixed });
          expect(found[Key.staticData] === undefined).toBe(fixed >= interval && fixed <= longestReportInterval);
        },
      ),
    );
    const blank = { [Key.reportInterval]: "" };
    expect(validationErrors(blank)).toEqual({
      [Key.reportInterval]: ChannelMessage.blank,
      [Key.staticData]: ChannelMessage.intervalFirst,
    });
    expect(validationErrors(blank, { isSubDevice: true })).toEqual({ [Key.reportInterval]: ChannelMessage.blank });
  });
});

describe("ZERO, SPAN and the alarms between them", () => {
  test("a range with its alarms is valid exactly when the specification's three rules hold", () => {
    const limits = fc.record({ zero: tenths, span: tenths, lower: tenths, higher: tenths, low: size, high: size });
    fc.assert(
      fc.property(limits, ({ zero, span, lower, higher, low, high }) => {
        const found = validationErrors({
          [Key.zero]: zero,
          [Key.span]: span,
          [Key.lowerAlarm]: lower,
          [Key.lowerHysteresis]: low,
          [Key.higherAlarm]: higher,
          [Key.higherHysteresis]: high,
        });
        // In tenths, because 0.1 + 0.2 !== 0.3 in floating point.
        const [from, to, bottom, top] = [zero, span, lower + low, higher - high].map((value) => Math.round(value * 10));
        const isWithin = (value = 0) => value >= (from ?? 0) && value <= (to ?? 0);
        const holds = (from ?? 0) <= (to ?? 0) && isWithin(bottom) && isWithin(top) && (top ?? 0) >= (bottom ?? 0);
        expect(Object.keys(found).length === 0).toBe(holds);
      }),
      { numRuns: 2000 },
    );
  });

  test("each rule has its own message", () => {
    expect(validationErrors({ [Key.zero]: 20 })).toMatchObject({ [Key.zero]: ChannelMessage.zeroAboveSpan });
    expect(validationErrors({ [Key.zero]: 5 })).toEqual({ [Key.lowerAlarm]: ChannelMessage.lowerOutside });
    expect(validationErrors({ [Key.span]: 7 })).toEqual({ [Key.higherAlarm]: ChannelMessage.higherOutside });
    expect(validationErrors({ [Key.lowerAlarm]: 7.7 })).toEqual({ [Key.higherAlarm]: ChannelMessage.alarmsCross });
    expect(validationErrors({ [Key.lowerAlarm]: 7.6 }), "they may meet").toEqual({});
    expect(validationErrors({ [Key.higherHysteresis]: -1 })).toEqual({
      [Key.higherHysteresis]: ChannelMessage.negative,
    });
  });

  test("an alarm may be empty together with its hysteresis; one that is set requires both", () => {
    const none = { [Key.lowerAlarm]: null, [Key.lowerHysteresis]: null };
    expect(validationErrors(none)).toEqual({});
    expect(validationErrors({ [Key.lowerAlarm]: "" })).toEqual({ [Key.lowerAlarm]: ChannelMessage.blank });
    expect(validationErrors({ [Key.lowerHysteresis]: null })).toEqual({ [Key.lowerHysteresis]: ChannelMessage.blank });
  });

  test("a thermistor takes its range from its table instead of ZERO and SPAN, and measures degrees Celsius", () => {
    const ntc = { [Key.inputSensorType]: SensorType.ntc, [Key.analog]: Analog.temperature, [Key.unit]: "°C" };
    const keys = keysOf({ channelType: ChannelType.analogInput, isBuiltIn: false }, ntc);
    expect(keys).toContain(Key.ntcType);
    expect(keys).not.toContain(Key.zero);
    expect(validationErrors(ntc)).toEqual({ [Key.ntcType]: ChannelMessage.blank });
    const type = { ...ntc, [Key.ntcType]: "10K B3950" };
    expect(validationErrors({ ...type, [Key.zero]: "", [Key.span]: "" })).toEqual({});
    expect(validationErrors({ ...type, [Key.higherAlarm]: ntcRange.max + 1 })).toEqual({
      [Key.higherAlarm]: ChannelMessage.higherOutside,
    });
    expect(validationErrors({ ...type, [Key.unit]: "bar" })).toEqual({ [Key.unit]: ChannelMessage.ntcMeasures });
  });
});

describe("delays", () => {
  test("are whole seconds up to a day, and may be left out", () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -10, max: 90_000 }), fc.double({ noNaN: true })), (value) => {
        const found = validationErrors({ [Key.higherDelay]: value })[Key.higherDelay];
        expect(found === undefined).toBe(Number.isInteger(value) && value >= 0 && value <= 86_400);
      }),
    );
    expect(validationErrors({ [Key.lowerClearDelay]: null })).toEqual({});
    expect(validationErrors({ [Key.lowerClearDelay]: "" })).toEqual({ [Key.lowerClearDelay]: ChannelMessage.blank });
    expect(validationErrors({ [Key.lowerDelay]: 86_401 })).toEqual({ [Key.lowerDelay]: tooLong(86_400) });
  });

  test("belong to an alarm that is set; a 0 is no change where there is none", () => {
    const kind = { channelType: ChannelType.analogInput, isBuiltIn: false };
    const off = { ...analog, [Key.lowerAlarm]: null, [Key.lowerHysteresis]: null };
    expect(keysOf(kind, analog)).toEqual(expect.arrayContaining([Key.lowerDelay, Key.lowerClearDelay]));
    expect(keysOf(kind, off)).not.toContain(Key.lowerDelay);
    expect(keysOf(kind, off)).toContain(Key.higherDelay);
    const change = (more: ChannelKeys) => changedKeys({ ...kind, before: analog, after: { ...analog, ...more } });
    expect(change({ [Key.higherDelay]: 0, [Key.higherClearDelay]: 0 })).toEqual([]);
    expect(change({ [Key.higherDelay]: 30 })).toEqual([Key.higherDelay]);
    expect(keysOf({ ...kind, channelType: ChannelType.vibration }, analog)).toContain(Key.higherClearDelay);
    const digital = { ...kind, channelType: ChannelType.digitalInput };
    expect(keysOf(digital, contact)).toContain(Key.alarmDelay);
    expect(keysOf(digital, { ...contact, [Key.inputMode]: InputMode.counting })).toContain(Key.alarmDelay);
    expect(keysOf(digital, { ...contact, [Key.inputMode]: InputMode.statusLog })).not.toContain(Key.alarmDelay);
  });
});

describe("settings of each channel type", () => {
  const ofInput = (keys: ChannelKeys) => keysOf({ channelType: ChannelType.digitalInput, isBuiltIn: false }, keys);
  const ofOutput = (keys: ChannelKeys) => keysOf({ channelType: ChannelType.digitalOutput, isBuiltIn: false }, keys);

  test("Input mode 2 hides Debounce(ms); counting has an edge; vibration has no Lower Alarm", () => {
    expect(ofInput(contact)).not.toContain(Key.debounce);
    const counting = ofInput({ ...contact, [Key.inputMode]: InputMode.counting });
    expect(counting).toEqual(expect.arrayContaining([Key.debounce, Key.countingEdge, Key.alarmData]));
    const vibration = keysOf({ channelType: ChannelType.vibration, isBuiltIn: false }, {});
    expect(vibration).not.toContain(Key.lowerAlarm);
    expect(vibration).toContain(Key.higherAlarm);
    expect(keysOf({ channelType: ChannelType.modbus, isBuiltIn: false }, {})).toEqual([]);
  });

  test("a contact alarms at 0 or 1, a counter at a whole number", () => {
    const of = (change: ChannelKeys) =>
      channelErrors(edited(contact, change, { channelType: ChannelType.digitalInput }));
    expect(of({ [Key.alarmData]: 2 })).toEqual({ [Key.alarmData]: ChannelMessage.choice });
    const counting = { [Key.inputMode]: InputMode.counting };
    expect(of({ ...counting, [Key.alarmData]: 500 })).toEqual({});
    expect(of({ ...counting, [Key.alarmData]: 2.5 })).toEqual({ [Key.alarmData]: ChannelMessage.whole });
    expect(of({ ...counting, [Key.debounce]: "" })).toEqual({ [Key.debounce]: ChannelMessage.blank });
  });

  test("an output driven by one channel requires a source", () => {
    expect(ofOutput(output)).not.toContain(Key.source);
    const driven = edited(output, { [Key.mode]: OutputMode.channel }, { channelType: ChannelType.digitalOutput });
    expect(channelErrors(driven)).toEqual({ [Key.source]: ChannelMessage.blank });
  });

  test("a unit must belong to its quantity; Other accepts any unit", () => {
    expect(validationErrors({ [Key.unit]: "rpm" })).toEqual({ [Key.unit]: ChannelMessage.choice });
    expect(validationErrors({ [Key.unit]: "psi" })).toEqual({});
    expect(validationErrors({ [Key.analog]: Analog.other, [Key.unit]: "bags/h" })).toEqual({});
  });
});

test("settings that the channel does not use, and unchanged ones, are not reported as changes", () => {
  const kind = { channelType: ChannelType.digitalInput, isBuiltIn: false, before: contact };
  expect(changedKeys({ ...kind, after: { ...contact, [Key.debounce]: 50 } })).toEqual([]);
  expect(changedKeys({ ...kind, after: { ...contact, [Key.on]: 0 } })).toEqual([Key.on]);
  const source = { deviceChannelId: 7, type: 1 };
  const driven = { ...output, [Key.mode]: OutputMode.channel, [Key.source]: source };
  const outputs = { channelType: ChannelType.digitalOutput, isBuiltIn: false, before: driven };
  expect(changedKeys({ ...outputs, after: { ...driven, [Key.source]: { ...source } } })).toEqual([]);
  expect(changedKeys({ ...outputs, after: { ...driven, [Key.source]: { ...source, type: 2 } } })).toEqual([Key.source]);
});
