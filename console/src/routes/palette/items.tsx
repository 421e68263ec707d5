import {
  type Icon,
  IconArrowsMaximize,
  IconBellCheck,
  IconBrightness,
  IconChartLine,
  IconCpu,
  IconDownload,
  IconFileText,
  IconHistory,
  IconSettings2,
} from "@tabler/icons-react";
import type { AlertRow } from "@telltale/contract/domains/alerts";
import { channels, ReadingStatus } from "@telltale/contract/domains/channels";
import type { SubDeviceRow } from "@telltale/contract/domains/devices";
import { shortcutPages } from "@telltale/contract/domains/people/personal";
import type { TrendChannel } from "@telltale/contract/domains/readings/trends";
import { alertStatusLook, isShownSilent } from "../../domain/alerts/alert-status.ts";
import { alertLine, alertName } from "../../domain/alerts/alert-text.ts";
import { ChannelIcon } from "../../domain/channel-icon.tsx";
import { detailLink } from "../../domain/devices/device-links.tsx";
import { deviceStatusLook } from "../../domain/devices/device-status.ts";
import { shownValue } from "../../domain/shown-value.ts";
import { isNoData } from "../../domain/value.ts";
import { useIsLost } from "../../session/live/live.ts";
import { LiveValuesContext, type Loaded, useLiveValues, useReading } from "../../session/live/use-live-values.ts";
import type { Session } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { useRecent } from "../../ui/format/time.ts";
import type { SearchInput } from "../../ui/router/address.ts";
import type { Router } from "../../ui/router/router.ts";
import { Glyph } from "../../ui/status/glyph.tsx";
import { toggleColorScheme } from "../../ui/theme/color-scheme.ts";
import type { Kind } from "./matching.ts";
import classes from "./palette.module.css";

const Value = ({ channel, loaded }: { channel: TrendChannel; loaded: Loaded & { unit: string } }) => {
  const reading = useReading(loaded);
  const { text, unit } = shownValue(channel, { ...reading, unit: loaded.unit });
  const isAlarm = reading.status === ReadingStatus.alarm;
  const isLost = useIsLost();
  return (
    <span className={classes.end} data-tone={isAlarm ? "alarm" : undefined} data-lost={isLost || undefined}>
      {isAlarm && <Glyph name="diamond-open-bang" size={15} />}
      {isNoData(reading) ? text : <b>{text}</b>} {unit}
    </span>
  );
};

/** The newest value of a channel. */
const ChannelEnd = ({ channel }: { channel: TrendChannel }) => {
  const { deviceChannelId } = channel;
  const { data, isFetching, dataUpdatedAt } = useCall(
    channels.value,
    { deviceChannelId },
    { meta: { quiet: true, isShownInPlace: true } },
  );
  const live = useLiveValues(isFetching, dataUpdatedAt);
  return <LiveValuesContext value={live}>{data && <Value channel={channel} loaded={data} />}</LiveValuesContext>;
};

/** A line of the palette. */
export interface Item {
  /** Unlike that of any other line. */
  key: string;
  kind: Kind;
  icon: React.ReactNode;
  name: string;
  /** Said beside the name, and searched, too. */
  note?: string | undefined;
  /** At the end of the line: a value, a state, a time. */
  end?: React.ReactNode;
  /** Opens or does it. */
  run: () => void;
  /** What Ctrl Enter does. */
  alsoRun?: (() => void) | undefined;
}

type Navigate = Router["navigate"];

const iconOf = (Shape: Icon) => <Shape size={18} stroke={1.6} aria-hidden />;

const trendOf = ({ deviceId, deviceChannelId }: TrendChannel) => ({
  to: "/devicesDetail",
  search: { deviceId, deviceChannelId, span: "24h" },
});

export const channelItem = (channel: TrendChannel, navigate: Navigate): Item => {
  const { deviceId, deviceChannelId, channelName, deviceName } = channel;
  return {
    key: `channel ${deviceChannelId}`,
    kind: "channels",
    icon: <ChannelIcon analogId={channel.channelAnalogId} />,
    name: channelName,
    note: deviceName,
    end: <ChannelEnd channel={channel} />,
    run: () => void navigate({ to: "/devicesDetail", search: { deviceId, deviceChannelId } }),
    alsoRun: () => void navigate(trendOf(channel)),
  };
};

