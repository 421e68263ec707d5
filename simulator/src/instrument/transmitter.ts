import { channelTypes } from "@telltale/contract/channel-types/index";
import { ChannelType, SensorType, ValueForm } from "@telltale/contract/domains/channels";
import type { FleetChannel } from "../fleet.ts";
import { noise, type Random } from "../plant/random.ts";
import type { Signal } from "../plant/signals.ts";
import { conversion } from "./units.ts";

/** Converts a true value to what the channel's transmitter sends. */
export type Transmitter = (truth: number, draw: Random) => number;

/** A channel's instrument: its transmitter, and the scale that fits the plant to it. */
export interface Instrument {
  /** Converts a true value from the plant's unit to the channel's unit and scale. */
  engineering: (truth: number) => number;
  transmit: Transmitter;
  /** The value with a broken probe wire: out of range. */
  broken: number;
}

/** Steps of a 12-bit converter. */
const steps = 4095;
/** Maximum share by which a transmitter exceeds its range. */
const overrange = 0.04;

const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Clamps noise at zero: a pipe at rest has no negative flow. */
const noisy = (value: number, sigma: number, draw: Random): number =>
  Math.abs(value) <= sigma ? value : value + sigma * noise(draw);

const clamp = (share: number): number => Math.min(1 + overrange, Math.max(-overrange, share));

/**
 * Scales the plant to its instruments: where a channel has a Higher Alarm, the signal is scaled so that normal operation stays below it and the
 * faults exceed it. A factor of more than twenty is not plausible: such a limit is ignored.
 */
const stretch = (signal: Signal, { settings: { unit, higherAlarm } }: FleetChannel): number => {
  if (signal.alarmAt === undefined || higherAlarm === undefined) return 1;
  const most = 20;
  const factor = higherAlarm / conversion(signal.unit, unit ?? signal.unit)(signal.alarmAt);
  return factor > 1 / most && factor < most ? factor : 1;
};

/**
 * The transmitter of an analog channel: with noise, the 12-bit resolution of its range, and two decimals. `installed` is the channel as the plant
 * was built for it: a limit changed later does not change the plant.
 */
export const instrumentFor = (signal: Signal, channel: FleetChannel, installed = channel): Instrument => {
  const { settings } = channel;
  const { zero, span, sensorType, valueForm } = settings;
  const convert = conversion(signal.unit, settings.unit ?? signal.unit);
  const factor = stretch(signal, installed);
  const engineering = (truth: number) => factor * convert(truth);
  const sigma = Math.abs(engineering(signal.noise) - engineering(0));
  const send = channelTypes[channel.channelType ?? ChannelType.analogInput].unscale(settings);
  const isElectrical = valueForm === ValueForm.electrical;
  if (isElectrical && sensorType === SensorType.ntc) {
    const ohms = (truth: number, draw: Random) => Math.round(send(noisy(engineering(truth), sigma, draw)));
    return { engineering, transmit: ohms, broken: 10_000_000 };
  }
  if (zero === undefined || span === undefined || span <= zero) {
    const plain = (truth: number, draw: Random) => hundredths(send(noisy(engineering(truth), sigma, draw)));
    return { engineering, transmit: plain, broken: -999 };
  }
  const transmit = (truth: number, draw: Random) => {
    const share = clamp((noisy(engineering(truth), sigma, draw) - zero) / (span - zero));
    return hundredths(send(zero + (Math.round(share * steps) / steps) * (span - zero)));
  };
  return { engineering, transmit, broken: isElectrical ? 0 : hundredths(zero - 0.25 * (span - zero)) };
};

/** The transmitter of a register: no range, `decimals` digits. */
export const registerInstrument = (signal: Signal, decimals: number): Instrument => {
  const scale = 10 ** decimals;
  return {
    engineering: (truth) => truth,
    // A motor that is off has no current: zero stays exactly zero.
    transmit: (truth, draw) => (truth === 0 ? 0 : Math.round((truth + signal.noise * noise(draw)) * scale) / scale),
    broken: -1,
  };
};
