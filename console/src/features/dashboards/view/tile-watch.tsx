import { alerts } from "@telltale/contract/domains/alerts";
import type { Tile } from "@telltale/contract/domains/tiles";
import { useContext, useEffect, useEffectEvent } from "react";
import { unhurried, useAlertsRefetch } from "../../../session/live/use-alerts-refetch.ts";
import { LiveValuesContext } from "../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useCall } from "../../../session/use-call.ts";
import { useSparklines } from "./sparks/traces.tsx";
import { factsOf, nextFacts, type TileFacts } from "./tile-facts.ts";
import { channelsOf } from "./tile-state.ts";

/** Ages and readings are looked at so often, in milliseconds, however many readings arrive. */
const interval = 1000;

interface TileWatchProps {
  tiles: readonly Tile[];
  /** What the tiles say, in their order; an object stays the same while it says the same. */
  onFacts: (change: (before: readonly TileFacts[]) => readonly TileFacts[]) => void;
}

/** Looks at what tiles say besides their values, and fetches the lines that they draw. Shows nothing. */
export const TileWatch = ({ tiles, onFacts }: TileWatchProps) => {
  const live = useContext(LiveValuesContext);
  const { alerts: unconfirmed } = useUnconfirmed();
  const confirmed = useCall(alerts.confirmed, {}, { meta: { quiet: true, isShownInPlace: true } }).data;
  const { ahead } = useSparklines({ isOwner: true });
  useAlertsRefetch([alerts.confirmed], unhurried);

  const look = useEffectEvent(() => {
    const now = Date.now() + ahead;
    const standing = { unconfirmed, confirmed: confirmed ?? [] };
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
    const lookSoon = () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        look();
      }, interval);
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
