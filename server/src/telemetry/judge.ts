import { ReadingStatus } from "@telltale/contract/channels";
import { evaluate, type Rule } from "../alarms/evaluate.ts";
import { isOfReadings } from "../alarms/rule-key.ts";
import { alarmsAt } from "./alarm-settings.ts";
import type { AlarmSettings, ChannelState, KnownChannel, KnownDevice } from "./known-device.ts";
import { scaleAt } from "./scales.ts";
import type { Submission } from "./submission.ts";

/** An alert that a batch raises, and clears again if the batch holds its end too. */
export interface RaisedAlert {
  rule: Rule;
  channel: KnownChannel;
  /** The settings that the reading was judged by. */
  judgedBy: AlarmSettings;
  value: number;
  ts: number;
  clearedTs: number | null;
}

/** Everything a batch writes, in columns. */
export interface JudgedBatch {
  channelIds: number[];
  times: number[];
  values: number[];
  statuses: number[];
  /** Channels whose newest reading changes; their `draft` holds it. */
  newest: KnownChannel[];
  raised: RaisedAlert[];
  /** Alerts of earlier batches that end. */
  cleared: { key: string; ts: number; channel: KnownChannel }[];
  /** Devices heard that were not online. */
  cameOnline: Set<KnownDevice>;
  /** Devices whose new limits have judged what was there. */
  judgedAnew: KnownDevice[];
}

const isServed = (device: KnownDevice, now: number): boolean => device.serviceEnd === null || device.serviceEnd > now;

const apply = (
  batch: JudgedBatch,
  { channel, judgedBy }: Pick<RaisedAlert, "channel" | "judgedBy">,
  rule: Rule,
  isOpen: boolean,
  { ts, value }: { ts: number; value: number },
): void => {
  if (isOpen) {
    batch.raised.push({ rule, channel, judgedBy, value, ts, clearedTs: null });
    return;
  }
  const own = batch.raised.findLast((alert) => alert.rule.key === rule.key && alert.clearedTs === null);
  if (own) own.clearedTs = ts;
  else batch.cleared.push({ key: rule.key, ts, channel });
};

/** Open alerts whose rule is gone: those that it raised in the very moment it was taken away. */
const withoutRule = ({ rules }: AlarmSettings, { openRules }: ChannelState): string[] =>
  openRules.size === 0
    ? []
    : [...openRules].filter((key) => isOfReadings(key) && !rules.some((rule) => rule.key === key));

const judgeRules = (
  batch: JudgedBatch,
  channel: KnownChannel,
  before: ChannelState,
  reading: { ts: number; value: number; status: number },
  judgedBy: AlarmSettings = channel,
): ReadonlySet<string> => {
  let open: Set<string> | undefined;
  for (const key of withoutRule(judgedBy, before)) {
    open ??= new Set(before.openRules);
    open.delete(key);
    batch.cleared.push({ key, ts: reading.ts, channel });
  }
  for (const rule of judgedBy.rules) {
    const { transition } = evaluate(rule, { isOpen: before.openRules.has(rule.key), ts: before.ts }, reading);
    if (!transition) continue;
    open ??= new Set(before.openRules);
    if (transition === "raise") open.add(rule.key);
    else open.delete(rule.key);
    apply(batch, { channel, judgedBy }, rule, transition === "raise", reading);
  }
  return open ?? before.openRules;
};

/** A reading that is ahead of the server by more than this, milliseconds, was taken by a clock that goes wrong. */
export const wronglyAhead = 60_000;

/**
 * The state to judge by. One of a time to come says nothing once the clock that it came from is right again, or all would be late
 * until then. A clock that is put right goes back by more than what late readings are late by when a link is cut.
 */
const stateBefore = ({ draft, state }: KnownChannel, ts: number, now: number): ChannelState => {
  const before = draft ?? state;
  const isCorrected = before.ts > now + wronglyAhead && ts <= now + wronglyAhead && before.ts - ts > wronglyAhead;
  return isCorrected ? { ...before, ts: Number.NEGATIVE_INFINITY } : before;
};

interface Judging {
  now: number;
  /** Its service is paid, so that it raises alerts. */
  isServed: boolean;
}