export const deviceItem = (device: SubDeviceRow, navigate: Navigate): Item => {
  const { label, glyph, tone } = deviceStatusLook(device.status);
  return {
    key: `device ${device.deviceId}`,
    kind: "devices",
    icon: iconOf(IconCpu),
    name: device.deviceName,
    note: `${device.deviceSn} · ${device.deviceSnId}`,
    end: (
      <span className={classes.end} data-tone={tone}>
        <Glyph name={glyph} size={15} />
        {label}
      </span>
    ),
    run: () => void navigate(detailLink(device)),
  };
};

/** When an alert was raised, in the zone of the page below, and its state. */
const AlertEnd = ({ alert }: { alert: AlertRow }) => {
  const { recentShort } = useRecent();
  return `${recentShort(alert.createdTime)} · ${alertStatusLook(alert.status, isShownSilent(alert)).label}`;
};

export const alertItem = (alert: AlertRow, navigate: Navigate): Item => {
  const { glyph, tone } = alertStatusLook(alert.status, isShownSilent(alert));
  const { type, text, threshold } = alertLine(alert);
  return {
    key: `alert ${alert.alarmLogId}`,
    kind: "alerts",
    icon: (
      <span className={classes.sign} data-tone={tone}>
        <Glyph name={glyph} size={16} />
      </span>
    ),
    name: `${type}, ${alertName(alert)}`,
    note: [text, threshold && `threshold ${threshold}`, alert.deviceName].filter(Boolean).join(", "),
    end: <AlertEnd alert={alert} />,
    run: () => void navigate({ to: "/alarms/detail", search: { alarmLogId: alert.alarmLogId } }),
  };
};

/** What can be done to the channel that matches best. */
export const channelActions = (channel: TrendChannel, { can }: Pick<Session, "can">, navigate: Navigate): Item[] => {
  const { deviceId, deviceChannelId, channelName } = channel;
  const of = { kind: "actions", note: channel.deviceName } as const;
  const trend: Item = {
    ...of,
    key: "open trend",
    icon: iconOf(IconChartLine),
    name: `Open trend of ${channelName}`,
    note: `${channel.deviceName}, last 24 h`,
    run: () => void navigate(trendOf(channel)),
  };
  const compare: Item = {
    ...of,
    key: "compare",
    icon: iconOf(IconChartLine),
    name: `Compare ${channelName} with others`,
    run: () => void navigate({ to: "/compare", search: { channel: String(deviceChannelId) } }),
  };
  const limits: Item = {
    ...of,
    key: "configure limits",
    icon: iconOf(IconSettings2),
    name: `Configure limits of ${channelName}`,
    run: () => void navigate({ to: "/configureDevicesAdd", search: { deviceId } }),
  };
  return [trend, compare, ...(can("devices.configure") ? [limits] : [])];
};

/** What can be done anywhere. */
export interface Doing {
  navigate: Navigate;
  confirmAll: () => void;
  download: () => void;
}

/** What the actions depend on, besides the rights. */
interface ActionNeeds {
  /** How many alerts can be confirmed now. */
  toConfirm: number;
  /** Without a connection nothing is offered that has to ask: the past, and what can be downloaded. */
  isLost: boolean;
}

/** What can be done now. */
export const actionItems = (
  { can }: Pick<Session, "can">,
  { toConfirm, isLost }: ActionNeeds,
  doing: Doing,
): Item[] => {
  const { navigate, confirmAll, download } = doing;
  const action = (name: string, icon: Icon, run: () => void): Item => ({
    ...{ key: `action ${name}`, kind: "actions", icon: iconOf(icon), name, run },
  });
  const show = (search: SearchInput) => () => void navigate({ to: "/", search });
  return [
    ...(can("alerts.confirm") && toConfirm > 0 ? [action("Confirm all alerts", IconBellCheck, confirmAll)] : []),
    ...(can("downloads.read") && !isLost ? [action("Download data", IconDownload, download)] : []),
    ...(can("dashboard.read") && !isLost ? [action("Rewind the dashboard", IconHistory, show({ at: "now" }))] : []),
    ...(can("dashboard.read")
      ? [action("Show the dashboard on the whole screen", IconArrowsMaximize, show({ wall: "" }))]
      : []),
    { ...action("Switch between light and dark", IconBrightness, toggleColorScheme), note: "Theme" },
  ];
};

/** The pages that the account may open. */
export const pageItems = ({ can }: Pick<Session, "can">, navigate: Navigate): Item[] =>
  Object.entries(shortcutPages).flatMap(([path, { label, needs }]): Item[] =>
    can(needs)
      ? [{ key: path, kind: "pages", icon: iconOf(IconFileText), name: label, run: () => void navigate({ to: path }) }]
      : [],
  );
