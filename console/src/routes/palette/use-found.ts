import { useDebouncedValue } from "@mantine/hooks";
import { type AlertRow, alerts } from "@telltale/contract/domains/alerts";
import { devices, type SubDeviceRow } from "@telltale/contract/domains/devices";
import { type TrendChannel, trends } from "@telltale/contract/domains/readings/trends";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useSession } from "../../session/session.ts";
import { useCall } from "../../session/use-call.ts";
import { askedWord, type Query } from "./matching.ts";

/** Pause after typing before the server is asked, milliseconds. */
const pause = 150;

/** Rows that are asked for of each list. */
const size = 50;

/** Each once, by its id. */
const unique = <T>(rows: readonly T[], idOf: (row: T) => number): T[] => [
  ...new Map(rows.map((row) => [idOf(row), row])).values(),
];

/** What a search answers with may be from before the last key; errors are shown in the palette. */
const options = (enabled: boolean) => ({ enabled, meta: { isShownInPlace: true }, staleTime: 30_000 });

const useChannels = (find: string, phrase: string, isAsked: boolean) => {
  const byWord = useCall(trends.find, { find }, options(isAsked));
  // Of a word's first 200 channels the phrase's may be none.
  const byPhrase = useCall(trends.find, { find: phrase }, options(isAsked));
  const rows = [...(byPhrase.data?.channels ?? []), ...(byWord.data?.channels ?? [])];
  return { rows: unique(rows, ({ deviceChannelId }) => deviceChannelId), queries: [byWord, byPhrase] };
};

/** A device ID, or a part of one. */
const idPattern = /^[0-9a-f]{3,12}$/i;

const useDevices = (find: string, isAsked: boolean) => {
  const isLister = useSession().can("devices.list");
  const byName = useCall(devices.list, { deviceName: find, size }, options(isAsked && isLister));
  const byId = useCall(devices.list, { deviceSnId: find, size }, options(isAsked && isLister && idPattern.test(find)));
  // A viewer sees the devices of its dashboard, which are few.
  const shown = useCall(devices.onDashboard, { size }, options(isAsked && !isLister));
  const found = [byName, byId, shown].flatMap(({ data }) => data?.data ?? []);
  const rows = found.flatMap(({ subDevices, ...device }): SubDeviceRow[] => [device, ...subDevices]);
  return { rows: unique(rows, ({ deviceId }) => deviceId), queries: [byName, byId, shown] };
};

const useAlerts = (find: string, isAsked: boolean) => {
  const { alerts: unconfirmed } = useUnconfirmed();
  const ofDevices = useCall(alerts.log, { deviceName: find, size }, options(isAsked));
  const ofChannels = useCall(alerts.log, { channelName: find, size }, options(isAsked));
  const logged = [ofDevices, ofChannels].flatMap(({ data }): AlertRow[] => (isAsked ? (data?.data ?? []) : []));
  // What is live of an alert comes after what was logged of it.
  const rows = unique([...logged, ...unconfirmed], ({ alarmLogId }) => alarmLogId);
  const inOrder = rows.sort((a, b) => a.status - b.status || b.createdTime.getTime() - a.createdTime.getTime());
  return { rows: inOrder, queries: [ofDevices, ofChannels] };
};

export interface Found {
  channels: readonly TrendChannel[];
  devices: readonly SubDeviceRow[];
  /** Unconfirmed ones first. */
  alerts: readonly AlertRow[];
  isSearching: boolean;
  error: Error | null;
}

/** What the server has of the typed words; more than matches them all. Nothing is asked for before something is typed. */
export const useFound = (query: Query): Found => {
  const [find] = useDebouncedValue(askedWord(query), pause);
  const [phrase] = useDebouncedValue(query.phrase, pause);
  const isTyped = find !== "";
  const isOfAll = isTyped && query.kind === undefined;
  const channels = useChannels(find, phrase, isOfAll);
  const ofDevices = useDevices(find, isOfAll);
  const ofAlerts = useAlerts(find, isTyped && query.kind !== "actions");
  const queries = [...channels.queries, ...ofDevices.queries, ...ofAlerts.queries];
  return {
    channels: isOfAll ? channels.rows : [],
    devices: isOfAll ? ofDevices.rows : [],
    alerts: ofAlerts.rows,
    isSearching: phrase !== query.phrase || queries.some(({ isFetching }) => isFetching),
    error: queries.find(({ error, data }) => error && !data)?.error ?? null,
  };
};