const judgeReading = (batch: JudgedBatch, channel: KnownChannel, ts: number, raw: number, judging: Judging): void => {
  const { scale, isInForce } = scaleAt(channel, ts);
  const scaled = scale(raw);
  const before = stateBefore(channel, ts, judging.now);
  let status = scaled.status;
  if (ts > before.ts) {
    const judgedBy = alarmsAt(channel, ts, judging.now);
    // What earlier settings have scaled, those in force can't judge.
    const isComparable = isInForce || judgedBy !== channel;
    const openRules =
      judging.isServed && isComparable
        ? judgeRules(batch, channel, before, { ts, ...scaled }, judgedBy)
        : before.openRules;
    if (status === ReadingStatus.good && openRules.size > 0) status = ReadingStatus.alarm;
    if (!channel.draft) batch.newest.push(channel);
    // What earlier settings made of it says nothing under these: as the newest it shows no data.
    channel.draft = { ts, value: scaled.value, status: isInForce ? status : ReadingStatus.noData, openRules };
  }
  batch.channelIds.push(channel.channelId);
  batch.times.push(ts);
  batch.values.push(scaled.value);
  batch.statuses.push(status);
};

/** Judges the newest reading of a channel whose limits were changed, as of `now`. One that this batch holds is judged by them anyway. */
const judgeStanding = (batch: JudgedBatch, channel: KnownChannel, now: number): void => {
  const { state } = channel;
  if (channel.draft) return;
  const { value } = state;
  const openRules = judgeRules(
    batch,
    channel,
    { ...state, ts: Number.NEGATIVE_INFINITY },
    { ...state, ts: now, value },
  );
  const isGood = state.status !== ReadingStatus.noData;
  const status = isGood ? (openRules.size > 0 ? ReadingStatus.alarm : ReadingStatus.good) : state.status;
  batch.newest.push(channel);
  channel.draft = { ...state, status, openRules };
};

/** A channel with a newest reading that means what its settings say, of a device that is heard. */
const canBeJudged = ({ hasNewLimits, state, scaledFrom }: KnownChannel): boolean =>
  hasNewLimits && Number.isFinite(state.ts) && state.ts >= scaledFrom;

const judgeChanged = (batch: JudgedBatch, devices: readonly KnownDevice[], now: number): void => {
  for (const device of devices) {
    if (!device.hasNewLimits || !isServed(device, now)) continue;
    batch.judgedAnew.push(device);
    for (const channel of device.channels.values()) if (canBeJudged(channel)) judgeStanding(batch, channel, now);
  }
};

/**
 * Scales and judges the readings of a batch in their order, against the channels' states and this batch's own drafts.
 * Pure but for `draft` on the channels, which the writer adopts after the commit or drops.
 * A late reading is stored and judges nothing; a device whose service has ended raises no alerts.
 */
export const judgeBatch = (submissions: readonly Submission[], now: number): JudgedBatch => {
  const batch: JudgedBatch = {
    channelIds: [],
    times: [],
    values: [],
    statuses: [],
    newest: [],
    raised: [],
    cleared: [],
    cameOnline: new Set(),
    judgedAnew: [],
  };
  for (const { channels, times, values, devices } of submissions) {
    for (const device of devices) if (!device.isOnline) batch.cameOnline.add(device);
    for (let i = 0; i < channels.length; i++) {
      const channel = channels[i] as KnownChannel;
      const judging = { now, isServed: isServed(channel.device, now) };
      judgeReading(batch, channel, times[i] as number, values[i] as number, judging);
    }
    judgeChanged(batch, devices, now);
  }
  return batch;
};

/** Makes the drafts the states and the devices online: the batch is committed. */
export const adoptDrafts = (batch: JudgedBatch): void => {
  for (const channel of batch.newest) {
    if (channel.draft) channel.state = channel.draft;
    channel.draft = undefined;
  }
  for (const device of batch.cameOnline) device.isOnline = true;
  for (const device of batch.judgedAnew) {
    device.hasNewLimits = false;
    for (const channel of device.channels.values()) channel.hasNewLimits = false;
  }
};

/** Forgets the drafts: the batch was not committed. */
export const dropDrafts = (batch: JudgedBatch): void => {
  for (const channel of batch.newest) channel.draft = undefined;
};

/** The hours (since the epoch) that a batch's readings lie in. */
export const touchedHours = (batch: JudgedBatch): Set<number> => {
  const hours = new Set<number>();
  let last = Number.NaN;
  for (const ts of batch.times) {
    const hour = Math.floor(ts / 3_600_000);
    if (hour !== last) hours.add(hour);
    last = hour;
  }
  return hours;
};
