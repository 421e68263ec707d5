import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { AlertLogChange, type StandingRow } from "@telltale/contract/domains/alerting/entries";
import { AlertStatus, alerts } from "@telltale/contract/domains/alerts";
import { type LiveAlertChange, LiveCommand } from "@telltale/contract/live";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { followChange } from "./follow-change.ts";
import { anAlert } from "./test-alert.ts";

const row = (alarmLogId: number, more: Partial<StandingRow> = {}): StandingRow =>
  anAlert(alarmLogId, { status: AlertStatus.cleared, modifiedTime: new Date(), receivedTime: null, ...more });
const message = (rows: StandingRow[]): LiveAlertChange => ({
  ...{ cmd: LiveCommand.alertChange, deviceId: 1, unconfirmed: [] },
  log: z.encode(AlertLogChange, { changed: rows, waiting: [], standing: [], places: [], family: [] }),
});
const answer = (ids: readonly number[]) => ({
  ...{ data: ids.map((id) => row(id)), page: 1, total: ids.length, total_pages: 1, notifications: [] },
});

const aConsole = () => {
  const queries = new QueryClient();
  const told = new Set<number>();
  const onUnknown = vi.fn();
  const shown = (filter: object = {}) => [alerts.log.path, { ...filter, page: 1, size: 20 }] as const;
  const idsOf = (filter: object = {}) =>
    queries.getQueryData<ReturnType<typeof answer>>(shown(filter))?.data.map(({ alarmLogId }) => alarmLogId);
  const follow = (rows: StandingRow[]) => followChange(alerts.log, message(rows), { queries, told, onUnknown });
  return { queries, onUnknown, shown, idsOf, follow };
};

test("a message changes each cached list by its filters, once, also while lists are fetched; a later screen finds them as old as they are", async () => {
  const { queries, onUnknown, shown, idsOf, follow } = aConsole();
  queries.setQueryData(shown(), answer([1]), { updatedAt: 5 });
  queries.setQueryData(shown({ status: [1] }), answer([]));
  follow([row(2)]);
  expect([idsOf(), idsOf({ status: [1] })]).toEqual([[2, 1], []]);
  expect(queries.getQueryState(shown())?.dataUpdatedAt).toBe(5);
  const pending = Promise.withResolvers<ReturnType<typeof answer>>();
  const fetched = queries.fetchQuery({ queryKey: shown(), queryFn: () => pending.promise });
  follow([row(4)]);
  follow([row(4), row(5)]);
  expect(idsOf()).toEqual([2, 1]);
  pending.resolve(answer([4, 3, 2, 1]));
  await fetched;
  await expect.poll(() => idsOf()).toEqual([5, 4, 3, 2, 1]);
  expect(onUnknown).not.toHaveBeenCalled();
});

test("a list on screen that only the server can tell is fetched; one that is not is when it is shown again", () => {
  const { queries, onUnknown, shown, idsOf, follow } = aConsole();
  const byMail = { email: "mara" };
  queries.setQueryData(shown(), answer([1]));
  queries.setQueryData(shown(byMail), answer([]));
  const confirmed = row(2, { acceptTime: new Date() });
  follow([confirmed]);
  expect(idsOf()).toEqual([2, 1]);
  expect(onUnknown).not.toHaveBeenCalled();
  expect(queries.getQueryState(shown(byMail))?.isInvalidated).toBe(true);
  const stop = new QueryObserver(queries, {
    queryKey: shown(byMail),
    queryFn: () => answer([]),
    staleTime: "static",
  }).subscribe(() => {});
  follow([confirmed]);
  expect(onUnknown).toHaveBeenCalledTimes(1);
  stop();
});
