import { IconAccessPoint, IconX } from "@tabler/icons-react";
import type { Zone } from "@telltale/contract/text/wall-clock";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { Window } from "../../../domain/samples.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { Segments } from "../../../ui/segments.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { useMomentAlert } from "../readings/use-moment-alert.ts";
import {
  lengthOf,
  type Moment,
  rangeAround,
  type Span,
  spanNames,
  spans,
  type View,
  viewKey,
} from "../readings/view.ts";
import { RangeSearch, type SlotRange } from "./range-search.tsx";
import classes from "./trend-bar.module.css";
import { useShow } from "./use-address.ts";

const options = spanNames.map((value) => ({
  value,
  label:
    value === "live" ? (
      <>
        <IconAccessPoint className={classes.live} size={15} stroke={1.8} aria-hidden />
        {spans.live.label}
      </>
    ) : (
      spans[value].label
    ),
}));

interface MomentChipProps {
  moment: Moment;
  /** The window reaches back to the last readings. */
  isReaching: boolean;
  zone: Zone;
  onClose: () => void;
}

/** The alert, or the value, that the chart was opened for. */
const MomentChip = ({ moment, isReaching, zone, onClose }: MomentChipProps) => {
  const { isGone } = useMomentAlert(moment);
  const isAlert = moment.alarmLogId !== undefined && !isGone;
  const name = isAlert ? "Alert" : isGone ? "Moment" : "Value";
  return (
    <p className={classes.moment} data-alert={isAlert || undefined}>
      {isAlert && <Glyph name="diamond-solid-bang" size={14} />}
      <b>
        {name} {zone.stamp(moment.at).slice(11)}
      </b>
      <span>
        {isReaching ? "and the last readings" : "± 30 min"}
        {isGone && ", its alert is gone"}
      </span>
      <button type="button" aria-label="Show without the moment" onClick={onClose}>
        <IconX size={15} stroke={1.8} aria-hidden />
      </button>
    </p>
  );
};

interface TrendBarProps {
  /** What is shown. */
  view: View;
  /** What the address asks for, which a settings period that was selected by hand replaces. */
  given?: View;
  /** The range of such a period, for the search field. */
  slot?: SlotRange | undefined;
  /** The window up to now, or around the moment, that the readings are in, once they are loaded. */
  window?: Window | undefined;
  zone: Zone;
  /** It is part of a chart's panel, which on a phone has the windows above and the search below the chart. */
  isOnChart?: boolean;
  /** Shows the address's view again. */
  onLetGo?: () => void;
}

/** The window that ends now, for the search field until its readings are loaded. */
const windowOf = (span: Span): SlotRange => {
  const end = serverNow();
  return { start: new Date(end - lengthOf(span, undefined)), end: new Date(end), isLatest: false };
};

/** The window that was chosen last, and when, by `performance.now()`. */
let chosen: { span: Span; at: number } | undefined;

/** How long a chart may take to be there with another window, milliseconds. */
const patience = 10_000;

/** Gives a bar that was made anew with its chart the focus back that its button had: the keyboard would begin at the top of the page. */
const useFocusBack = (): RefObject<HTMLDivElement | null> => {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    if (!chosen || !isLost || performance.now() - chosen.at > patience) return;
    const place = options.findIndex(({ value }) => value === chosen?.span);
    bar.current?.querySelectorAll<HTMLElement>("fieldset button")[place]?.focus({ preventScroll: true });
  }, []);
  return bar;
};

/** The bar above a chart: windows that are applied at once, the moment it was opened for, and the search for a range. */
export const TrendBar = ({ view, given = view, slot, window, zone, isOnChart, onLetGo }: TrendBarProps) => {
  const { search, choose, close } = useShow();
  const opening = useMemo(() => (view.span ? windowOf(view.span) : undefined), [view.span]);
  // Searched for as it is, the last day means the most recent one.
  const isLatest = slot ? slot.isLatest : view.span === undefined && view.range === undefined;
  const shown = window ? { start: new Date(window.start), end: new Date(window.end), isLatest } : (slot ?? opening);
  const bar = useFocusBack();
  const onChoose = (span: Span) => {
    chosen = { span, at: performance.now() };
    onLetGo?.();
    // Pressed again it gives way to what the specification has; what a period had replaced comes back.
    if (span !== view.span && span === given.span) return;
    choose(span === view.span ? undefined : span);
  };
  const key = `${zone.name} ${viewKey(view)} ${slot?.start.getTime()} ${slot?.end.getTime()}`;
  return (
    <div ref={bar} className={classes.bar} data-on-chart={isOnChart || undefined} data-lost={useIsLost() || undefined}>
      <Segments label="Window" options={options} value={view.span} onChange={onChoose} isWide />
      {view.moment && (
        <MomentChip
          moment={view.moment}
          isReaching={window !== undefined && window.start < rangeAround(view.moment.at).start.getTime()}
          zone={zone}
          onClose={close}
        />
      )}
      <div className={classes.search}>
        <RangeSearch key={key} range={view.range} slot={shown} zone={zone} onSearch={search} />
      </div>
    </div>
  );
};
