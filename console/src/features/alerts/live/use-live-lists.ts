import { useQueryClient } from "@tanstack/react-query";
import { LiveCommand } from "@telltale/contract/live";
import { useRef } from "react";
import { useLive } from "../../../session/live/live.ts";
import { usePacedRefetch } from "../../../session/live/use-live-refetch.ts";
import type { AnyCall } from "../../../session/use-call.ts";
import { loadPlain } from "../../../ui/load-with-retry.ts";

/** What applies the messages loads with the first one: no list waits for it. */
const loadFollowing = () => loadPlain(() => import("./follow-change.ts"));

const commands = [LiveCommand.alertChange, LiveCommand.dashboardChange, LiveCommand.recordChange] as const;

/**
 * Keeps the lists of a call about alerts up to date by what live messages carry, so that many open consoles ask nothing in a flood of alerts. They are
 * fetched where that cannot be told, when a dashboard changes, since a viewer sees the alerts of its devices, and when users do, whose names are in them.
 */
export const useLiveLists = (call: AnyCall): void => {
  const queries = useQueryClient();
  const onUnknown = usePacedRefetch([call]);
  const told = useRef(new Set<number>());
  useLive(commands, (message) => {
    if (message.cmd === LiveCommand.dashboardChange) {
      if (message.deviceId === undefined) onUnknown();
    } else if (message.cmd === LiveCommand.recordChange) {
      if (message.record === "user") onUnknown();
    } else if (!message.log) onUnknown();
    else
      loadFollowing().then(
        ({ followChange }) => followChange(call, message, { queries, told: told.current, onUnknown }),
        onUnknown,
      );
  });
};
