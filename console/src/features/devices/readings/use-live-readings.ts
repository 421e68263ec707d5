import { ReadingStatus } from "@telltale/contract/domains/channels";
import { LiveCommand } from "@telltale/contract/live";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLive, useWatchedChannels } from "../../../session/live/live.ts";

/** A reading that arrived while the screen was open. */
export interface LiveReading {
  /** Device time, epoch milliseconds. */
  time: number;
  /** Null when the device reported no data. */
  value: number | null;
  status: number;
}

/** Above this number the screen reloads the line instead of keeping them. */
const most = 2000;
/** Minimum time between redraws of a fast channel, in milliseconds. */
const pause = 200;

/** Drops readings that are not newer than the previous one: a device may resend one. */
const inOrder = (readings: LiveReading[]): LiveReading[] =>
  readings.filter(({ time }, index) => index === 0 || time > (readings[index - 1]?.time ?? 0));

/** The readings of a channel since the screen was opened, oldest first; `onFull` is called when there are too many to keep. */
export const useLiveReadings = (deviceChannelId: number, onFull: () => void) => {
  const [readings, setReadings] = useState<LiveReading[]>([]);
  const waiting = useRef<LiveReading[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const take = useEffectEvent(() => {
    timer.current = undefined;
    const fresh = waiting.current;
    waiting.current = [];
    setReadings((old) => inOrder([...old, ...fresh].sort((a, b) => a.time - b.time)));
    if (readings.length + fresh.length > most) onFull();
  });
  useWatchedChannels([deviceChannelId]);
  useLive(LiveCommand.value, (message) => {
    if (message.deviceChannelId !== deviceChannelId) return;
    const value = message.status === ReadingStatus.noData ? null : message.value;
    waiting.current.push({ time: message.updateTime, value, status: message.status });
    timer.current ??= setTimeout(() => take(), pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { readings, clear: () => setReadings([]) };
};
