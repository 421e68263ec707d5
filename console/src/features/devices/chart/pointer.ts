import type { ECharts } from "echarts/core";
import type { Picture } from "./picture.ts";
import { beyond, seriesId } from "./series.ts";

/**
 * Keeps tooltip and ring at the reading under the pointer: ECharts takes both away with each drawing, and a live channel
 * is drawn anew every second.
 */
export const createPointer = (chart: ECharts) => {
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
    /** To be called after each drawing. */
    restore: (picture: Picture): void => {
      if (!place) return;
      chart.dispatchAction({ type: "showTip", ...place });
      const lines = [
        { id: seriesId.line, samples: picture.samples },
        { id: seriesId.high, samples: beyond(picture, true) },
        { id: seriesId.low, samples: beyond(picture, false) },
      ];
      for (const { id, samples } of lines) {
        const dataIndex = samples.findIndex((sample) => sample[0] === time);
        if (dataIndex >= 0) chart.dispatchAction({ type: "highlight", seriesId: id, dataIndex });
      }
    },
  };
};
