import { type AlertRow, AlertType } from "@telltale/contract/domains/alerts";
import type { LogGroup } from "@telltale/contract/domains/channels";
import { alertName } from "../../../domain/alerts/alert-text.ts";
import { type Threshold, thresholdsOf } from "../../../domain/channel-settings.ts";

/** The limits of a settings period with the one of the alert, which a rule may have set. */
export const thresholdsWith = (period: LogGroup | undefined, alert: AlertRow): Threshold[] => {
  const own = period ? thresholdsOf(period) : [];
  const { threshold: value } = alert;
  const high = alert.alarmType !== AlertType.low;
  if (value === null || own.some((each) => each.value === value && each.high === high)) return own;
  return [...own, { name: alertName(alert), value, high }];
};
