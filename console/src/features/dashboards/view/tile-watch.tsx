import { alerts, type ConfirmedAlert } from "@telltale/contract/domains/alerts";
import { type Tile, tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { useContext, useEffect, useEffectEvent, useRef } from "react";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useAlertsByDevice } from "../../../session/live/use-alerts-by-device.ts";
import { LiveValuesContext } from "../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useCall } from "../../../session/use-call.ts";
import { useSparklines } from "./sparks/traces.tsx";
import { factsOf, nextFacts, type TileFacts } from "./tile-facts.ts";
import { channelsOf } from "./tile-state.ts";

/** Ages and readings are looked at so often, in milliseconds, however many readings arrive. */
const interval = 1000;

const withDevice = (list: readonly ConfirmedAlert[], deviceId: number, rows: readonly ConfirmedAlert[]) => [
  ...list.filter((row) => row.deviceId !== deviceId),
  ...rows,
];

interface TileWatchProps {
  tiles: readonly Tile[];
  /** What the tiles say, in their order; an object stays the same while it says the same. */
  onFacts: (change: (before: readonly TileFacts[]) => readonly TileFacts[]) => void;
}

/** Who has confirmed what stands; undefined until known. */
const useConfirmed = (): readonly ConfirmedAlert[] | undefined => {
  useAlertsByDevice({ call: alerts.confirmed, field: "confirmed", withDevice });
  return useCall(alerts.confirmed, {}, { meta: { quiet: true, isShownInPlace: true } }).data;
};

/** Fetches the lines anew when a channel's unit, or how often it is to report, has changed: the lines were of other settings. */
const useLinesOfSettings = (tiles: readonly Tile[]): void => {
  const invalidate = useInvalidate();
  const known = useRef<ReadonlyMap<number, string>>(new Map());
  useEffect(() => {
    const before = known.current;
    known.current = new Map(
      tiles
        .flatMap(channelsOf)
        .map(({ deviceChannelId, unit, reportWithin }) => [deviceChannelId, `${reportWithin} ${unit}`]),
    );
    const isOther = ([channelId, now]: readonly [number, string]) => (before.get(channelId) ?? now) !== now;
    if ([...known.current].some(isOther)) invalidate([tileCalls.sparklines]);
  }, [tiles, invalidate]);
};

/** Looks at what tiles say besides their values, and fetches the lines that they draw. Shows nothing. */
export const TileWatch = ({ tiles, onFacts }: TileWatchProps) => {
  const live = useContext(LiveValuesContext);
  const { alerts: unconfirmed } = useUnconfirmed();
  const confirmed = useConfirmed();
  const { ahead } = useSparklines({ isOwner: true });
  useLinesOfSettings(tiles);

  const look = useEffectEvent(() => {
    const now = Date.now() + ahead;
    const standing = { unconfirmed, confirmed };
    onFacts((before) =>
      nextFacts(
        before,
        tiles.map((tile) => factsOf(tile, live.of, standing, now)),
      ),
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands and what is shown is looked at as soon as it changes
  useEffect(() => look(), [tiles, unconfirmed, confirmed]);
  useEffect(() => {
    let soon: ReturnType<typeof setTimeout> | undefined;
    let last = Number.NEGATIVE_INFINITY;
    // At once after a pause: a value that goes beyond its sensor's range in alarm would be N/A meanwhile.
    const lookSoon = () => {
      soon ??= setTimeout(
        () => {
          soon = undefined;
          last = performance.now();
          look();
        },
        Math.max(0, last + interval - performance.now()),
      );
    };
    const ids = tiles.flatMap((tile) => channelsOf(tile).map(({ deviceChannelId }) => deviceChannelId));
    const forget = live.subscribe(ids, lookSoon);
    const timer = setInterval(lookSoon, 5 * interval);
    return () => {
      forget();
      clearInterval(timer);
      clearTimeout(soon);
    };
  }, [live, tiles]);
  return null;
};
