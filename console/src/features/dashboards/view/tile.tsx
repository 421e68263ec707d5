import { TileKind, type Tile as TileRow } from "@telltale/contract/domains/dashboard/tiles";
import {
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { ChannelIcon, channelLabel, MotorIcon } from "../../../domain/channel-icon.tsx";
import { useWatchedChannels } from "../../../session/live/live.ts";
import { LiveValuesContext, type Loaded } from "../../../session/live/use-live-values.ts";
import { lazyPlain } from "../../../ui/load-with-retry.ts";
import { Link, type LinkProps } from "../../../ui/router/link.tsx";
import { createFlashGate } from "../../../ui/status/flash-gate.ts";
import { Glyph } from "../../../ui/status/glyph.tsx";
import { FlashGateContext } from "../../../ui/status/use-flash.ts";
import classes from "./tile.module.css";
import type { TileFacts } from "./tile-facts.ts";
import {
  channelAtFault,
  channelsOf,
  hasChannels,
  shownChannels,
  TileState,
  tileName,
  tileState,
} from "./tile-state.ts";
import { ChannelFigure, GroupChannels, ModbusLines } from "./tile-values.tsx";

const Traces = lazyPlain(() => import("./after-tiles.ts"), "Traces");

interface Known {
  state: TileState;
  /** The channel that gives the tile its state; undefined while nothing is wrong. */
  channelId: number | undefined;
}

/** The state of a tile with these channels, and which of them gives it; re-renders only when these change, not with every value. */
const useTileState = (loaded: readonly Loaded[]): Known => {
  const live = useContext(LiveValuesContext);
  useWatchedChannels(loaded.map(({ deviceChannelId }) => deviceChannelId));
  const subscribe = useCallback(
    (wake: () => void) =>
      live.subscribe(
        loaded.map((channel) => channel.deviceChannelId),
        wake,
      ),
    [live, loaded],
  );
  const now = () =>
    loaded.map((channel) => {
      const { deviceChannelId } = channel;
      const { value, status } = live.of(deviceChannelId) ?? channel;
      return { deviceChannelId, value, status };
    });
  return {
    state: useSyncExternalStore(subscribe, () => tileState(now())),
    channelId: useSyncExternalStore(subscribe, () => channelAtFault(now())?.deviceChannelId),
  };
};

/**
 * What a tile opens: its channel that is not as it should be, at the time of the value that says so; while nothing is wrong its first one and no
 * time, because then the newest readings matter. In the past it is the moment that is shown, also where that has moved on since the tile was rendered.
 */
const useTarget = (tile: TileRow, loaded: readonly Loaded[], channelId: number | undefined): LinkProps["search"] => {
  const live = useContext(LiveValuesContext);
  const { moment } = live;
  const atFault = loaded.find(({ deviceChannelId }) => deviceChannelId === channelId);
  const { deviceChannelId } = atFault ?? tile;
  const of = { deviceId: tile.deviceId, deviceChannelId };
  if (moment) return () => ({ ...of, at: moment().toISOString() });
  const reading = atFault && (live.of(deviceChannelId) ?? atFault);
  return { ...of, at: reading?.updateTime?.toISOString() };
};

/** The icon class changes every four tiles and repeats after sixteen. (spec 1 §2) */
const iconClass = (index: number): string => `ti-${Math.floor(index / 4) % 4}`;

const typeLabel = (tile: TileRow): string => {
  if (tile.kind === TileKind.group) return "Group";
  return tile.kind === TileKind.modbus ? "Motor controller" : channelLabel(tile.icon);
};

const StateLabel = ({ state, confirmed }: Pick<HeadProps, "state" | "confirmed">) => {
  if (state === TileState.normal) return null;
  if (confirmed !== undefined)
    return (
      <span className={classes.state}>
        <Glyph name="diamond-open-bang" size={14} />
        {confirmed === "" ? (
          "ALERT"
        ) : (
          <span>
            <span className={classes.wide}>Confirmed, </span>
            {confirmed}
          </span>
        )}
      </span>
    );
  const isAlarm = state === TileState.alarm;
  return (
    <span className={classes.state}>
      <Glyph name={isAlarm ? "diamond-solid-bang" : "hatch"} size={isAlarm ? 15 : 13} />
      {isAlarm ? "ALERT" : "NO DATA"}
    </span>
  );
};

interface HeadProps {
  tile: TileRow;
  index: number;
  state: TileState;
  facts: TileFacts | undefined;
  confirmed: string | undefined;
}

const Head = ({ tile, index, state, facts, confirmed }: HeadProps) => (
  <div className={classes.head}>
    <span className={`${iconClass(index)} ${classes.icon}`}>
      {tile.kind === TileKind.modbus ? <MotorIcon /> : <ChannelIcon analogId={tile.icon} />}
    </span>
    <span className={classes.type}>{typeLabel(tile)}</span>
    {facts?.age !== undefined && (
      <span className={classes.state} data-age>
        <Glyph name="clock" size={13} />
        <span>{facts.age}</span>
      </span>
    )}
    <StateLabel state={state} confirmed={confirmed} />
  </div>
);

interface TileProps {
  tile: TileRow;
  /** Index on the dashboard, from 0. */
  index: number;
  /** Whether the tile's channels are still loading. */
  isWaiting: boolean;
  /** What it says besides its values, once that is known. */
  facts: TileFacts | undefined;
  /** None of the unconfirmed alerts is about it: until its facts are known it is not said to be unconfirmed. */
  isUnlisted: boolean;
  /** Beside the value of a single channel. */
  beside?: ReactNode;
}

const Body = ({ tile, isWaiting, facts, beside }: Omit<TileProps, "index" | "isUnlisted">): ReactNode => {
  if (tile.kind === TileKind.group) return <GroupChannels tile={tile} isWaiting={isWaiting} />;
  if (tile.kind === TileKind.modbus) return <ModbusLines tile={tile} isWaiting={isWaiting} />;
  return <ChannelFigure tile={tile} range={facts?.range} beside={beside} />;
};

/** One window of the dashboard, as a whole a link to the device detail. Re-renders only when its own channels change. */
export const Tile = memo(({ tile, index, isWaiting, facts, isUnlisted, beside }: TileProps) => {
  const loaded = useMemo(() => channelsOf(tile), [tile]);
  const known = useTileState(loaded);
  const beyond = facts?.range === undefined ? known.state : TileState.alarm;
  // Of a single channel everything is known.
  const state = isWaiting && hasChannels(tile) ? TileState.normal : beyond;
  const unknown = isUnlisted && state === TileState.alarm ? "" : undefined;
  const confirmed = facts ? facts.confirmed : unknown;
  const [gate] = useState(createFlashGate);
  const target = useTarget(tile, loaded, known.channelId);
  const name = tileName(tile);
  const { more } = shownChannels(tile);
  return (
    <FlashGateContext value={gate}>
      <Link
        to="/devicesDetail"
        search={target}
        className={classes.tile}
        data-kind={tile.kind}
        data-state={state}
        data-stale={facts?.age !== undefined || undefined}
        data-confirmed={confirmed !== undefined || undefined}
        data-over={facts?.range !== undefined || undefined}
        title={name === tile.deviceName ? name : `${name}, ${tile.deviceName}`}
      >
        <Head {...{ tile, index, state, facts, confirmed }} />
        <div className={classes.name}>
          <span>{name}</span>
          {more > 0 && <small>+{more} more</small>}
        </div>
        {name !== tile.deviceName && <div className={classes.device}>{tile.deviceName}</div>}
        <div className={classes.body}>
          <Body tile={tile} isWaiting={isWaiting} facts={facts} beside={beside} />
        </div>
        <div className={classes.traces}>
          {facts && state !== TileState.noData && !isWaiting && (
            <Suspense>
              <Traces tile={tile} isStale={facts.age !== undefined} isAlarm={state === TileState.alarm} />
            </Suspense>
          )}
        </div>
      </Link>
    </FlashGateContext>
  );
});
