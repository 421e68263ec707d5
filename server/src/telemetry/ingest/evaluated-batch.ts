import type { Rule } from "../../alarms/evaluate.ts";
import type { Phase } from "../../alarms/index.ts";
import type { AlarmSettings, KnownChannel, KnownDevice } from "../devices/known-device.ts";

/** An alert raised by a batch, and cleared again if the batch also contains its end. */
export interface RaisedByReading {
  rule: Rule;
  channel: KnownChannel;
  /** The settings that the reading was evaluated by. */
  evaluatedBy: AlarmSettings;
  value: number;
  /** Status of the reading in force. */
  status: number;
  /** The most extreme value so far. */
  peak: number;
  ts: number;
  clearedTs: number | null;
}

/** Everything a batch writes, in columns. */
export interface EvaluatedBatch {
  /** The channel of each reading. */
  channels: KnownChannel[];
  times: Float64Array;
  values: Float64Array;
  statuses: Uint8Array;
  /** Channels with a new newest reading, which is in their `draft`. */
  newest: KnownChannel[];
  /** Those of them whose newest reading does not follow from the readings: evaluated again, or set back from a wrong clock's time. */
  corrected: Set<KnownChannel>;
  raised: RaisedByReading[];
  /** New most extreme values of alerts of earlier batches, by the rule's key. */
  peaks: Map<string, number>;
  /** Rules whose state must be kept anew, by their keys; undefined where nothing is to be kept any more. */
  phases: Map<string, Phase | undefined>;
  /** Alerts of earlier batches that are cleared. */
  cleared: { key: string; ts: number; channel: KnownChannel }[];
  /** Devices that were offline before. */
  cameOnline: Set<KnownDevice>;
  /** Devices whose newest readings were evaluated by changed limits. */
  reevaluated: KnownDevice[];
  /** Devices for whose rules time has passed. */
  ticked: KnownDevice[];
}
