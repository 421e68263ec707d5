import { Code } from "@telltale/contract/call/codes";
import { type DashboardInfo, dashboards, type PlacedTile } from "@telltale/contract/domains/dashboard/dashboards";
import { type ReactNode, useId, useState } from "react";
import { useAction, useCall } from "../../../session/use-call.ts";
import { Button } from "../../../ui/control/button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { useArrangement } from "../../../ui/use-arrangement.ts";
import classes from "./arrange.module.css";
import { MovableTile } from "./movable-tile.tsx";

interface TilesProps {
  info: DashboardInfo;
  /** Reloads the dashboard's current state. */
  onReload: () => void;
  /** That is under way: what is moved meanwhile would be lost. */
  isReloading: boolean;
}

const keyOfTile = ({ tileId }: PlacedTile): number => tileId;
const nameOfTile = ({ name, deviceName }: PlacedTile): string => `${name}, ${deviceName}`;

const Tiles = ({ info, onReload, isReloading }: TilesProps): ReactNode => {
  const hint = useId();
  const initial = info.dashboardChannelList;
  const [tiles, setTiles] = useState(initial);
  const onMove = (moved: PlacedTile[]) => !isReloading && setTiles(moved);
  const arrangement = useArrangement({ items: tiles, onMove, keyOf: keyOfTile, nameOf: nameOfTile });
  const { list, announcement } = arrangement;
  const isChanged = tiles.some((tile, place) => tile !== initial[place]);
  const { mutate, isPending } = useAction(dashboards.order, {
    success: "Modify successful",
    invalidates: [dashboards.list, dashboards.tiles],
    onDone: onReload,
  });
  const { dashboardId, version } = info;
  const save = () =>
    mutate(
      { dashboardId, version, tileIds: tiles.map(({ tileId }) => tileId) },
      { onError: ({ code }) => code === Code.conflict && onReload() },
    );
  const title = (
    <>
      <small>
        <Link to="/configureDashboard">CONFIGURATION-DASHBOARD</Link> /
      </small>{" "}
      {info.name}
    </>
  );
  const buttons = (
    <Button size="xs" onClick={save} loading={isPending || isReloading} disabled={!isChanged}>
      Save order
    </Button>
  );
  return (
    <>
      <PageTitle aside={buttons}>{title}</PageTitle>
      {tiles.length === 0 ? (
        <EmptyState>There are no channels on this dashboard</EmptyState>
      ) : (
        <p id={hint} className={classes.hint}>
          Drag a tile to its place, or move it with the arrow keys, Home and End.
        </p>
      )}
      <ol ref={list} className={classes.grid} aria-label="Tiles">
        {tiles.map((tile) => (
          <MovableTile key={tile.tileId} tile={tile} arrangement={arrangement} hint={hint} />
        ))}
      </ol>
      <p role="status" className={classes.spoken}>
        {announcement}
      </p>
    </>
  );
};

/** A snapshot of the dashboard, reloaded only on request: other users' changes must not move tiles during a drag. */
const useSnapshot = (dashboardId: number) => {
  const query = useCall(
    dashboards.info,
    { dashboardId },
    { placeholderData: () => undefined, refetchOnMount: "always", refetchOnWindowFocus: false },
  );
  const [held, setHeld] = useState<{ info: DashboardInfo; round: number }>();
  if (!held && query.data && query.isFetchedAfterMount) setHeld({ info: query.data, round: 0 });
  const [isReloading, setReloading] = useState(false);
  const reload = async () => {
    setReloading(true);
    const { data } = await query.refetch();
    setReloading(false);
    if (data) setHeld((before) => ({ info: data, round: (before?.round ?? 0) + 1 }));
  };
  return { held, error: query.error, isReloading, reload: () => void reload() };
};

const OneDashboard = ({ dashboardId }: { dashboardId: number }): ReactNode => {
  const { held, error, isReloading, reload } = useSnapshot(dashboardId);
  if (held) return <Tiles key={held.round} info={held.info} onReload={reload} isReloading={isReloading} />;
  return error && <ErrorState error={error} onRetry={reload} />;
};

/** Sorts the tiles of a dashboard; without an id, those of the plant's default. (decisions §4) */
export const ArrangeDashboard = ({ dashboardId }: { dashboardId: number | undefined }): ReactNode => {
  const names = useCall(dashboards.names, {}, { enabled: dashboardId === undefined });
  const id = dashboardId ?? names.data?.[0]?.dashboardId;
  if (id !== undefined) return <OneDashboard key={id} dashboardId={id} />;
  if (names.error) return <ErrorState error={names.error} onRetry={names.refetch} />;
  return names.data && <EmptyState>There are no dashboards</EmptyState>;
};
