import { useQueryClient } from "@tanstack/react-query";
import { personal, type WatchedChannel } from "@telltale/contract/domains/people/personal";
import { LiveCommand } from "@telltale/contract/live";
import { type ReactNode, useId } from "react";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useIsLost } from "../../../session/live/live.ts";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { useLiveRefetch, useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { LiveValuesContext, useLiveValues } from "../../../session/live/use-live-values.ts";
import { useSession } from "../../../session/session.ts";
import { keyOf, useAction, useCall } from "../../../session/use-call.ts";
import { AddButton } from "../../../ui/page/add-button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { SkeletonRows } from "../../../ui/page/skeleton-rows.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { useArrangement } from "../../../ui/use-arrangement.ts";
import classes from "./personal.module.css";
import { WatchedRow } from "./watched-row.tsx";

const keyOfChannel = ({ deviceChannelId }: WatchedChannel): number => deviceChannelId;
const nameOfChannel = ({ channelName, deviceName }: WatchedChannel): string => `${channelName}, ${deviceName}`;

/** The list with optimistic updates: changes are shown at once and saved in the background. */
const useWatchlist = () => {
  const queries = useQueryClient();
  const list = useCall(personal.list, {}, { meta: { quiet: true } });
  const invalidate = useInvalidate();
  const reload = () => invalidate([personal.list]);
  const options = { invalidates: [personal.list, personal.choices] };
  const order = useAction(personal.order, options);
  const remove = useAction(personal.remove, { ...options, success: "Delete successful" });
  const show = (channels: WatchedChannel[]) => {
    void queries.cancelQueries({ queryKey: keyOf(personal.list) });
    queries.setQueryData(keyOf(personal.list, {}), channels);
  };
  useLiveRefetch([personal.list], [LiveCommand.dashboardChange]);
  useRecordsRefetch([personal.list], ["watchlist"]);
  return {
    list,
    reload,
    putInOrder: (channels: WatchedChannel[]) => {
      show(channels);
      order.mutate({ deviceChannelIds: channels.map(keyOfChannel) }, { onError: reload });
    },
    remove: ({ deviceChannelId }: WatchedChannel) => {
      show((list.data ?? []).filter((each) => each.deviceChannelId !== deviceChannelId));
      remove.mutate({ deviceChannelId }, { onError: reload });
    },
  };
};

interface RowsProps {
  channels: readonly WatchedChannel[];
  onMove: (channels: WatchedChannel[]) => void;
  onRemove: ((channel: WatchedChannel) => void) | undefined;
}

const Rows = ({ channels, onMove, onRemove }: RowsProps) => {
  const hint = useId();
  const arrangement = useArrangement({ items: channels, onMove, keyOf: keyOfChannel, nameOf: nameOfChannel });
  return (
    <>
      {onRemove && (
        <p id={hint} className={classes.hint}>
          Drag a channel by its handle to its place, or move it with the arrow keys, Home and End.
        </p>
      )}
      <ol ref={arrangement.list} className={classes.list} aria-label="Watchlist" data-lost={useIsLost() || undefined}>
        {channels.map((channel) => (
          <WatchedRow
            key={channel.deviceChannelId}
            channel={channel}
            arrangement={arrangement}
            onRemove={onRemove}
            hint={hint}
          />
        ))}
      </ol>
      <p role="status" className={classes.spoken}>
        {arrangement.announcement}
      </p>
    </>
  );
};

/** The user's watched channels, live, in the user's own order. (decisions §4) */
export const Watchlist = (): ReactNode => {
  const { list, reload, putInOrder, remove } = useWatchlist();
  const live = useLiveValues(list.isFetching, list.dataUpdatedAt);
  const isEditor = useSession().can("personal.write");
  const addLink = isEditor && <AddButton label="Add channels" to="/personalAdd" />;
  const buttons = (
    <>
      <RefreshButton onRefresh={reload} />
      {addLink}
    </>
  );
  const { data, error } = list;
  return (
    <LiveValuesContext value={live}>
      <PageTitle aside={buttons}>WATCHLIST</PageTitle>
      <LostLine />
      {data === undefined && !error && (
        <Panel>
          <SkeletonRows columns={[0.2, 0.9, 0.6, 0.5, 0.5]} />
        </Panel>
      )}
      {data === undefined && error && (
        <Panel>
          <ErrorState error={error} onRetry={reload} />
        </Panel>
      )}
      {data?.length === 0 && (
        <Panel>
          <EmptyState>
            Your watchlist is empty. Add the channels you want to watch; every user has a list of their own.
          </EmptyState>
        </Panel>
      )}
      {data && data.length > 0 && <Rows channels={data} onMove={putInOrder} onRemove={isEditor ? remove : undefined} />}
    </LiveValuesContext>
  );
};
