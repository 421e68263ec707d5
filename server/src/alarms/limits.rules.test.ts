import { isDeepStrictEqual } from "node:util";
import { type AlarmRange, limitError } from "@telltale/contract/domains/alerting/alarm-range";
import { AlarmCondition } from "@telltale/contract/domains/alerting/conditions";
import { AlertClass, AlertType } from "@telltale/contract/domains/alerts";
import { Analog, type ChannelSettings, ChannelType, ReadingStatus } from "@telltale/contract/domains/channels";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atOnce, atRest, type Rule, step } from "./evaluate.ts";
import { changedLimits, customRule, rulesOf } from "./rules/channel.rules.ts";
import { endOf } from "./rules/ended.rules.ts";
import { ruleKey } from "./rules/rule-key.ts";

const decimal = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 100);
const type = fc.constantFrom(AlertType.high, AlertType.low);
const share = (most: number) => fc.integer({ min: 0, max: most * 1000 }).map((part) => part / 1000);

/** Limits in and around a range, with hysteresis up to 1.5 times its width. */
const around = (range: AlarmRange) => {
  const [zero, width] = [Number(range.zero), Number(range.span) - Number(range.zero)];
  const limit = fc.record({
    type,
    alarmValue: share(1.2).map((at) => Number((zero + (at - 0.1) * width).toFixed(3))),
    alarmHysteresis: share(1.5).map((part) => Number((part * width).toFixed(3))),
  });
  return limit.map((each) => ({ range, limit: each }));
};
const analog = fc
  .record({ zero: decimal, width: fc.integer({ min: 1, max: 1_000_000 }) })
  .map(({ zero, width }): AlarmRange => ({ zero, span: zero + width, isDiscrete: false }));
const contact: AlarmRange = { zero: 0, span: 1, isDiscrete: true };
const cases = analog.chain(around);

const ruleOf = (limit: { type: number; alarmValue: number; alarmHysteresis: number }): Rule => ({
  key: "k",
  alarmClass: AlertClass.custom,
  alarmType: limit.type,
  alarmId: 1,
  setpoint: limit.alarmValue,
  hysteresis: limit.alarmHysteresis,
  ...atOnce,
});
const transitionOf = (rule: Rule, isOpen: boolean, value: number) => {
  const reading = { ts: 1, value, status: ReadingStatus.good };
  return step(rule, { ...atRest, isOpen, holds: isOpen }, { ...reading, ts: 0 }, reading).transitions[0]?.kind;
};

/** The extreme values of a sensor: up to five percent beyond its range still counts. */
const ends = ({ zero, span, isDiscrete }: AlarmRange): [number, number] => {
  const [low, high] = [Number(zero), Number(span)];
  const beyond = isDiscrete ? 0 : (high - low) * 0.05;
  return [low - beyond, high + beyond];
};

