import { IconAccessPoint, IconPlugConnectedX } from "@tabler/icons-react";
import { alerts } from "@telltale/contract/domains/alerts";
import { counted } from "@telltale/contract/text/counted";
import { useLostAt } from "../../../../session/live/live.ts";
import { useUnconfirmed } from "../../../../session/live/use-unconfirmed.ts";
import { useSession } from "../../../../session/session.ts";
import { useCall } from "../../../../session/use-call.ts";
import { clock, hourMinute } from "../../../../ui/format/time.ts";
import { Glyph } from "../../../../ui/status/glyph.tsx";
import { Mark } from "../../../../ui/status/mark.tsx";
import { useNow } from "../../../../ui/use-now.ts";
import classes from "./wall-bar.module.css";

const weekday = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric" });

const Counts = () => {
  const { alerts: unconfirmed, label } = useUnconfirmed();
  const confirmed = useCall(alerts.confirmed, {}, { meta: { quiet: true, isShownInPlace: true } }).data ?? [];
  const lostAt = useLostAt();
  return (
    <>
      {unconfirmed.length > 0 && (
        <p className={classes.count} data-lost={lostAt !== null || undefined}>
          <Glyph name="diamond-solid-bang" size={26} />
          <b>{label}</b> unconfirmed{lostAt !== null && ` at ${hourMinute(lostAt)}`}
        </p>
      )}
      {confirmed.length > 0 && (
        <p className={classes.count} data-confirmed>
          <Glyph name="diamond-open-bang" size={26} />
          <b>{confirmed.length}</b> confirmed, standing
        </p>
      )}
    </>
  );
};

/** Whether what is shown is live, and the date. */
const Live = ({ now }: { now: number }) => {
  const lostAt = useLostAt();
  const Icon = lostAt === null ? IconAccessPoint : IconPlugConnectedX;
  return (
    <div className={classes.live} data-lost={lostAt !== null || undefined}>
      <b>
        <Icon size={22} stroke={1.6} aria-hidden />
        {lostAt === null ? "Live" : `Values from ${clock(lostAt)}`}
      </b>
      {weekday.format(now)}
    </div>
  );
};

interface WallBarProps {
  tiles: number;
  /** Which part of the tiles is shown; of one page nothing is said. */
  page: { at: number; of: number };
}

/** The wall's bar: plant, counts, clock; nothing to press. */
export const WallBar = ({ tiles, page }: WallBarProps) => {
  const { account } = useSession();
  const { alerts: unconfirmed } = useUnconfirmed();
  const now = useNow(0, true);
  return (
    <header className={classes.bar}>
      <Mark size={60} isLit={unconfirmed.length > 0} />
      <h1>
        {account.alias || account.firstAlias || account.accountNo}
        <small>
          DASHBOARD, {counted(tiles, "tile")}, alarms first{page.of > 1 && `, ${page.at} of ${page.of}`}
        </small>
      </h1>
      <Counts />
      <Live now={now} />
      <time className={classes.clock} dateTime={new Date(now).toISOString()}>
        {hourMinute(now)}
        <small>{clock(now).slice(5)}</small>
      </time>
    </header>
  );
};
