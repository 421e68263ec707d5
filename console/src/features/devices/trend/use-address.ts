import { useEffect, useMemo } from "react";
import { id, useSearchOf } from "../../../ui/page/search.ts";
import { useRemembered } from "../../../ui/remembered.ts";
import type { Search } from "../../../ui/router/address.ts";
import { useNavigate } from "../../../ui/router/hooks.ts";
import type { Range } from "../readings/range.ts";
import { rangeAround, type Span, spanIn, type View } from "../readings/view.ts";

/** The address of the device screen: device, channel and view. */
export interface Address {
  deviceId: number | undefined;
  deviceChannelId: number | undefined;
  view: View;
}

const idIn = (value: unknown): number | undefined =>
  typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : undefined;

const momentIn = (value: unknown): Date | undefined => {
  const moment = new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
};

/** Parameters of an address that say what is shown. */
const viewSearch = { startTime: momentIn, endTime: momentIn, span: spanIn, at: momentIn, alarmLogId: id };

/** Parameters of the device screen's address. */
const addressSearch = { deviceId: idIn, deviceChannelId: idIn };

/** The window that this browser chose last; an empty text when it has chosen none. */
const useKeptSpan = () => useRemembered<string>("telltale-trend-span", "");

/**
 * The view in the address. An address without one has the window that this browser chose last, which is written to it, so that the address is a link
 * to what is shown.
 */
export const useView = (): View => {
  const { startTime: start, endTime: end, span, at, alarmLogId } = useSearchOf(viewSearch);
  const [kept] = useKeptSpan();
  const navigate = useNavigate();
  const view = useMemo((): View => {
    if (start && end && start <= end) return { range: { start, end }, span: undefined, moment: undefined };
    if (at) return { range: rangeAround(at), span: undefined, moment: { at, alarmLogId } };
    return { range: undefined, span: span ?? spanIn(kept), moment: undefined };
  }, [start, end, at, alarmLogId, span, kept]);
  const isKept = view.span !== undefined && span === undefined;
  useEffect(() => {
    if (!isKept) return;
    void navigate({
      to: ".",
      search: (old: Search) => ({ ...old, span: view.span }),
      replace: true,
      resetScroll: false,
    });
  }, [isKept, view.span, navigate]);
  return view;
};

/** The parsed address, updated whenever it changes. */
export const useAddress = (): Address => {
  const ids = useSearchOf(addressSearch);
  return { ...ids, view: useView() };
};

const none = { startTime: undefined, endTime: undefined, span: undefined, at: undefined, alarmLogId: undefined };

/** Writes another view to the address, so that reload, back and a shared link keep it. */
export const useShow = () => {
  const navigate = useNavigate();
  const [, keep] = useKeptSpan();
  const show = (view: Partial<Record<keyof typeof none, string>>) =>
    void navigate({ to: ".", search: (old: Search) => ({ ...old, ...none, ...view }), resetScroll: false });
  return {
    /** Shows a searched range, or none. */
    search: (range: Range | undefined) => {
      // What is searched for holds for this address; the kept window would show instead of none.
      if (!range) keep("");
      show(range ? { startTime: range.start.toISOString(), endTime: range.end.toISOString() } : {});
    },
    /** Shows a window, and keeps it for this browser; without one, what the specification has. */
    choose: (span: Span | undefined) => {
      keep(span ?? "");
      show(span ? { span } : {});
    },
    /** Closes the range around a moment. */
    close: () => show({}),
  };
};
