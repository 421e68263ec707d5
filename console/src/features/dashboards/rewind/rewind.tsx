import { IconHistory } from "@tabler/icons-react";
import { Code } from "@telltale/contract/call/codes";
import { mostRewound, type Rewind as Rewound, rewind, stoodAt } from "@telltale/contract/domains/readings/rewind";
import { count, counted } from "@telltale/contract/text/counted";
import { type ReactNode, useContext, useLayoutEffect, useMemo, useState } from "react";
import { LiveContext } from "../../../session/live/live.ts";
import { LiveValuesContext } from "../../../session/live/use-live-values.ts";
import { useCall } from "../../../session/use-call.ts";
import { CopyLinkButton } from "../../../ui/control/copy-link-button.tsx";
import { clock, dateTime, day, hourMinute } from "../../../ui/format/time.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { InPlace } from "../../../ui/place.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import { NoTiles, TileGrid, TileSkeletons } from "../view/dashboard.tsx";
import { PastLines } from "../view/sparks/traces.tsx";
import { nextFacts, type TileFacts } from "../view/tile-facts.ts";
import { Controls, LiveLink } from "./controls.tsx";
import classes from "./rewind.module.css";
import { factsAt, linesAt } from "./rewound-tiles.ts";
import { createRewoundValues, settingsKey, tilesAt } from "./rewound-values.ts";
import { StoodWindows } from "./stood-windows.tsx";
import { Strip } from "./strip.tsx";
import { dayName, fullDay } from "./strip-model.ts";
import { type Moment, useMoment } from "./use-moment.ts";
import { usePlayer } from "./use-player.ts";
import { addressOf, lengths, momentAt, neighbours } from "./window.ts";

/** Without more calls it is what it was. */
const fetching = { staleTime: Number.POSITIVE_INFINITY, meta: { quiet: true, isShownInPlace: true } };

/** The dashboard of the address over the window; the account's own where that one is gone or not among its own. */
const useRewound = ({ window, dashboardId }: Moment) => {
  const range = { from: new Date(window.from), to: new Date(window.to) };
  const asked = useCall(rewind.window, { ...range, dashboardId }, fetching);
  const isGone = dashboardId !== undefined && asked.error?.code === Code.notFound;
  const own = useCall(rewind.window, range, { ...fetching, enabled: isGone });
  return { ...(isGone ? own : asked), isGone };
};

interface NoticesProps extends Pick<Moment, "isOtherThan"> {
  rewound: Rewound;
  at: number;
  isGone: boolean;
}

