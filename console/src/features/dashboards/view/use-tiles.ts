import { type CallError, UnreachableError } from "@telltale/contract/call/client";
import { type Tile, tileCalls } from "@telltale/contract/domains/dashboard/tiles";
import { LiveCommand } from "@telltale/contract/live";
import { useMemo } from "react";
import { useInvalidate } from "../../../session/invalidate.ts";
import type { LiveValues } from "../../../session/live/live-values.ts";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { useLiveValues } from "../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../session/live/use-unconfirmed.ts";
import { useCall } from "../../../session/use-call.ts";
import { hasChannels, withUnitPart } from "./tile-state.ts";

export interface Tiles {
  /** In the dashboard's order; undefined until loaded. */
  tiles: readonly Tile[] | undefined;
  /** Whether the channels of group and modbus tiles are still loading. */
  isWaiting: boolean;
  /** Why tiles, or their channels, could not be loaded. */
  error: Error | null;
  retry: () => void;
  live: LiveValues;
}

const calls = [tileCalls.tiles, tileCalls.unitPart];

/** The specification defines no message for only one failure: the dashboard's code -1. (spec 1 §8) */
const silentCode = -1;
const meta = { quiet: true, silentCode };

/** The failure as the screen shows it. */
const shown = (error: CallError | null): Error | null =>
  error?.code === silentCode && !(error instanceof UnreachableError)
    ? new Error("The dashboard could not be loaded")
    : error;

/** What the page asked for beside its code is not asked for again when the tiles are shown, milliseconds. */
const fresh = 2_000;

/** The tiles, then the channels of groups and modbus devices. */
const useTileCalls = () => {
  const list = useCall(tileCalls.tiles, {}, { meta, staleTime: fresh });
  const ids = useMemo(
    () => [...new Set((list.data ?? []).filter(hasChannels).map((tile) => tile.deviceChannelId))],
    [list.data],
  );
  const part = useCall(tileCalls.unitPart, { deviceChannelIds: ids }, { enabled: ids.length > 0, meta });
  return { list, part, isWaiting: ids.length > 0 && part.isPending };
};

/** Whether the height of the tiles, or of the alerts above them, is not known yet. */
export const useIsHeightUnknown = (): boolean => {
  const { list, isWaiting } = useTileCalls();
  const { isPending } = useUnconfirmed();
  return list.isPending || isWaiting || isPending;
};

/** Loads the tiles with their channels, and reloads them when the dashboard changes. (spec 1 §4) */
export const useTiles = (): Tiles => {
  const invalidate = useInvalidate();
  const { list, part, isWaiting } = useTileCalls();
  const live = useLiveValues(list.isFetching || part.isFetching, Math.max(list.dataUpdatedAt, part.dataUpdatedAt));

  useLiveRefetch(calls, [LiveCommand.dashboardChange]);

  // Code 110, no unit part, leaves `data` null: such tiles have no channels, which is not an error. (spec 1 §8)
  const tiles = useMemo(() => list.data?.map((tile) => withUnitPart(tile, part.data ?? [])), [list.data, part.data]);
  // Loaded tiles stay on screen; a failed refetch only shows a message, or nothing when the server was not reached. (spec 1 §8)
  const error = (list.data ? null : list.error) ?? (part.data === undefined ? part.error : null);
  return {
    tiles,
    isWaiting,
    error: shown(error),
    retry: () => invalidate(calls),
    live,
  };
};
