import { useSession } from "../../session/session.ts";
import { LiveValuesContext } from "../../session/use-live-values.ts";
import { EmptyState, ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";
import { TileGrid, TileSkeletons } from "./tile-grid.tsx";
import { useTiles } from "./use-tiles.ts";

/** A dashboard without channels, and what to do about it. */
const NoTiles = () => {
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

/** The channels of the dashboard, live. */
export const Dashboard = () => {
  const { tiles, isWaiting, error, retry, live } = useTiles();
  const failure = error && (
    <Panel>
      <ErrorState error={error} onRetry={retry} />
    </Panel>
  );
  if (tiles === undefined) return failure ?? <TileSkeletons />;
  if (tiles.length === 0) return <NoTiles />;
  return (
    <LiveValuesContext value={live}>
      {failure}
      <TileGrid tiles={tiles} isWaiting={isWaiting} />
    </LiveValuesContext>
  );
};