describe("a custom alert that is accepted", () => {
  it.each([
    ["an analog channel", cases],
    ["a contact", around(contact)],
  ])("is raised at one end of %s's range and cleared at the other", (_name, some) => {
    fc.assert(
      fc.property(some, ({ range, limit }) => {
        fc.pre(limitError(limit, range) === undefined);
        const [low, high] = ends(range);
        const [alarming, quiet] = limit.type === AlertType.high ? [high, low] : [low, high];
        expect(transitionOf(ruleOf(limit), false, alarming)).toBe("raise");
        expect(transitionOf(ruleOf(limit), true, quiet)).toBe("clear");
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a custom alert that is refused", () => {
  it("for its hysteresis would not be cleared anywhere in the range", () => {
    fc.assert(
      fc.property(cases, share(1), ({ range, limit }, at) => {
        fc.pre(limitError(limit, range)?.field === "alarmHysteresis");
        const value = Number(range.zero) + at * (Number(range.span) - Number(range.zero));
        expect(transitionOf(ruleOf(limit), true, value)).toBeUndefined();
      }),
    );
  });

  it("names the highest value that is accepted", () => {
    fc.assert(
      fc.property(cases, ({ range, limit }) => {
        const validationError = limitError(limit, range);
        fc.pre(validationError?.field === "alarmHysteresis");
        const most = Number(/[\d.]+$/.exec(validationError?.message ?? "")?.[0]);
        expect(limitError({ ...limit, alarmHysteresis: most }, range)).toBeUndefined();
      }),
    );
  });

  it("lies outside ZERO and SPAN, and both ends lie inside", () => {
    fc.assert(
      fc.property(cases, ({ range, limit }) => {
        const isInside = limit.alarmValue >= Number(range.zero) && limit.alarmValue <= Number(range.span);
        expect(limitError({ ...limit, alarmHysteresis: 0 }, range)).toEqual(
          isInside ? undefined : { field: "alarmValue", message: "Enter the correct alarm value" },
        );
      }),
    );
  });
});

describe("a channel's own limits", () => {
  const delay = fc.integer({ min: 1, max: 86_400 });
  const hysteresis = fc.constantFrom(0, 0.5);
  const ofChannel: fc.Arbitrary<ChannelSettings> = fc.record(
    {
      analogId: fc.constant(Analog.flow),
      unit: fc.constant("m³/h"),
      reportInterval: fc.constantFrom(30, 60),
      lowerAlarm: fc.constantFrom(10, 20),
      lowerHysteresis: hysteresis,
      lowerAlarmDelay: delay,
      lowerClearDelay: delay,
      higherAlarm: fc.constantFrom(80, 90),
      higherHysteresis: hysteresis,
      higherAlarmDelay: delay,
      higherClearDelay: delay,
    },
    { requiredKeys: ["analogId", "unit", "reportInterval"] },
  );
  const changes = {
    reportInterval: fc.constantFrom(30, 60),
    lowerAlarmDelay: delay,
    higherAlarm: fc.constantFrom(80, 90),
  };
  const rulesBy = (settings: ChannelSettings) => rulesOf(7, ChannelType.analogInput, settings, []);
  const customs = (s: ChannelSettings) => {
    const each = { alarmId: 1, condition: AlarmCondition.limit, times: 1, window: 0, gate: null };
    const low = { ...each, type: AlertType.low, value: s.lowerAlarm ?? null, hysteresis: s.lowerHysteresis ?? 0 };
    const high = { ...each, type: AlertType.high, value: s.higherAlarm ?? null, hysteresis: s.higherHysteresis ?? 0 };
    return [
      { ...low, onDelay: s.lowerAlarmDelay ?? 0, offDelay: s.lowerClearDelay ?? 0 },
      { ...high, onDelay: s.higherAlarmDelay ?? 0, offDelay: s.higherClearDelay ?? 0 },
    ].filter(({ value }) => value !== null);
  };

  it("are evaluated as custom alerts with the same value, hysteresis and delays", () => {
    fc.assert(
      fc.property(ofChannel, (settings) => {
        const own = { key: "", alarmClass: AlertClass.threshold, alarmId: null };
        const expected = customs(settings).map((custom) => ({ ...customRule(7, custom), ...own }));
        expect(rulesBy(settings).map((rule) => ({ ...rule, key: "" }))).toEqual(expected);
      }),
    );
  });

  it("begin anew exactly when a save changes how they are evaluated", () => {
    const rule = (settings: ChannelSettings, key: string) => rulesBy(settings).find((each) => each.key === key);
    const keys = [AlertType.low, AlertType.high].map((each) => ruleKey.threshold(7, each));
    fc.assert(
      fc.property(ofChannel, fc.record(changes, { requiredKeys: [] }), (before, change) => {
        const after = { ...before, ...change };
        const expected = keys.filter((key) => !isDeepStrictEqual(rule(before, key), rule(after, key)));
        expect(changedLimits(7, ChannelType.analogInput, before, after).toSorted()).toEqual(expected.toSorted());
      }),
    );
  });
});

describe("an open alert", () => {
  const settings = { analogId: 4, unit: "", reportInterval: 60 };
  const custom = (value: number) => ({ alarmId: 1, type: AlertType.high, value, hysteresis: 5, ...atOnce });
  const channel = (value: number, newest: { ts: number; value: number; status: number } | null) => ({
    channelId: 7,
    channelType: ChannelType.analogInput,
    settings,
    custom: [custom(value)],
    newest,
  });
  const key = ruleKey.custom(1, 7, AlertType.high);
  const reading = (value: number, status: number = ReadingStatus.alarm) => ({ ts: 1, value, status });

  it.each([
    ["has ended when its rule is gone", { ...channel(50, reading(60)), custom: [] }, "noRule"],
    ["goes on while no reading says otherwise", channel(80, null), undefined],
    ["goes on within its hysteresis", channel(50, reading(47)), undefined],
    ["has ended behind its hysteresis", channel(50, reading(44)), "over"],
    ["has ended when the limit has moved beyond the value", channel(62, reading(60)), "over"],
    ["goes on when the moved limit still says it", channel(55, reading(60)), undefined],
    ["goes on while there is no data", channel(80, reading(60, ReadingStatus.noData)), undefined],
  ])("%s", (_what, watched, expected) => {
    expect(endOf(watched, { key, threshold: 50, isEnding: false })).toBe(expected);
  });

  it("that waits for its delay to clear goes on behind its hysteresis, and ends with its rule", () => {
    const ending = { key, threshold: 50, isEnding: true };
    expect(endOf(channel(50, reading(44)), ending)).toBeUndefined();
    expect(endOf({ ...channel(50, reading(44)), custom: [] }, ending)).toBe("noRule");
  });
});
