import { LiveCommand } from "@telltale/contract/live";
import { createContext, useCallback, useContext, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { useLive, useWatchedChannels } from "./live.ts";
import { createLiveValues, type LiveValues, type Reading } from "./live-values.ts";

const newLiveValues = (): LiveValues =>
  createLiveValues({ now: () => performance.now(), nextFrame: (run) => requestAnimationFrame(run) });

/** The live values of the channels on screen. */
export const LiveValuesContext = createContext<LiveValues>(newLiveValues());

/** A store of live values for the answer of a call. The answer replaces live values that arrived before its request started; later ones are newer. */
export const useLiveValues = (isFetching: boolean, loadedAt: number): LiveValues => {
  const [live] = useState(newLiveValues);
  const began = useRef(0);
  useEffect(() => {
    if (isFetching) began.current = performance.now();
  }, [isFetching]);
  useEffect(() => {
    if (loadedAt > 0) live.forgetBefore(began.current);
  }, [live, loadedAt]);
  useLive(LiveCommand.value, ({ deviceChannelId, value, status, updateTime }) =>
    live.set(deviceChannelId, { value, status, updateTime: new Date(updateTime) }),
  );
  return live;
};

/** A channel's reading as loaded. */
export interface Loaded extends Reading {
  deviceChannelId: number;
}

/** The newest reading of a channel: the live one, or the loaded one. Re-renders only when this channel changes. */
export const useReading = (loaded: Loaded): Reading => {
  const live = useContext(LiveValuesContext);
  const { deviceChannelId } = loaded;
  useWatchedChannels([deviceChannelId]);
  const subscribe = useCallback((wake: () => void) => live.subscribe([deviceChannelId], wake), [live, deviceChannelId]);
  return useSyncExternalStore(subscribe, () => live.of(deviceChannelId)) ?? loaded;
};
