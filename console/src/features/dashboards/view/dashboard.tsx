import type { AlertRow } from "@telltale/contract/domains/alerts";
import type { Tile as TileRow } from "@telltale/contract/domains/dashboard/tiles";
import { type ReactNode, Suspense, useDeferredValue, useState } from "react";
import { useIsLost } from "../../../session/live/live.ts";
import { LiveValuesContext } from "../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useSession } from "../../../session/session.ts";
import { lazyPlain } from "../../../ui/load-with-retry.ts";
import { Turn, useIsTurn } from "../../../ui/page/first-screen.ts";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import classes from "./dashboard.module.css";
import skeleton from "./skeleton.module.css";
import { Tile } from "./tile.tsx";
import type { TileFacts } from "./tile-facts.ts";
import { channelsOf, isNoneAbout } from "./tile-state.ts";
import { useIsHeightUnknown, useTiles } from "./use-tiles.ts";

/** The key of a tile: groups of one device may start with the same channel. */
const keyOf = (tile: TileRow): string => `${tile.kind}:${tile.dashboardGroupId ?? ""}:${tile.deviceChannelId}`;

interface TileGridProps {
  tiles: readonly TileRow[];
  /** Whether the channels of groups and modbus devices are still loading. */
  isWaiting: boolean;
  /** What they say besides their values, in their order. */
  facts: readonly TileFacts[];
  /** The unconfirmed alerts of now; absent in the past. */
  unconfirmed?: readonly AlertRow[];
  /** Nothing that is shown is live. */
  isLost: boolean;
}

const TileWatch = lazyPlain(() => import("./after-tiles.ts"), "TileWatch");

/** The dashboard's windows, four in a row. (spec 1 §9) */
export const TileGrid = ({ tiles, isWaiting, facts, unconfirmed, isLost }: TileGridProps) => (
  <section className={classes.grid} aria-label="Channels" data-lost={isLost || undefined}>
    {tiles.map((tile, index) => (
      <Tile
        key={keyOf(tile)}
        {...{ tile, index, isWaiting }}
        facts={facts[index]}
        isUnlisted={unconfirmed !== undefined && isNoneAbout(unconfirmed, channelsOf(tile))}
      />
    ))}
  </section>
);

const LiveTiles = (shown: Pick<TileGridProps, "tiles" | "isWaiting">) => {
  const [facts, setFacts] = useState<readonly TileFacts[]>([]);
  const { alerts, isPending } = useUnconfirmed();
  const isTurn = useIsTurn(Turn.lines);
  return (
    <>
      <TileGrid {...shown} facts={facts} {...(!isPending && { unconfirmed: alerts })} isLost={useIsLost()} />
      <Suspense>{isTurn && <TileWatch tiles={shown.tiles} onFacts={setFacts} />}</Suspense>
    </>
  );
};

const placeholders = Array.from({ length: 8 }, (_, place) => place);

/** Placeholders for the tiles that are loading. */
export const TileSkeletons = () => (
  <section className={classes.grid} aria-label="Loading channels" aria-busy="true">
    {placeholders.map((place) => (
      <div key={place} className={classes.placeholder}>
        <div className={classes.placeholderHead}>
          <span className={`${skeleton.bar} ${classes.placeholderType}`} />
        </div>
        <span className={`${skeleton.bar} ${classes.placeholderName}`} />
        <span className={`${skeleton.bar} ${classes.placeholderValue}`} />
      </div>
    ))}
  </section>
);

/** Message for a dashboard without channels, and what to do. */
export const NoTiles = () => {
  const { can } = useSession();
  return (
    <Panel>
      <EmptyState>
        {can("devices.add")
          ? "There are no channels on this dashboard. Open a device below to see its channels, or add one."
          : "There are no channels on this dashboard. The owner of the plant chooses what it shows."}
      </EmptyState>
    </Panel>
  );
};

/** What is below the tiles: shown once they are loaded, since they would push it away under the pointer. */
export const BelowTiles = ({ children, isWaiting = false }: { children: ReactNode; isWaiting?: boolean }) => (
  <div className={classes.below} data-waiting={useIsHeightUnknown() || isWaiting || undefined}>
    {children}
  </div>
);

/** The channels of the dashboard, live. */
export const Dashboard = () => {
  const { tiles: loaded, isWaiting, error, retry, live } = useTiles();
  const { isPending } = useUnconfirmed();
  // Dozens of tiles are rendered in slices, so that the screen answers meanwhile. The alerts above would push them away under the pointer.
  const tiles = useDeferredValue(isPending ? undefined : loaded);
  const failure = error && (
    <Panel>
      <ErrorState error={error} onRetry={retry} />
    </Panel>
  );
  // Below the alerts the placeholders are others.
  if (tiles === undefined) return failure ?? <TileSkeletons key={isPending ? "before" : "below"} />;
  if (tiles.length === 0) return <NoTiles />;
  return (
    <LiveValuesContext value={live}>
      {failure}
      <LiveTiles tiles={tiles} isWaiting={isWaiting} />
    </LiveValuesContext>
  );
};
