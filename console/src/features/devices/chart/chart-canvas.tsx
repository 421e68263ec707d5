import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from "react";
import classes from "./chart-canvas.module.css";
import type { ChartModel, Zoom } from "./drawing/chart-model.ts";
import { chartText } from "./drawing/text.ts";
import { createLineChart, type LiveChart } from "./line-chart.ts";

/** Smallest part of the range, in percent, that keyboard zoom reaches. */
const least = 0.05;

const placed = (start: number, span: number): Zoom => {
  const width = Math.min(100, Math.max(least, span));
  const from = Math.min(Math.max(0, start), 100 - width);
  return { start: from, end: from + width };
};

/**
 * The view after a key: the arrows move by a tenth of the view, plus and minus halve and double it about its middle, Home and End go to the ends of
 * the range. Undefined for any other key.
 */
export const zoomByKey = ({ start, end }: Zoom, key: string): Zoom | undefined => {
  const span = end - start;
  const middle = start + span / 2;
  switch (key) {
    case "ArrowLeft":
      return placed(start - span / 10, span);
    case "ArrowRight":
      return placed(start + span / 10, span);
    case "+":
    case "=":
      return placed(middle - span / 4, span / 2);
    case "-":
      return placed(middle - span, span * 2);
    case "Home":
      return placed(0, span);
    case "End":
      return placed(100, span);
    default:
      return undefined;
  }
};

interface ChartCanvasProps {
  model: ChartModel;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}

/** Draws a model and keeps its zoom; the chart instance lives as long as the component. */
export const ChartCanvas = ({ model, zoom, onZoom }: ChartCanvasProps) => {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<LiveChart>(undefined);
  const opening = useEffectEvent(() => zoom);
  const onChange = useEffectEvent(onZoom);

  useEffect(() => {
    if (!element.current) return undefined;
    const made = createLineChart(element.current, { zoom: opening(), onZoom: onChange });
    chart.current = made;
    return made.stop;
  }, []);
  useEffect(() => chart.current?.draw(model), [model]);
  const words = useMemo(() => chartText(model, zoom), [model, zoom]);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : zoomByKey(zoom, event.key);
    if (!next) return;
    event.preventDefault();
    chart.current?.zoomTo(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart zoomed by keys is not a form field
    <div
      className={classes.frame}
      role="group"
      aria-label="Chart: arrow keys move, plus and minus zoom"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard zoom needs the focus
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div ref={element} className={classes.canvas} role="img" aria-label={words} />
    </div>
  );
};
