import { IconAlertTriangle, IconBrightness, IconMoon, IconSun } from "@tabler/icons-react";
import type { AlertRow } from "@telltale/contract/domains/alerts";
import { Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useSoundSwitch } from "../../domain/alerts/sound-switch.ts";
import { AccountMenu } from "../../features/accounts/menu/account-menu.tsx";
import { useLostAt } from "../../session/live/live.ts";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useSession } from "../../session/session.ts";
import { useShownZone } from "../../ui/format/page-zone.tsx";
import { hourMinute } from "../../ui/format/time.ts";
import { lazyPlain } from "../../ui/load-with-retry.ts";
import { Turn, useIsTurn } from "../../ui/page/first-screen.ts";
import { Place } from "../../ui/place.tsx";
import { Link } from "../../ui/router/link.tsx";
import { Glyph } from "../../ui/status/glyph.tsx";
import { Mark } from "../../ui/status/mark.tsx";
import { type ColorScheme, setColorScheme, useColorScheme } from "../../ui/theme/color-scheme.ts";
import { isFindKey } from "../palette/find-key.ts";
import classes from "./bar.module.css";
import { LiveIndicator, useIsRewound } from "./live-indicator.tsx";
import { useNewAccount } from "./use-new-account.tsx";

const Find = lazyPlain(() => import("../palette/find.tsx"), "Find");
const BarChips = lazyPlain(() => import("../../features/alerts/bar-chips.tsx"), "BarChips");

/** How long the lamp pulses for a new alert, in milliseconds. */
const pulse = 5000;

/** Whether an alert arrived within the last 5 seconds. Alerts found when the console opens are not new; undefined: not loaded. */
const useHasNewAlert = (alerts: readonly AlertRow[] | undefined): boolean => {
  const [isNew, setNew] = useState(false);
  const seen = useRef<number | undefined>(undefined);
  const newest = alerts?.reduce((most, { alarmLogId }) => Math.max(most, alarmLogId), 0);
  useEffect(() => {
    if (newest === undefined) return;
    const before = seen.current;
    seen.current = Math.max(before ?? 0, newest);
    if (before === undefined || newest <= before) return;
    setNew(true);
    const timer = setTimeout(() => setNew(false), pulse);
    return () => clearTimeout(timer);
  }, [newest]);
  return isNew;
};

/** The logo as master lamp: red while alerts are unconfirmed, pulsing for a new one. Links to the start page. */
const Brand = () => {
  const { alerts, label, isPending, isUnknown } = useUnconfirmed();
  const isNew = useHasNewAlert(isPending || isUnknown ? undefined : alerts);
  const isLit = alerts.length > 0;
  return (
    <Link to="/" className={classes.brand} aria-label={isLit ? `Telltale, ${label} unconfirmed` : "Telltale"}>
      <Mark size={26} isLit={isLit} isUnknown={!isLit && (isPending || isUnknown)} isNew={isNew} />
      <span className={classes.word}>Telltale</span>
    </Link>
  );
};

const themes: Record<ColorScheme, { icon: typeof IconSun; label: string; next: ColorScheme }> = {
  light: { icon: IconSun, label: "Theme: light", next: "dark" },
  dark: { icon: IconMoon, label: "Theme: dark", next: "auto" },
  auto: { icon: IconBrightness, label: "Theme: as the system", next: "light" },
};

/** Cycles through light, dark and system; remembered in this browser. */
const ThemeSwitch = () => {
  const colorScheme = useColorScheme();
  const { icon: ThemeIcon, label, next } = themes[colorScheme];
  return (
    <button
      type="button"
      className={classes.switch}
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next)}
    >
      <ThemeIcon size={18} stroke={1.6} aria-hidden />
    </button>
  );
};

/** The number of unconfirmed alerts; opens these. */
const UnconfirmedChip = () => {
  const { alerts, label, isPending, isUnknown } = useUnconfirmed();
  const lostAt = useLostAt();
  const isRewound = useIsRewound();
  const timeOf = useShownZone()?.clock ?? hourMinute;
  const when =
    lostAt === null ? isRewound && <span>now</span> : <span className={classes.at}> at {timeOf(lostAt)}</span>;
  if (isPending) return null;
  if (isUnknown)
    return (
      <span className={classes.unknown}>
        <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
        <span>Alerts could not be loaded</span>
      </span>
    );
  if (alerts.length === 0)
    return (
      <span className={classes.quiet}>
        <Glyph name="tick" size={15} />
        <span>No unconfirmed alerts</span>
        {when}
      </span>
    );
  return (
    <Link
      to="/alarms"
      search={{ view: "unconfirmed" }}
      className={classes.chip}
      data-lost={lostAt !== null || undefined}
    >
      <Glyph name="diamond-solid-bang" size={15} />
      <b>{label}</b>
      <span>unconfirmed</span>
      {when}
    </Link>
  );
};

/** The palette, from its turn on, or from its key, which is not lost while it is being loaded. */
const LoadedFind = ({ isTurn }: { isTurn: boolean }) => {
  const [isWanted, setWanted] = useState(false);
  const [isThere, setThere] = useState(false);
  const onThere = useCallback(() => setThere(true), []);
  useEffect(() => {
    if (isThere) return;
    const gone = new AbortController();
    const onKey = (event: KeyboardEvent) => {
      if (!isFindKey(event)) return;
      event.preventDefault();
      setWanted(true);
    };
    addEventListener("keydown", onKey, { signal: gone.signal });
    return () => gone.abort();
  }, [isThere]);
  return (
    <Suspense>
      {(isTurn || isWanted) && <Find className={classes.search} isOpenAtFirst={isWanted} onThere={onThere} />}
    </Suspense>
  );
};

/** The bar above everything, including overlays: the master lamp is never covered. */
export const Bar = () => {
  const { isAdmin, can } = useSession();
  const newAccount = useNewAccount();
  const isTurn = useIsTurn(Turn.bar);
  const [isSounding] = useSoundSwitch();
  return (
    <header className={classes.bar} data-crowded={isAdmin || undefined} data-rewound={useIsRewound() || undefined}>
      <Brand />
      <Place name="bar" />
      <UnconfirmedChip />
      {/* Without delay where new alerts sound: those that are there when it is loaded count as known. */}
      <Suspense>{(isTurn || isSounding) && can("alerts.read") && <BarChips />}</Suspense>
      <div className={classes.right}>
        {isAdmin && <span className={classes.readOnly}>Read-only support view</span>}
        <LoadedFind isTurn={isTurn} />
        <LiveIndicator />
        <div className={classes.theme}>
          <ThemeSwitch />
        </div>
        <AccountMenu onCreateAccount={newAccount.ask} />
      </div>
      {newAccount.dialog}
    </header>
  );
};
