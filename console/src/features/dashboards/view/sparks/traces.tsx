import type { Result } from "@telltale/contract/call/call";
import { Analog, ChannelType } from "@telltale/contract/domains/channels";
import {
  sparklineSpan,
  type Tile,
  TileKind,
  tileCalls,
  tracedChannels,
} from "@telltale/contract/domains/dashboard/tiles";
import { createContext, useContext, useEffect, useRef } from "react";
import { type LineKind, lineKind } from "../../../../domain/shown-value.ts";
import { useIsLost } from "../../../../session/live/live.ts";
import { LiveValuesContext, type Loaded } from "../../../../session/live/use-live-values.ts";
import { useCall } from "../../../../session/use-call.ts";
import { hourMinute } from "../../../../ui/format/time.ts";
import { paint } from "./paint.ts";
import { keepDrawn } from "./painter.ts";
import { append, forget, type Trace, traceOf } from "./trace.ts";
import classes from "./traces.module.css";

/** Interval in milliseconds after which the lines are fetched again; live readings extend them meanwhile. */
const refetchAfter = 5 * 60_000;

/** Age in milliseconds from which they are fetched when the page is looked at again: a hidden page draws nothing, and keeps the newest values only. */
const staleAfter = 60_000;

/** The lines of an hour that is over, for the tiles of a rewound dashboard. */
export const PastLines = createContext<Result<typeof tileCalls.sparklines> | undefined>(undefined);

/** The lines of the dashboard, fetched by one part of the screen (`isOwner`) for all. `ahead`: how much the server's clock is ahead of the browser's. */
export const useSparklines = ({ isOwner = false, enabled = true }: { isOwner?: boolean; enabled?: boolean }) => {
  const { data, dataUpdatedAt } = useCall(
    tileCalls.sparklines,
    {},
    {
      enabled,
      meta: { quiet: true, isShownInPlace: true },
      staleTime: isOwner ? staleAfter : Number.POSITIVE_INFINITY,
      refetchInterval: isOwner && refetchAfter,
    },
  );
  return { data, ahead: data ? data.to - dataUpdatedAt : 0 };
};

interface Traced extends Loaded {
  kind: LineKind;
  /** Usual milliseconds between two reports, at most. */
  expected: number;
}

interface SparklineProps {
  channel: Traced;
  isStale: boolean;
  isAlarm: boolean;
}

/** What a drawing shows; it is drawn from here, outside of React. */
interface Shown extends SparklineProps {
  trace: Trace | undefined;
  ahead: number;
  /** The moment of a rewound dashboard. */
  then: number | undefined;
  isLost: boolean;
}

const draw = (canvas: HTMLCanvasElement, shown: { current: Shown }) =>
  keepDrawn({
    canvas,
    draw: (size, colours) => {
      const { trace, channel, ahead, then, isStale, isLost, isAlarm } = shown.current;
      if (!trace) return;
      const now = then ?? Date.now() + ahead;
      forget(trace, now - sparklineSpan);
      paint(canvas, trace, { kind: channel.kind, isQuiet: isStale || isLost, isLost, isAlarm }, { size, now, colours });
    },
  });

/** The last hour of a channel: what the server has of it, and what has come since. Is not rendered again when a reading comes. */
const Sparkline = (props: SparklineProps) => {
  const { channel, isStale, isAlarm } = props;
  const { deviceChannelId, expected } = channel;
  const canvas = useRef<HTMLCanvasElement>(null);
  const past = useContext(PastLines);
  const then = past?.to;
  const isLost = useIsLost() && !past;
  const live = useContext(LiveValuesContext);
  const { data: fetched, ahead } = useSparklines({ enabled: !past });
  const data = past ?? fetched;
  const shown = useRef<Shown>({ ...props, trace: undefined, ahead, then, isLost });
  const drawing = useRef<ReturnType<typeof keepDrawn>>(undefined);
  const { value, updateTime } = channel;

  useEffect(() => {
    if (!canvas.current) return;
    const kept = draw(canvas.current, shown);
    drawing.current = kept;
    const forgetLive = live.subscribe([deviceChannelId], () => {
      const reading = live.of(deviceChannelId);
      const { trace } = shown.current;
      if (!trace || !reading || reading.value === null || !reading.updateTime) return;
      if (append(trace, reading.updateTime.getTime(), reading.value)) kept.changed();
    });
    return () => {
      forgetLive();
      kept.end();
    };
  }, [live, deviceChannelId]);

  useEffect(() => {
    if (!data) return;
    const line = data.lines.find((each) => each.deviceChannelId === deviceChannelId);
    const trace = traceOf(line, data.from, expected, then === undefined ? shown.current.trace : undefined);
    // A value that is not reported while it does not change may be older than the hour.
    const newest = live.of(deviceChannelId) ?? { value, updateTime };
    if (newest.value !== null && newest.updateTime) append(trace, newest.updateTime.getTime(), newest.value);
    Object.assign(shown.current, { trace, then });
    drawing.current?.renew();
  }, [data, then, live, deviceChannelId, expected, value, updateTime]);

  useEffect(() => {
    Object.assign(shown.current, { channel, ahead, isStale, isAlarm, isLost });
    drawing.current?.renew();
  }, [channel, ahead, isStale, isAlarm, isLost]);

  return <canvas ref={canvas} className={classes.canvas} />;
};

const registers = { channelType: ChannelType.modbus, channelAnalogId: Analog.other, channelSwitch: 1 } as const;

const tracedOf = (tile: Tile): Traced[] => {
  if (tile.kind === TileKind.channel) {
    const kind = lineKind({ ...tile, channelCn: "", channelSwitch: 1 });
    return [{ ...tile, kind, expected: tile.reportWithin * 1000 }];
  }
  return tracedChannels(tile.kind, tile.modbusChannels).map((channel) => ({
    ...channel,
    kind: lineKind({ ...channel, ...registers }),
    expected: channel.reportWithin * 1000,
  }));
};

interface TracesProps {
  tile: Tile;
  isStale: boolean;
  isAlarm: boolean;
}

/** The last hour of a tile's channels, edge to edge; a motor controller names the register. */
export const Traces = ({ tile, ...look }: TracesProps) => {
  const traced = tracedOf(tile);
  const past = useContext(PastLines);
  const [register] = tile.kind === TileKind.modbus ? tracedChannels(tile.kind, tile.modbusChannels) : [];
  return (
    <>
      {register && (
        <div className={classes.caption}>
          {register.channelName}, {past ? `${hourMinute(past.from)} ~ ${hourMinute(past.to)}` : "last hour"}
        </div>
      )}
      <div className={classes.traces} aria-hidden="true">
        {traced.map((channel) => (
          <Sparkline key={channel.deviceChannelId} channel={channel} {...look} />
        ))}
      </div>
    </>
  );
};
