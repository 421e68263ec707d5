import { useQueryClient } from "@tanstack/react-query";
import { LiveCommand } from "@telltale/contract/live";
import type { z } from "zod";
import { type AnyCall, keyOf } from "../use-call.ts";
import type { MessageOf } from "./live.ts";
import { useLiveRefetch } from "./use-live-refetch.ts";
import { whenSettled } from "./when-settled.ts";

interface ListOfAlerts<Row> {
  call: AnyCall & { result: z.ZodType<Row[]> };
  /** The field of the live message with a device's rows of this list. */
  field: "unconfirmed" | "confirmed";
  /** The list with the device's rows as they are now; undefined when that cannot be told from these rows. */
  withDevice: (list: readonly Row[], deviceId: number, rows: readonly Row[]) => Row[] | undefined;
}

/** Keeps a list of alerts up to date by what live messages carry of a device, so that consoles ask nothing in a flood of alerts; fetches it where they carry none. */
export const useAlertsByDevice = <Row>({ call, field, withDevice }: ListOfAlerts<Row>): void => {
  const queries = useQueryClient();
  const queryKey = keyOf(call, {});
  const isTaken = (message: MessageOf<typeof LiveCommand.alertChange>): boolean => {
    const read = message[field] && call.result.safeParse(message[field]);
    if (!read?.success) return false;
    const next = (list: readonly Row[]) => withDevice(list, message.deviceId, read.data);
    const now = queries.getQueryData<readonly Row[]>(queryKey);
    if (now && !next(now)) return false;
    whenSettled(queries, queryKey, () => {
      const list = queries.getQueryData<readonly Row[]>(queryKey);
      const changed = list && next(list);
      if (changed) queries.setQueryData(queryKey, changed);
      else if (list) void queries.invalidateQueries({ queryKey });
    });
    return true;
  };
  useLiveRefetch([call], [LiveCommand.alertChange, LiveCommand.dashboardChange], (message) =>
    message.cmd === LiveCommand.alertChange ? !isTaken(message) : message.deviceId === undefined,
  );
};
