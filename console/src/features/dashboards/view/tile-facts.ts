import type { AlertRow, ConfirmedAlert } from "@telltale/contract/domains/alerts";
import type { Tile } from "@telltale/contract/domains/dashboard/tiles";
import { durationText } from "../../../domain/alerts/duration.ts";
import { shortName } from "../../../domain/alerts/initials.ts";
import { isOverdue } from "../../../domain/overdue.ts";
import type { Reading } from "../../../session/live/live-values.ts";
import { recentShort } from "../../../ui/format/time.ts";
import { hasChannels, isAbout, isNoneAbout, shownChannels, TileState, tileState } from "./tile-state.ts";

/** What a tile says besides its values. Each is undefined where it does not apply. */
export interface TileFacts {
  /** '12 min ago': its newest reading is older than two report intervals. */
  age: string | undefined;
  /** Who has confirmed what still stands: 'M. Okafor 13:19'; empty while that is not known, and it is none of the unconfirmed alerts. */
  confirmed: string | undefined;
  /** The sensor's range, '0 ~ 5 m': its value is beyond it, and in alarm. */
  range: string | undefined;
  state: TileState;
}

/** Alerts that stand, by channel. */
export interface Standing {
  unconfirmed: readonly Pick<AlertRow, "deviceChannelId">[];
  /** Undefined until they are known. */
  confirmed: readonly Omit<ConfirmedAlert, "deviceId">[] | undefined;
}

interface Shown {
  deviceChannelId: number;
  reportWithin: number;
  reading: Reading;
}

const ageOf = (shown: readonly Shown[], now: number): string | undefined => {
  const ages = shown.flatMap(({ reading: { updateTime }, reportWithin }) =>
    updateTime ? [{ age: now - updateTime.getTime(), isOld: isOverdue(updateTime, reportWithin, now) }] : [],
  );
  if (ages.length === 0 || !ages.every(({ isOld }) => isOld)) return undefined;
  return `${durationText(Math.min(...ages.map(({ age }) => age)))} ago`;
};

/** The sensor's range where the value is beyond it and an alert stands: then it is shown, and not N/A. */
const rangeOf = ({ sensorRange, unit }: Tile, value: number | null, isAlert: boolean): string | undefined => {
  if (!isAlert || value === null || !sensorRange) return undefined;
  const { zero, span } = sensorRange;
  return value < zero || value > span ? `${zero} ~ ${span} ${unit}` : undefined;
};

const confirmedBy = (
  channels: readonly Shown[],
  { unconfirmed, confirmed }: Standing,
  now: number,
): string | undefined => {
  if (confirmed === undefined) return isNoneAbout(unconfirmed, channels) ? "" : undefined;
  if (unconfirmed.some((alert) => isAbout(alert, channels))) return undefined;
  const [newest] = confirmed
    .filter((alert) => isAbout(alert, channels))
    .toSorted((a, b) => b.acceptTime.getTime() - a.acceptTime.getTime());
  return newest && `${shortName(newest.acceptName)} ${recentShort(newest.acceptTime, now)}`.trim();
};

/** What a tile says at `now`, by the server's clock. `live`: the newest live reading of a channel. */
export const factsOf = (
  tile: Tile,
  live: (channelId: number) => Reading | undefined,
  standing: Standing,
  now: number,
): TileFacts => {
  // Also those for which the tile has no room: its state is that of all.
  const all = (hasChannels(tile) ? tile.modbusChannels : [tile]).map((channel) => ({
    ...channel,
    reading: live(channel.deviceChannelId) ?? channel,
  }));
  const shown = hasChannels(tile) ? all.slice(0, shownChannels(tile).shown.length) : all;
  const state = tileState(all.map(({ reading }) => reading));
  const isAlert = [...standing.unconfirmed, ...(standing.confirmed ?? [])].some((alert) => isAbout(alert, all));
  const isBlank = state === TileState.noData && !hasChannels(tile);
  const range = isBlank ? rangeOf(tile, all[0]?.reading.value ?? null, isAlert) : undefined;
  const isAlarm = state === TileState.alarm || range !== undefined;
  return {
    age: state === TileState.noData && range === undefined ? undefined : ageOf(shown, now),
    confirmed: isAlarm ? confirmedBy(all, standing, now) : undefined,
    range,
    state: isAlarm ? TileState.alarm : state,
  };
};

const isSame = (a: TileFacts | undefined, b: TileFacts): boolean =>
  a?.age === b.age && a?.confirmed === b.confirmed && a?.range === b.range && a?.state === b.state;

/** What tiles say next: those that say the same keep their object, so that they are not rendered again. */
export const nextFacts = (before: readonly TileFacts[], next: readonly TileFacts[]): readonly TileFacts[] => {
  const kept = next.map((facts, at) => {
    const known = before[at];
    return known && isSame(known, facts) ? known : facts;
  });
  return kept.length === before.length && kept.every((facts, at) => facts === before[at]) ? before : kept;
};
