import { createContext, useCallback, useContext, useSyncExternalStore } from "react";
import { createLiveValues, type LiveValues, type Reading } from "./live-values.ts";
import { type TileState, tileState } from "./tile-state.ts";

/** A store for one dashboard on screen. */
export const newLiveValues = (): LiveValues =>
  createLiveValues({ now: () => performance.now(), nextFrame: (run) => requestAnimationFrame(run) });

/** The live values of the dashboard on screen. */
export const LiveValuesContext = createContext<LiveValues>(newLiveValues());

/** What was loaded of a channel. */
export interface Loaded extends Reading {
  deviceChannelId: number;
}

/** The newest reading of a channel: the live one, else what was loaded. Renders only when this channel changes. */
export const useReading = (loaded: Loaded): Reading => {
  const live = useContext(LiveValuesContext);
  const { deviceChannelId } = loaded;
  const subscribe = useCallback((wake: () => void) => live.subscribe([deviceChannelId], wake), [live, deviceChannelId]);
  return useSyncExternalStore(subscribe, () => live.of(deviceChannelId)) ?? loaded;
};

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
