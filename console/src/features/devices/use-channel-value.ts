import { useQueryClient } from "@tanstack/react-query";
import { type ChannelValue, channels } from "@telltale/contract/channels";
import { history } from "@telltale/contract/history";
import { LiveCommand } from "@telltale/contract/live";
import { useLive } from "../../session/live.ts";
import { callQuery, keyOf, useCall } from "../../session/use-call.ts";

/** A channel's current value, live; undefined until it is known. (spec 1 §4) */
export const useChannelValue = (deviceChannelId: number): ChannelValue | undefined => {
  const queries = useQueryClient();
  const { queryKey } = callQuery(channels.value, { deviceChannelId });
  const { data } = useCall(channels.value, { deviceChannelId }, { placeholderData: undefined });

  useLive(LiveCommand.value, ({ deviceChannelId: id, value, status, updateTime }) => {
    if (id !== deviceChannelId) return;
    queries.setQueryData(queryKey, (old) => old && { ...old, value, status, updateTime: new Date(updateTime) });
  });
  useLive(LiveCommand.dashboardChange, (change) => {
    if (change.deviceChannelId !== undefined && change.deviceChannelId !== deviceChannelId) return;
    void queries.invalidateQueries({ queryKey });
    void queries.invalidateQueries({ queryKey: keyOf(history.periods) });
  });
  return data;
};
