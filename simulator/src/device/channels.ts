import { isDeepStrictEqual } from "node:util";
import type { SharedAttributes } from "@telltale/contract/device-api";
import type { ChannelSettings } from "@telltale/contract/domains/channels";
import type { FleetChannel, FleetDevice } from "../fleet.ts";
import { type Installed, sensorFor } from "../instrument/sensor.ts";
import type { SignalName } from "../plant/signals.ts";
import { type Reporter, reporterFor, setReportInterval } from "./reporter.ts";

/** Seconds between two reports of a quantity; undefined: as configured. A register that never changes has no quantity. */
export type Pace = (signal: SignalName | undefined) => number | undefined;

/** A device's channels with their applied settings. */
export interface Channels {
  settingsOf: (code: string) => Partial<ChannelSettings>;
  /** The channels that are on, in order. An array, because it is iterated at every step of the plant. */
  reporters: () => readonly Reporter[];
  setPace: (pace: Pace) => void;
  /**
   * Applies settings; those of a channel replace its previous ones. While history is written they are deferred, because they belong to the present.
   */
  apply: (attributes: Partial<SharedAttributes>) => void;
  /** Switches to the settings valid at a time, epoch milliseconds; time must not run backwards. */
  advance: (ts: number) => void;
  /** When the settings change next, epoch milliseconds; Infinity when the present ones apply. */
  nextChange: () => number;
}

const defaultInterval = 60;

/** Text settings; all others are numbers. */
const words: ReadonlySet<string> = new Set([
  "unit",
  "ntcType",
  "source",
  "sourceDevice",
] satisfies (keyof ChannelSettings)[]);

/** Keeps only settings of the right type; a device does not trust its input. */
const settingsIn = ({ channelSwitch: _, ...received }: Record<string, unknown>): Partial<ChannelSettings> =>
  Object.fromEntries(
    Object.entries(received).filter(([name, value]) =>
      words.has(name) ? typeof value === "string" : Number.isFinite(value),
    ),
  );

/** Settings of a channel that start at a time. */
interface Change {
  at: number;
  code: string;
  settings: Partial<ChannelSettings>;
}

/** The settings history, earliest first. */
const changesOf = ({ channels }: FleetDevice): Change[] =>
  channels
    .flatMap(({ code, settings, earlier = [] }) =>
      earlier.map(({ until }, i) => ({ at: until, code, settings: earlier[i + 1]?.settings ?? settings })),
    )
    .sort((a, b) => a.at - b.at);

/** Settings still to come while history is written, and the server's current settings received in the meantime. */
const createSettingsHistory = (spec: FleetDevice) => {
  const ahead = changesOf(spec);
  const announced: Partial<SharedAttributes>[] = [];
  return {
    nextChange: () => ahead[0]?.at ?? Number.POSITIVE_INFINITY,
    keep: (attributes: Partial<SharedAttributes>): void => void announced.push(attributes),
    /** Changes up to a time, followed by the server's settings once all have been applied. */
    take: (ts: number) => {
      const later = ahead.findIndex(({ at }) => at > ts);
      const changes = ahead.splice(0, later < 0 ? ahead.length : later);
      return { changes, announced: ahead.length === 0 ? announced.splice(0) : [] };
    },
  };
};

/** `firstPace` applies to a channel until the server changes that channel's own interval. */
export const createChannels = (spec: FleetDevice, outputState: (code: string) => number, firstPace: Pace): Channels => {
  const first = spec.channels.map((channel) => ({
    ...channel,
    settings: channel.earlier?.[0]?.settings ?? channel.settings,
  }));
  const channels = new Map(first.map((channel) => [channel.code, channel]));
  const installed = new Map<string, Installed>(spec.channels.map((channel) => [channel.code, { channel }]));
  const reporters = new Map<string, Reporter>();
  const off = new Set<string>();
  const past = createSettingsHistory(spec);
  let walked: Reporter[] = [];
  let pace = firstPace;
  let deviceInterval = defaultInterval;
  /** A channel with new settings reports at once: its previous value means nothing under them. */
  const connect = (channel: FleetChannel): void => {
    const sensor = sensorFor(spec, channel, outputState, installed.get(channel.code));
    channels.set(channel.code, channel);
    reporters.set(channel.code, reporterFor(channel, sensor));
  };
  const refresh = (): void => {
    walked = [...reporters.values()].filter(({ code }) => !off.has(code));
    for (const { code, settings } of spec.channels) {
      const reporter = reporters.get(code);
      const now = channels.get(code)?.settings ?? settings;
      const paced = now.reportInterval === settings.reportInterval ? pace(reporter?.sensor.signal) : undefined;
      if (reporter) setReportInterval(reporter, paced ?? now.reportInterval ?? deviceInterval, now.staticData);
    }
  };
  const take = ({ reportInterval, channels: received }: Partial<SharedAttributes>): void => {
    if (reportInterval && reportInterval > 0) deviceInterval = reportInterval;
    for (const [code, settings] of Object.entries(received ?? {})) {
      const channel = channels.get(code);
      if (!channel) continue;
      const isBack = settings.channelSwitch !== 0 && off.delete(code);
      if (settings.channelSwitch === 0) off.add(code);
      const changed = { ...channel, settings: settingsIn(settings) };
      if (isBack || !isDeepStrictEqual(changed, channel)) connect(changed);
    }
    refresh();
  };
  for (const channel of first) connect(channel);
  refresh();
  return {
    settingsOf: (code) => channels.get(code)?.settings ?? {},
    reporters: () => walked,
    setPace: (wanted) => {
      pace = wanted;
      refresh();
    },
    apply: (attributes) => (past.nextChange() < Number.POSITIVE_INFINITY ? past.keep(attributes) : take(attributes)),
    nextChange: past.nextChange,
    advance: (ts) => {
      if (ts < past.nextChange()) return;
      const { changes, announced } = past.take(ts);
      for (const { code, settings } of changes) {
        const channel = channels.get(code);
        if (channel) connect({ ...channel, settings });
      }
      refresh();
      for (const attributes of announced) take(attributes);
    },
  };
};
