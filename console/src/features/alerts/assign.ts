import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { alerts } from "@telltale/contract/domains/alerts";
import { useCallback } from "react";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";

/** Calls whose answers name who has an alert. */
const named = [alertEntries.standing, alertEntries.info, alerts.log, alerts.unconfirmed];

/** Assigns an alert to an account, or to nobody. */
export const useAssign = () => useAction(alertEntries.assign, { invalidates: named });

/** Assigns an alert to the account that is signed in. */
export const useAssignToMe = (): ((alert: { alarmLogId: number }) => void) => {
  const { accountId } = useSession().account;
  const { mutate } = useAssign();
  return useCallback(({ alarmLogId }) => mutate({ alarmLogId, accountId }), [mutate, accountId]);
};
