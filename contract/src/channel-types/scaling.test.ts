import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deviceLimits } from "../device-api.ts";
import { type ChannelSettings, ReadingStatus, SensorType, ValueForm } from "../domains/channels.ts";
import { channelTypes } from "./index.ts";
import { ntcTypes } from "./options.ts";
import { ntcTemperature, scaleAnalog, unscaleAnalog } from "./scaling.ts";

const settings = (change: Partial<ChannelSettings>): ChannelSettings => ({
  analogId: 1,
  unit: "bar",
  reportInterval: 60,
  valueForm: ValueForm.electrical,
  zero: 0,
  span: 16,
  ...change,
});
const { good, noData } = ReadingStatus;

describe("scaling", () => {
  it.each([
    ["4-20 mA", SensorType.milliamps4to20, 12, 8],
    ["0-20 mA", SensorType.milliamps20, 10, 8],
    ["0-10 V", SensorType.volts10, 2.5, 4],
    ["0-5 V", SensorType.volts5, 5, 16],
  ])("maps %s to engineering units", (_name, sensorType, raw, value) => {
    expect(scaleAnalog(settings({ sensorType }))(raw)).toEqual({ value, status: good });
  });

  it.each([
    [3.2, good],
    [3.19, noData],
    [20.8, good],
    [20.81, noData],
  ])("calls %s mA on 4-20 mA status %s: five percent beyond the range is still good", (raw, status) => {
    expect(scaleAnalog(settings({ sensorType: SensorType.milliamps4to20 }))(raw).status).toBe(status);
  });

  it("leaves a value that arrives scaled as it is, and checks its range", () => {
    const scale = scaleAnalog(settings({ valueForm: ValueForm.engineering }));
    expect(scale(16.8)).toEqual({ value: 16.8, status: good });
    expect(scale(99)).toEqual({ value: 99, status: noData });
  });

  it("reads an NTC at 25 degC as its rated resistance, and an open probe as no data", () => {
    const scale = scaleAnalog(settings({ sensorType: SensorType.ntc, ntcType: "10K B3950" }));
    expect(scale(10_000).value).toBeCloseTo(25, 6);
    expect(scale(3_588).value).toBeCloseTo(50, 0);
    expect(scale(1e9).status).toBe(noData);
    expect(scale(0)).toEqual({ value: 150, status: noData });
  });

  it("never gives a value that is no number", () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, min: -deviceLimits.magnitude, max: deviceLimits.magnitude }),
        fc.constantFrom(...Object.values(SensorType)),
        fc.constantFrom(1, 2),
        (raw, sensorType, valueForm) => {
          expect(Number.isFinite(scaleAnalog(settings({ sensorType, valueForm }))(raw).value)).toBe(true);
        },
      ),
    );
  });

  it("has a probe send its rated resistance at 25 degC and less when it is warmer", () => {
    const ohms = unscaleAnalog(settings({ sensorType: SensorType.ntc, ntcType: "50K B3950" }));
    expect(ohms(25)).toBeCloseTo(50_000);
    fc.assert(fc.property(fc.double({ min: -50, max: 149, noNaN: true }), (t) => ohms(t + 1) < ohms(t)));
  });

  it("gives back the value that a device sends it for, of every type of channel", () => {
    const cases = Object.values(channelTypes).flatMap(({ type, scale, unscale }) =>
      Object.values(SensorType).flatMap((sensorType) =>
        Object.values(ValueForm).map((valueForm) => ({
          type,
          scale,
          unscale,
          given: settings({ sensorType, valueForm }),
        })),
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.double({ noNaN: true, min: 0, max: 16 }), (each, value) => {
        expect(each.scale(each.given)(each.unscale(each.given)(value)).value).toBeCloseTo(value, 6);
      }),
    );
  });

  it("reads a colder probe at every higher resistance", () => {
    for (const ntc of Object.values(ntcTypes))
      expect(ntcTemperature(ntc, ntc.r25 * 2)).toBeLessThan(ntcTemperature(ntc, ntc.r25));
  });
});
