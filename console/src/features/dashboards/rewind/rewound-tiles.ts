import type { Result } from "@telltale/contract/call/call";
import {
  lineLimits,
  linePaces,
  type Sparkline,
  sparklineSpan,
  type Tile,
  type tileCalls,
} from "@telltale/contract/domains/dashboard/tiles";
import { periodAt, type Rewind, readingAt, stoodAt, wasOffline } from "@telltale/contract/domains/readings/rewind";
import type { LiveValues } from "../../../session/live/live-values.ts";
import { factsOf, type TileFacts } from "../view/tile-facts.ts";

/** What the tiles said at a moment besides their values: how old those were, and who had confirmed what stood. */
export const factsAt = (rewound: Rewind, tiles: readonly Tile[], values: LiveValues, at: number): TileFacts[] => {
  const stood = stoodAt(rewound.alerts, at);
  const standing = {
    unconfirmed: stood.filter(({ isConfirmed }) => !isConfirmed).map(({ alert }) => alert),
    confirmed: stood.flatMap(({ alert, isConfirmed }) => {
      const { deviceChannelId, acceptName, acceptTime } = alert;
      if (!isConfirmed || deviceChannelId === null || acceptTime === null) return [];
      return { deviceChannelId, acceptName: acceptName ?? "", acceptTime };
    }),
  };
  // A device that was not heard says nothing of its sensors' ranges.
  const heard = (tile: Tile) => (wasOffline(rewound, tile.deviceId, at) ? { ...tile, sensorRange: null } : tile);
  return tiles.map((tile) => factsOf(heard(tile), values.of, standing, at));
};

const second = 1000;
const minute = 60 * second;

/** How often a channel was to report in the hour before a moment. */
const pacesBefore = ({ periods }: Rewind["channels"][number], at: number): Sparkline["paces"] => {
  const unit = periodAt({ periods }, at)?.unit;
  const begun = periods.filter((each) => each.unit === unit && (each.startTime?.getTime() ?? 0) <= at);
  const paces = begun.map(({ startTime, reportWithin }) => ({ since: startTime?.getTime() ?? 0, reportWithin }));
  const first = paces.findLastIndex(({ since }) => since <= at - sparklineSpan);
  return linePaces(paces.slice(Math.max(0, first)));
};

/** The readings of the hour before a moment in its unit, one a step of the window; times are known to the minute. */
const lineOf = (rewound: Rewind, channel: Rewind["channels"][number], at: number): Sparkline => {
  const { from, step } = rewound;
  const start = at - sparklineSpan;
  const unit = periodAt(channel, at)?.unit;
  const line: Sparkline = {
    deviceChannelId: channel.deviceChannelId,
    ...lineLimits(periodAt(channel, at)?.limits ?? []),
    steps: [],
    values: [],
    paces: pacesBefore(channel, at),
  };
  let before = start;
  for (let index = Math.max(0, Math.ceil((start - from) / step)); from + index * step <= at; index++) {
    if (periodAt(channel, from + index * step)?.unit !== unit) continue;
    const { value, updateTime } = readingAt(channel, rewound, index);
    const time = updateTime?.getTime() ?? 0;
    if (value === null || time < before || (time === before && line.steps.length > 0)) continue;
    line.steps.push((time - before) / second);
    line.values.push(value);
    before = time;
  }
  return line;
};

/** The lines that the tiles drew at a moment. */
export const linesAt = (rewound: Rewind, at: number): Result<typeof tileCalls.sparklines> => ({
  from: Math.floor((at - sparklineSpan) / minute) * minute,
  to: at,
  lines: rewound.channels.map((channel) => lineOf(rewound, channel, at)),
});
