import { useEffect, useEffectEvent, useState } from "react";
import { id } from "../../../ui/page/search.ts";
import { useNavigate, useWholeSearch } from "../../../ui/router/hooks.ts";
import { serverNow } from "../../../ui/server-time.ts";
import { addressOf, askedIn, lengthIn, type RewindWindow, type StripLength, windowAround } from "./window.ts";

const minute = 60_000;

/** The moment that is shown, as the address has it. */
export interface Moment {
  at: number;
  length: StripLength;
  window: RewindWindow;
  dashboardId: number | undefined;
  /** Why the moment is not that of the address. */
  isOtherThan: "invalid" | "future" | undefined;
  /** Shows another moment; the address keeps the one before until `keep`. */
  move: (at: number) => void;
  /** Puts the moment into the address. */
  keep: (at: number) => void;
  setLength: (length: StripLength) => void;
}

/** The moment of the address, and its window. The newest minute is that in which the screen was opened. */
export const useMoment = (): Moment => {
  const search = useWholeSearch();
  const navigate = useNavigate();
  const [newest] = useState(() => Math.floor(serverNow() / minute) * minute);
  const asked = askedIn(search.at);
  const given = typeof asked === "object" ? asked.at : newest;
  const [at, setAt] = useState(Math.min(given, newest));
  const [seen, setSeen] = useState(search.at);
  const length = lengthIn(search.range);
  const [window, setWindow] = useState({ length, ...windowAround(at, length, newest) });
  if (search.at !== seen) {
    setSeen(search.at);
    if (search.at !== addressOf(at)) setAt(Math.min(given, newest));
  }
  if (window.length !== length || at < window.from || at > window.to)
    setWindow({ length, ...windowAround(at, length, newest) });

  const write = (change: Record<string, string>) => {
    void navigate({ search: (now) => ({ ...now, at: addressOf(at), ...change }), replace: true, resetScroll: false });
  };
  // An address without a time is of the minute in which it was opened, so that it can be passed on.
  const name = useEffectEvent(() => write({}));
  const isUnnamed = asked === "newest";
  useEffect(() => {
    if (isUnnamed) name();
  }, [isUnnamed]);
  return {
    at,
    length,
    window,
    dashboardId: id(search.dashboardId),
    isOtherThan: asked === "invalid" ? "invalid" : given > newest ? "future" : undefined,
    move: setAt,
    keep: (moment) => write({ at: addressOf(moment) }),
    setLength: (chosen) => write({ range: chosen.replace(" ", "") }),
  };
};
