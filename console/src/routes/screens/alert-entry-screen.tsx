import { AlertEntry } from "../../features/alerts/entry/alert-entry.tsx";
import { AlertTrend } from "../../features/devices/trend/alert-trend.tsx";
import { NotFound } from "../shell/failures.tsx";

/** /alarms/detail?alarmLogId=: one alert with the trend of its channel. */
export const AlertEntryScreen = ({ alarmLogId }: { alarmLogId: number | undefined }) =>
  alarmLogId === undefined ? (
    <NotFound />
  ) : (
    <AlertEntry
      key={alarmLogId}
      alarmLogId={alarmLogId}
      trend={(alert, deviceChannelId, zone) => <AlertTrend {...{ alert, deviceChannelId, zone }} />}
    />
  );
