import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from "react";
import classes from "./chart-canvas.module.css";
import { createLineChart, type LiveChart } from "./line-chart.ts";
import type { Picture, Zoom } from "./picture.ts";
import { inWords } from "./words.ts";
import { zoomByKey } from "./zoom.ts";

interface ChartCanvasProps {
  picture: Picture;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
}

/** Draws a picture and keeps what it is zoomed to; the chart lives as long as the component. */
export const ChartCanvas = ({ picture, zoom, onZoom }: ChartCanvasProps) => {
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
  useEffect(() => chart.current?.draw(picture), [picture]);
  const words = useMemo(() => inWords(picture, zoom), [picture, zoom]);

  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? undefined : zoomByKey(zoom, event.key);
    if (!next) return;
    event.preventDefault();
    chart.current?.zoomTo(next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a chart that keys zoom is no form field
    <div
      className={classes.frame}
      role="group"
      aria-label="Chart: arrow keys move, plus and minus zoom"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys need the focus
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div ref={element} className={classes.canvas} role="img" aria-label={words} />
    </div>
  );
};
