import { IconDeviceDesktop } from "@tabler/icons-react";
import { type AlertRow, AlertType } from "@telltale/contract/domains/alerts";
import { type CSSProperties, Suspense, useEffect, useRef, useState } from "react";
import { alertLine, alertName, alertWhen } from "../../../../domain/alerts/alert-text.ts";
import { shortName } from "../../../../domain/alerts/initials.ts";
import { Lasting } from "../../../../domain/alerts/lasting.tsx";
import { useIsLost } from "../../../../session/live/live.ts";
import { LiveValuesContext } from "../../../../session/live/use-live-values.ts";
import { useUnconfirmed } from "../../../../session/live/use-unconfirmed.ts";
import { recent } from "../../../../ui/format/time.ts";
import { ErrorState } from "../../../../ui/page/message.tsx";
import { Glyph } from "../../../../ui/status/glyph.tsx";
import { Tile } from "../tile.tsx";
import type { TileFacts } from "../tile-facts.ts";
import { channelsOf, isNoneAbout } from "../tile-state.ts";
import { TileWatch } from "../tile-watch.tsx";
import { type Tiles, useTiles } from "../use-tiles.ts";
import { useWall, useWindowSize } from "./use-wall.ts";
import classes from "./wall.module.css";
import { WallBar } from "./wall-bar.tsx";
import { isTile, type WallItem, wallGrid, wallOrder, wallPlaces, wallScale } from "./wall-order.ts";

/** How long a page of the tiles is shown, in milliseconds, where not all of them fit. */
const pageTime = 20_000;

/** Height of the bar and of the space around the tiles, in pixels. */
const frame = 112 + 48;

const usePage = (pages: number): number => {
  const [page, setPage] = useState(0);
  useEffect(() => {
    if (pages <= 1) return;
    const timer = setInterval(() => setPage((before) => before + 1), pageTime);
    return () => clearInterval(timer);
  }, [pages]);
  return pages === 0 ? 0 : page % pages;
};

/** Limit, since when and how long, beside the value of an alarm. */
const Since = ({ alert, range }: { alert: AlertRow; range?: string | undefined }) => {
  const { type, threshold } = alertLine(alert);
  const when = alertWhen(alert);
  return (
    <small className={classes.since}>
      {range !== undefined && <b>Over range, {range}</b>}
      <b>{when ? `Alert when ${when}` : [type, threshold].filter(Boolean).join(", ")}</b>
      <span>since {recent(alert.createdTime)}</span>
      <Lasting since={alert.createdTime} />
      {alert.assignedName !== null && <b>{shortName(alert.assignedName)} has it</b>}
    </small>
  );
};

interface CardProps {
  alert: AlertRow;
  /** Among the alarms: with its limit and since when it stands. */
  isLarge: boolean;
}

/** An alert that no tile is about. */
const Card = ({ alert, isLarge }: CardProps) => {
  const { text } = alertLine(alert);
  const isOfDevice = alert.alarmType === AlertType.system;
  return (
    <article className={classes.alone}>
      <div className={classes.aloneHead}>
        {isOfDevice && <IconDeviceDesktop size={18} stroke={1.6} aria-hidden />}
        <b>{isOfDevice ? "Device" : alertLine(alert).type}</b>
        <span>
          <Glyph name="diamond-solid-bang" size={15} />
          ALERT
        </span>
      </div>
      <h2>{alertName(alert)}</h2>
      {alertName(alert) !== alert.deviceName && <p>{alert.deviceName}</p>}
      <div className={classes.aloneText}>
        <b>{text}</b>
        {isLarge && <Since alert={alert} />}
      </div>
    </article>
  );
};

const keyOf = (item: WallItem): string => {
  if (!isTile(item)) return `alert ${item.alert.alarmLogId}`;
  const { kind, dashboardGroupId, deviceChannelId } = item.tile;
  return `${kind}:${dashboardGroupId ?? ""}:${deviceChannelId}`;
};

interface PlacedProps {
  item: WallItem;
  isLarge: boolean;
  isWaiting: boolean;
  /** The unconfirmed alerts; undefined until they are known. */
  unconfirmed: readonly AlertRow[] | undefined;
}

/** A tile or a card in its place. */
const Placed = ({ item, isLarge, isWaiting, unconfirmed }: PlacedProps) => {
  if (!isTile(item)) return <Card alert={item.alert} isLarge={isLarge} />;
  const { tile, index, facts, alert } = item;
  return (
    <Tile
      {...{ tile, index, facts, isWaiting }}
      isUnlisted={unconfirmed !== undefined && isNoneAbout(unconfirmed, channelsOf(tile))}
      {...(isLarge && { beside: alert && <Since alert={alert} range={facts?.range} /> })}
    />
  );
};

interface ShownProps {
  tiles: NonNullable<Tiles["tiles"]>;
  isWaiting: boolean;
}

const Shown = ({ tiles, isWaiting }: ShownProps) => {
  const [facts, setFacts] = useState<readonly TileFacts[]>([]);
  const { alerts, isPending } = useUnconfirmed();
  const lost = { "data-lost": useIsLost() || undefined };
  const { width, height } = useWindowSize();
  const order = wallOrder(tiles, facts, alerts);
  const scale = wallScale([...order.urgent.filter(isTile), ...order.others], { width, height }, frame);
  const grid = wallGrid(width / scale);
  const { large, pages, isLow } = wallPlaces(order, grid, height / scale - frame);
  const page = usePage(pages.length);
  const placed = { isWaiting, unconfirmed: isPending ? undefined : alerts };
  const style: CSSProperties = {
    "--columns": grid.columns,
    zoom: scale,
    "--row-h-wall": `${grid.rowHeight}px`,
    "--urgent-h": `${grid.urgentHeight}px`,
  };
  return (
    <div style={style}>
      <WallBar tiles={tiles.length} page={{ at: page + 1, of: pages.length }} />
      <div className={classes.page} data-wide={width / scale >= 2560 || undefined}>
        {large.length > 0 && (
          <section className={classes.urgent} aria-label="Alarms" {...lost}>
            {large.map((item) => (
              <Placed key={keyOf(item)} {...{ item, ...placed }} isLarge />
            ))}
          </section>
        )}
        <section className={classes.tiles} aria-label="Channels" {...lost} data-low={isLow || undefined}>
          {pages[page]?.map((item) => (
            <Placed key={keyOf(item)} {...{ item, ...placed }} isLarge={false} />
          ))}
        </section>
      </div>
      <Suspense>
        <TileWatch tiles={tiles} onFacts={setFacts} />
      </Suspense>
    </div>
  );
};

/** The dashboard on the whole screen, alarms first, to be read from afar: no menu, nothing that needs a mouse. Escape or `f` leaves it. */
export const Wall = ({ onLeave }: { onLeave: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { tiles, isWaiting, error, retry, live } = useTiles();
  useWall(dialog, onLeave);
  return (
    <dialog ref={dialog} className={classes.wall} aria-label="Dashboard wall" aria-modal="true" tabIndex={-1}>
      <LiveValuesContext value={live}>
        {error && <ErrorState error={error} onRetry={retry} />}
        {tiles && <Shown tiles={tiles} isWaiting={isWaiting} />}
      </LiveValuesContext>
    </dialog>
  );
};
