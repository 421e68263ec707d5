import { useQueryClient } from "@tanstack/react-query";
import { type ChannelValue, channels } from "@telltale/contract/channels";
import { history } from "@telltale/contract/history";
import { LiveCommand } from "@telltale/contract/live";
import { useLive } from "../../session/live.ts";
import { callQuery, useCall } from "../../session/use-call.ts";
import { useLiveRefetch } from "../../session/use-live-refetch.ts";

/** A channel's current value, live; undefined until it is known. (spec 1 §4) */
export const useChannelValue = (deviceChannelId: number): ChannelValue | undefined => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(channels.value, { deviceChannelId });
  const { data } = useCall(channels.value, { deviceChannelId }, { placeholderData: undefined });

  useLive(LiveCommand.value, ({ deviceChannelId: id, value, status, updateTime }) => {
    if (id !== deviceChannelId) return;
    queries.setQueryData(queryKey, (old) => old && { ...old, value, status, updateTime: new Date(updateTime) });
  });
  useLiveRefetch(
    [channels.value, history.periods],
    [LiveCommand.dashboardChange],
    (change) => change.deviceChannelId === undefined || change.deviceChannelId === deviceChannelId,
  );
  return data;
};
