import { ReadingStatus } from "@telltale/contract/channels";
import { LiveCommand } from "@telltale/contract/live";
import { useState } from "react";
import { useLive } from "../../session/live.ts";

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

/** The readings of a channel since the screen was opened, oldest first; `onFull` when they become too many to keep. */
export const useLiveReadings = (deviceChannelId: number, onFull: () => void) => {
  const [readings, setReadings] = useState<LiveReading[]>([]);
  useLive(LiveCommand.value, (message) => {
    if (message.deviceChannelId !== deviceChannelId) return;
    const value = message.status === ReadingStatus.noData ? null : message.value;
    const next = { time: message.updateTime, value, status: message.status };
    setReadings((old) => (next.time > (old.at(-1)?.time ?? 0) ? [...old, next] : old));
    if (readings.length >= most) onFull();
  });
  return { readings, clear: () => setReadings([]) };
};
