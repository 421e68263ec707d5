import { LineChart } from "echarts/charts";
import {
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TooltipComponent,
} from "echarts/components";
import { type ECharts, init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import { axisTexts } from "./drawing/axes.ts";
import { type ChartModel, defaultZoom, onlyReading, type Zoom } from "./drawing/chart-model.ts";
import { type Layout, layoutOf } from "./drawing/layout.ts";
import { fullOption, zoomedOption } from "./drawing/option.ts";
import { beyond, drawnLine, seriesId } from "./drawing/series.ts";
import { readTokens } from "./drawing/tokens.ts";

/** The ECharts modules that the chart uses; everything else stays out of the bundle. */

use([
  CanvasRenderer,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LineChart,
  MarkAreaComponent,
  MarkLineComponent,
  TooltipComponent,
]);

/**
 * Keeps tooltip and marker at the reading under the pointer: ECharts removes both with each drawing, and a live channel is redrawn every second.
 */
const createPointer = (chart: ECharts) => {
  let place: { x: number; y: number } | undefined;
  let time: number | undefined;
  chart.on("updateAxisPointer", (event) => {
    const { axesInfo } = event as { axesInfo?: { value: number }[] };
    time = axesInfo?.[0]?.value;
  });
  chart.getZr().on("mousemove", ({ offsetX: x, offsetY: y }) => {
    place = { x, y };
  });
  chart.getZr().on("globalout", () => {
    place = undefined;
  });
  return {
    /** Call after each drawing. */
    restore: (model: ChartModel): void => {
      if (!place) return;
      chart.dispatchAction({ type: "showTip", ...place });
      const lines = [
        { id: seriesId.line, samples: drawnLine(model) },
        { id: seriesId.high, samples: beyond(model, true) },
        { id: seriesId.low, samples: beyond(model, false) },
      ];
      for (const { id, samples } of lines) {
        const dataIndex = samples.findIndex((sample) => sample[0] === time);
        if (dataIndex >= 0) chart.dispatchAction({ type: "highlight", seriesId: id, dataIndex });
      }
    },
  };
};

/** A chart on the page, with its zoom reported. */
export interface LiveChart {
  /** Draws a model; the zoom stays as it is. */
  draw: (model: ChartModel) => void;
  /** Pans and zooms the view. */
  zoomTo: (zoom: Zoom) => void;
  stop: () => void;
}

const zoomIn = (chart: ECharts): Zoom => {
  const [slider] = (chart.getOption() as { dataZoom?: Zoom[] }).dataZoom ?? [];
  return slider ? { start: slider.start, end: slider.end } : defaultZoom;
};

/** Notifies when other colours apply, those of the theme or of paper: a canvas does not follow CSS. */
const onColours = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-mantine-color-scheme"] });
  const paper = matchMedia("print");
  paper.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    paper.removeEventListener("change", changed);
  };
};

const onSize = (element: HTMLElement, changed: () => void): (() => void) => {
  const observer = new ResizeObserver(changed);
  observer.observe(element);
  return () => observer.disconnect();
};

/**
 * Leaves plain scrolling to the page: ECharts would swallow wheel events wherever the pointer is over the plot, whether it zooms or not. With the
 * Ctrl key, as with a pinch on a touch pad, it zooms.
 */
const leaveScrolling = (element: HTMLElement): (() => void) => {
  const hearing = new AbortController();
  const pass = (event: Event) => {
    if (!(event instanceof WheelEvent && event.ctrlKey)) event.stopPropagation();
  };
  for (const name of ["wheel", "mousewheel"]) {
    element.addEventListener(name, pass, { capture: true, passive: true, signal: hearing.signal });
  }
  return () => hearing.abort();
};

/** Size of the drawing on paper, which the style fits to the sheet: while a page is being printed nothing measures its parts anew. */
const onPaper = { width: 760, height: 400 };
const asElement = { width: "auto", height: "auto" } as const;

const layoutIn = (chart: ECharts, model: ChartModel, zoom: Zoom): Layout =>
  layoutOf(chart.getWidth(), chart.getHeight(), axisTexts(model, zoom), {
    isLow: model.isLow,
    hasSlider: !onlyReading(model),
  });

/** Creates a chart in the element with the initial `zoom`; `onZoom` receives each change of the view. */
export const createLineChart = (
  element: HTMLElement,
  { zoom: opening, onZoom }: { zoom: Zoom; onZoom: (zoom: Zoom) => void },
): LiveChart => {
  const chart = init(element);
  const pointer = createPointer(chart);
  let model: ChartModel | undefined;
  let tokens = readTokens(element);
  let zoom = opening;
  let isOpen = false;
  let frame = 0;
  /** Room for the values beside the plot, which follows the view. */
  let room = 0;

  const draw = (shown: ChartModel, isOther: boolean) => {
    const drawn = { model: shown, tokens, layout: layoutIn(chart, shown, zoom) };
    const isFull = isOther || drawn.layout.left !== room;
    room = drawn.layout.left;
    chart.setOption(isFull ? fullOption(drawn, zoom) : zoomedOption(drawn, zoom));
  };
  const follow = () => {
    frame = 0;
    zoom = zoomIn(chart);
    if (model) draw(model, false);
    onZoom(zoom);
  };
  const redraw = () => {
    if (!model) return;
    draw(model, true);
    if (!isOpen) chart.setOption({ dataZoom: ["slider", "inside"].map((id) => ({ id, ...zoom })) });
    isOpen = true;
    // ECharts limits the minimum zoom without an event, so the handles may be elsewhere than requested.
    const shown = zoomIn(chart);
    if (shown.start !== zoom.start || shown.end !== zoom.end) follow();
    pointer.restore(model);
  };
  // A drag fires many times per frame; axes and marks need to follow only once.
  chart.on("datazoom", () => {
    frame ||= requestAnimationFrame(follow);
  });
  const toSize = () => {
    chart.resize(matchMedia("print").matches ? onPaper : asElement);
    redraw();
  };
  const watches = [
    leaveScrolling(element),
    onColours(() => {
      tokens = readTokens(element);
      toSize();
    }),
    onSize(element, toSize),
  ];
  return {
    draw: (next) => {
      model = next;
      redraw();
    },
    zoomTo: (wanted) => chart.dispatchAction({ type: "dataZoom", dataZoomIndex: 0, ...wanted }),
    stop: () => {
      cancelAnimationFrame(frame);
      for (const end of watches) end();
      chart.dispose();
    },
  };
};
