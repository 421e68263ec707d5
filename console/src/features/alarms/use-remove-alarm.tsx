import { type AlarmRow, alarms } from "@telltale/contract/alarms";
import { AlertClass } from "@telltale/contract/alerts";
import { useRemoval } from "../../form/use-removal.tsx";
import { changedCalls } from "./changed-calls.ts";

const consequenceOf = ({ alarmClass }: AlarmRow): string =>
  alarmClass === AlertClass.custom
    ? "What it has raised is cleared and stays in the log. Nobody is told by it any more."
    : "Nobody is told by it any more. The device keeps its limits and notifications.";

/** Asks before an alert is deleted. (spec 2 §8) */
export const useRemoveAlarm = () =>
  useRemoval({
    call: alarms.remove,
    inputOf: ({ alarmId }: AlarmRow) => ({ alarmId }),
    invalidates: changedCalls,
    title: "Delete alert",
    question: (alarm) => (
      <>
        Are you sure that you want to delete this Alert?
        <p>
          <b>{alarm.alarmName}</b>, {alarm.deviceName}. {consequenceOf(alarm)}
        </p>
      </>
    ),
  });
