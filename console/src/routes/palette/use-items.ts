import { useMemo } from "react";
import { useIsLost } from "../../session/live/live.ts";
import { useUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useSession } from "../../session/session.ts";
import { useIsRewound } from "../shell/live-indicator.tsx";
import {
  actionItems,
  alertItem,
  channelActions,
  channelItem,
  type Doing,
  deviceItem,
  type Item,
  pageItems,
} from "./items.tsx";
import { type Kind, kinds, matching, type Query, queryOf } from "./matching.ts";
import { useFound } from "./use-found.ts";

/** Lines of a kind, at most: the others follow with more letters. Of the only kind that is asked for, more. */
const mostOfKind: Record<Kind, number> = { channels: 6, devices: 5, alerts: 5, actions: 6, pages: 6 };
const mostOfOnlyKind = 50;

/** The lines of one kind. */
export interface Section {
  kind: Kind;
  items: readonly Item[];
}

const sectionsOf = (query: Query, items: readonly Item[]): Section[] =>
  kinds
    .filter((kind) => query.kind === undefined || query.kind === kind)
    .map((kind) => {
      const most = query.kind === kind ? mostOfOnlyKind : mostOfKind[kind];
      return {
        kind,
        items: matching(
          query,
          items.filter((item) => item.kind === kind),
        ).slice(0, most),
      };
    })
    .filter((section) => section.items.length > 0);

/** What the palette lists for a typed text. */
export const useItems = (typed: string, doing: Doing) => {
  const session = useSession();
  const { alerts: unconfirmed } = useUnconfirmed();
  const isLost = useIsLost();
  // Who looks at the past does not see what would be confirmed.
  const isRewound = useIsRewound();
  const toConfirm = isLost || isRewound ? 0 : unconfirmed.length;
  const query = useMemo(() => queryOf(typed), [typed]);
  const { channels, devices, alerts, isSearching, error } = useFound(query);
  const { navigate } = doing;
  const [best] = matching(
    query,
    channels.map((channel) => ({ name: channel.channelName, note: channel.deviceName, channel })),
  );
  const items = [
    ...channels.map((channel) => channelItem(channel, navigate)),
    ...devices.map((device) => deviceItem(device, navigate)),
    ...alerts.map((alert) => alertItem(alert, navigate)),
    ...(best && query.kind === undefined ? channelActions(best.channel, session, navigate) : []),
    ...actionItems(session, { toConfirm, isLost }, doing),
    ...pageItems(session, navigate),
  ];
  return { query, sections: sectionsOf(query, items), isSearching, error };
};
