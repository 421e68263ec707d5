import { ReadingStatus } from "@telltale/contract/domains/channels";
import { LiveCommand } from "@telltale/contract/live";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLive } from "../../../session/live/live.ts";

/** A reading that came in while the screen was open. */
export interface LiveReading {
  /** Device time, epoch milliseconds. */
  time: number;
  /** Null when the device said that it has no data. */
  value: number | null;
  status: number;
}

/** After so many the screen loads the line anew instead of keeping them. */
const most = 2000;
/** A fast channel is drawn this often, in milliseconds. */
const pause = 200;

/** Without what is no newer than the reading before: a device may send one twice. */
const inOrder = (readings: LiveReading[]): LiveReading[] =>
  readings.filter(({ time }, index) => index === 0 || time > (readings[index - 1]?.time ?? 0));

/** The readings of a channel since the screen was opened, oldest first; `onFull` when they become too many to keep. */
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
  useLive(LiveCommand.value, (message) => {
    if (message.deviceChannelId !== deviceChannelId) return;
    const value = message.status === ReadingStatus.noData ? null : message.value;
    waiting.current.push({ time: message.updateTime, value, status: message.status });
    timer.current ??= setTimeout(() => take(), pause);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { readings, clear: () => setReadings([]) };
};