/** What is to be known of the moment besides what it shows. */
const Notices = ({ rewound, at, isGone, isOtherThan }: NoticesProps): ReactNode => {
  const { beginning, tiles, total } = rewound;
  const lines = [
    isGone && "The dashboard of this link is gone, or not among yours: this is your own.",
    isOtherThan === "invalid" && "The link names no time: this is the newest minute.",
    isOtherThan === "future" && "The time of this link is still to come: this is the newest minute.",
    tiles.length > 0 && beginning === null && "There are no readings of this dashboard.",
    beginning !== null &&
      at < beginning.getTime() &&
      `There are no readings of this time: they begin on ${dateTime(beginning)}.`,
    total > mostRewound && `The newest ${count(mostRewound)} of ${counted(total, "alert")} are shown.`,
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <div role="status" className={classes.notices}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
};

/** '4 alerts stood, 1 unconfirmed' */
const stoodText = (rewound: Rewound, at: number): string => {
  const stood = stoodAt(rewound.alerts, at).filter(({ isSilent }) => !isSilent);
  const open = stood.filter(({ isConfirmed }) => !isConfirmed).length;
  if (stood.length === 0) return "No alert stood";
  return `${counted(stood.length, "alert")} stood, ${open === 0 ? "none" : open} unconfirmed`;
};

/** The tiles as they were at the moment. Only those whose values change are rendered again. */
const Tiles = ({ rewound, at }: { rewound: Rewound; at: number }) => {
  const index = Math.round((at - rewound.from) / rewound.step);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first index only; later ones are shown by the effect
  const values = useMemo(() => createRewoundValues(rewound, index), [rewound]);
  const key = settingsKey(rewound, at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same settings give the same tiles
  const tiles = useMemo(() => tilesAt(rewound, at), [rewound, key]);
  const [facts, setFacts] = useState<readonly TileFacts[]>([]);
  useLayoutEffect(() => {
    values.show(index);
    setFacts((before) => nextFacts(before, factsAt(rewound, tiles, values, at)));
  }, [rewound, tiles, values, index, at]);
  const lines = useMemo(() => linesAt(rewound, at), [rewound, at]);
  const live = useContext(LiveContext);
  // Tiles ask for the live values of their channels, which have no place here.
  const still = useMemo(() => live && { ...live, watch: () => () => undefined }, [live]);
  if (tiles.length === 0) return <NoTiles />;
  return (
    <LiveContext value={still}>
      <LiveValuesContext value={values}>
        <PastLines value={lines}>
          <TileGrid tiles={tiles} isWaiting={false} facts={facts} isLost={false} />
        </PastLines>
      </LiveValuesContext>
    </LiveContext>
  );
};

/** The bar says what is shown, and leads back. */
const RewoundTitle = ({ at }: { at: number }) => (
  <InPlace name="bar">
    <p className={classes.title}>
      <IconHistory size={20} stroke={1.7} aria-hidden />
      <span>
        Rewound to <b>{hourMinute(at)}</b>
      </span>
      <small>{fullDay(at)}</small>
    </p>
    <div className={classes.back}>
      <LiveLink />
    </div>
  </InPlace>
);

/** Copies a link to what is shown: while it plays the address has an earlier minute, and it need not name the dashboard, which may be another for others. */
const CopyMinute = ({ rewound: { dashboardId }, at }: { rewound: Rewound; at: number }) => (
  <CopyLinkButton className={classes.copy} search={{ at: addressOf(at), dashboardId }}>
    Copy link to this minute
  </CopyLinkButton>
);

interface RewoundProps {
  moment: Moment;
  rewound: Rewound;
  isGone: boolean;
}

/** A window that is loaded: strip, what stood, tiles. Nothing in it can be confirmed or switched. */
const RewoundDashboard = ({ moment, rewound, isGone }: RewoundProps) => {
  const { from, step, moments, alerts, total } = rewound;
  const last = from + Math.max(0, moments - 1) * step;
  const at = momentAt(rewound, moment.at);
  const moveTo = (time: number) => moment.move(momentAt(rewound, time));
  const keepAt = (time: number) => moment.keep(momentAt(rewound, time));
  const player = usePlayer({
    ...{ at, step, first: from, last },
    onMove: moment.move,
    onPause: keepAt,
  });
  const jumpTo = (time: number) => {
    player.stop();
    moveTo(time);
    keepAt(time);
  };
  const raised = useMemo(() => alerts.map(({ createdTime }) => createdTime.getTime()), [alerts]);
  const { previous, next } = neighbours(rewound, raised, at);
  const stood = stoodText(rewound, at);
  const window = { from, to: last };
  return (
    <>
      <RewoundTitle at={at} />
      <InPlace name="below-bar">
        <section className={classes.strip} aria-label="Rewind">
          <Controls player={player} previous={previous} next={next} onJump={jumpTo} />
          <Strip
            {...{ window, at, alerts, step }}
            isNewest={moment.window.to >= serverNow() - 2 * 60_000}
            text={`${fullDay(at)}, ${hourMinute(at)}. ${stood}`}
            onMove={(time) => {
              player.stop();
              moveTo(time);
            }}
            onKeep={keepAt}
            onToggle={player.toggle}
          />
          <div className={classes.lengths}>
            <Segments
              label="Length of the strip"
              options={lengths.map((value) => ({ value, label: value }))}
              value={moment.length}
              onChange={(length) => {
                player.stop();
                moment.setLength(length);
              }}
            />
            <span>
              {counted(total, "alert")} in {moment.length}
            </span>
          </div>
        </section>
      </InPlace>
      <div className={classes.page}>
        <PageTitle
          beside={
            <span className={classes.stand}>
              as it stood on {day(at)} at <b>{clock(at)}</b>
            </span>
          }
          aside={
            <>
              <span className={classes.count}>{stood}</span>
              <CopyMinute rewound={rewound} at={at} />
            </>
          }
        >
          <span className={classes.wide}>DASHBOARD</span>
          <span className={classes.narrow}>
            {dayName(at)}, {hourMinute(at)}
          </span>
        </PageTitle>
        <Notices {...{ rewound, at, isGone }} isOtherThan={moment.isOtherThan} />
        <StoodWindows stood={stoodAt(alerts, at)} at={at} />
        <Tiles rewound={rewound} at={at} />
      </div>
      <div className={classes.frame} aria-hidden="true" />
    </>
  );
};

/** The dashboard as it was at the moment of the address. */
export const Rewind = () => {
  const moment = useMoment();
  const { data, error, refetch, isGone } = useRewound(moment);
  if (data) return <RewoundDashboard moment={moment} rewound={data} isGone={isGone} />;
  return (
    <>
      <RewoundTitle at={moment.at} />
      <InPlace name="below-bar">
        <div className={classes.strip} />
      </InPlace>
      <PageTitle>DASHBOARD</PageTitle>
      {error ? (
        <Panel>
          <ErrorState error={error} onRetry={() => void refetch()} />
        </Panel>
      ) : (
        <TileSkeletons />
      )}
      <div className={classes.frame} aria-hidden="true" />
    </>
  );
};
