import type { RewoundAlert } from "@telltale/contract/domains/readings/rewind";
import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { hourMinute } from "../../../ui/format/time.ts";
import classes from "./strip.module.css";
import { type Bar, barsOf, ticksOf } from "./strip-model.ts";
import type { RewindWindow } from "./window.ts";

const [top, height, laneHeight] = [24, 34, 8];
const axis = top + height;

/** Width of an element in pixels, kept up to date. */
const useWidth = (): [RefObject<HTMLDivElement | null>, number] => {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [element, width];
};

const Alert = ({ bar: { lane, raised, begin, confirmed, end } }: { bar: Bar }) => {
  const y = top + 3.5 + lane * laneHeight;
  return (
    <g className={classes.alert}>
      {end > confirmed && (
        <rect className={classes.cleared} x={confirmed} y={y + 0.6} width={end - confirmed} height={3.8} />
      )}
      <rect x={begin} y={y} width={Math.max(1, confirmed - begin)} height={5} />
      {raised !== undefined && <path d={`M${raised} ${y - 2}l4.5 4.5-4.5 4.5-4.5-4.5z`} />}
    </g>
  );
};

interface StripProps {
  window: RewindWindow;
  /** Whether the window ends now. */
  isNewest: boolean;
  /** Milliseconds from moment to moment. */
  step: number;
  at: number;
  alerts: readonly RewoundAlert[];
  /** What is shown, for screen readers. */
  text: string;
  onMove: (at: number) => void;
  /** The pointer or key was released. */
  onKeep: (at: number) => void;
  onToggle: () => void;
}

/** By how many moments a key moves the flag. */
const strides: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -60,
  PageUp: 60,
};

/** Where a key takes the flag; undefined for any other key. */
const placeBy = ({ key, shiftKey }: KeyboardEvent, { window, at, step }: StripProps): number | undefined => {
  if (key === "Home") return window.from;
  if (key === "End") return window.to;
  const stride = strides[key];
  return stride === undefined ? undefined : at + stride * (shiftKey ? 10 : 1) * step;
};

/** The window as a slider: alerts as diamonds and bars as long as they stood, and a flag on the moment that is shown. */
export const Strip = (props: StripProps) => {
  const { window, isNewest, at, alerts, text, step, onMove, onKeep, onToggle } = props;
  const { from, to } = window;
  const [element, width] = useWidth();
  const bars = useMemo(() => barsOf(alerts, { from, to }, width), [alerts, from, to, width]);
  const ticks = useMemo(() => ticksOf({ from, to }, width), [from, to, width]);
  const x = (time: number) => ((time - from) / (to - from)) * width;
  const within = (time: number) => Math.min(to, Math.max(from, time));

  const timeUnder = ({ clientX }: PointerEvent): number => {
    const left = element.current?.getBoundingClientRect().left ?? 0;
    return within(from + ((clientX - left) / Math.max(1, width)) * (to - from));
  };
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    onMove(timeUnder(event));
  };
  const isDragged = ({ currentTarget, pointerId }: PointerEvent) => currentTarget.hasPointerCapture(pointerId);
  const onKey = (event: KeyboardEvent) => {
    const place = placeBy(event, props);
    if (place === undefined && event.key !== " ") return;
    event.preventDefault();
    if (place === undefined) onToggle();
    else onMove(within(place));
  };
  const flag = x(at);
  return (
    <div
      ref={element}
      className={classes.track}
      role="slider"
      tabIndex={0}
      aria-label="Time"
      aria-valuemin={0}
      aria-valuemax={Math.round((to - from) / step)}
      aria-valuenow={Math.round((at - from) / step)}
      aria-valuetext={text}
      onPointerDown={onDown}
      onPointerMove={(event) => isDragged(event) && onMove(timeUnder(event))}
      onPointerUp={(event) => isDragged(event) && onKeep(timeUnder(event))}
      onKeyDown={onKey}
      onKeyUp={(event) => placeBy(event, props) !== undefined && onKeep(at)}
    >
      <svg width={width} height={80} aria-hidden="true">
        <rect className={classes.ahead} x={0} y={top} width={width} height={height} />
        <rect className={classes.behind} x={0} y={top} width={Math.max(0, flag)} height={height} />
        {ticks.map(({ at: time, label, isDay }) => (
          <g key={time} className={classes.tick} data-day={isDay || undefined}>
            <line x1={x(time)} x2={x(time)} y1={axis} y2={axis + (label ? 5 : 3)} />
            {label && <line className={classes.grid} x1={x(time)} x2={x(time)} y1={top} y2={axis} />}
            {label && (
              <text x={x(time)} y={76}>
                {label}
              </text>
            )}
          </g>
        ))}
        <text className={classes.end} x={width} y={76}>
          {isNewest ? "now" : hourMinute(to)}
        </text>
        {bars.map((bar) => (
          <Alert key={bar.id} bar={bar} />
        ))}
        <line className={classes.pole} x1={flag} x2={flag} y1={20} y2={axis + 5} />
      </svg>
      <span className={classes.flag} style={{ left: `clamp(31px, ${flag}px, calc(100% - 31px))` }} aria-hidden="true">
        {hourMinute(at)}
      </span>
    </div>
  );
};
