import { Code } from "@telltale/contract/call/codes";
import { type AlertInfo, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { useCall } from "../../../session/use-call.ts";
import type { Moment } from "./view.ts";

/** The alert that a chart was opened for. */
interface MomentAlert {
  /** Undefined until loaded, and where the moment is of no alert. */
  alert: AlertInfo | undefined;
  /** There is none any more, or the account may not see it. The chart is shown all the same, and says so in place. */
  isGone: boolean;
}

/** Loads the alert of a moment. */
export const useMomentAlert = (moment: Moment | undefined): MomentAlert => {
  const alarmLogId = moment?.alarmLogId;
  const { data, error } = useCall(
    alertEntries.info,
    { alarmLogId: alarmLogId ?? 0 },
    { enabled: alarmLogId !== undefined, placeholderData: undefined, meta: { silentCode: Code.notFound } },
  );
  return { alert: data, isGone: error?.code === Code.notFound };
};
