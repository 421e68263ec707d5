import { useCallback, useContext, useSyncExternalStore } from "react";
import { LiveValuesContext, type Loaded } from "../../session/use-live-values.ts";
import { type TileState, tileState } from "./tile-state.ts";

/** The state of a tile of these channels; renders only when the state changes, not with every value. */
export const useTileState = (loaded: readonly Loaded[]): TileState => {
  const live = useContext(LiveValuesContext);
  const subscribe = useCallback(
    (wake: () => void) =>
      live.subscribe(
        loaded.map((channel) => channel.deviceChannelId),
        wake,
      ),
    [live, loaded],
  );
  return useSyncExternalStore(subscribe, () =>
    tileState(loaded.map((channel) => live.of(channel.deviceChannelId) ?? channel)),
  );
};
