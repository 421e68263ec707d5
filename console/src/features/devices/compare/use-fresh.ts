import { ReadingStatus } from "@telltale/contract/domains/channels";
import { LiveCommand } from "@telltale/contract/live";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { Sample } from "../../../domain/samples.ts";
import { useLive, useWatchedChannels } from "../../../session/live/live.ts";

/** Milliseconds between two redraws, and so many readings of a channel that the lines are to be loaded again instead of keeping more. */
const pause = 500;
const most = 2000;

type Fresh = ReadonlyMap<number, readonly Sample[]>;

const nothing: Fresh = new Map();

const withMore = (fresh: Fresh, more: ReadonlyMap<number, Sample[]>): Fresh => {
  const next = new Map(fresh);
  for (const [channelId, samples] of more)
    next.set(
      channelId,
      [...(next.get(channelId) ?? []), ...samples].sort(([a], [b]) => a - b),
    );
  return next;
};

/** The readings of some channels since the page was opened, oldest first; `onFull` is called when there are too many to keep, and they begin anew. */
export const useFresh = (ids: readonly number[], onFull: () => void): Fresh => {
  const [fresh, setFresh] = useState(nothing);
  const waiting = useRef(new Map<number, Sample[]>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useWatchedChannels(ids);
  useLive(LiveCommand.value, ({ deviceChannelId, value, status, updateTime }) => {
    if (!ids.includes(deviceChannelId)) return;
    const sample: Sample = [updateTime, status === ReadingStatus.noData ? null : value];
    waiting.current.set(deviceChannelId, [...(waiting.current.get(deviceChannelId) ?? []), sample]);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const more = waiting.current;
      waiting.current = new Map();
      setFresh((old) => withMore(old, more));
    }, pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const isFull = ids.some((id) => (fresh.get(id)?.length ?? 0) > most);
  const begin = useEffectEvent(() => {
    setFresh(nothing);
    onFull();
  });
  useEffect(() => {
    if (isFull) begin();
  }, [isFull]);
  return fresh;
};
