import type { Result } from "@telltale/contract/call/call";
import type { alarms } from "@telltale/contract/domains/alarms";
import { type ReactNode, useState } from "react";
import { offered, PickList, useSearch } from "../../form/pick-list.tsx";
import type { UserFlow } from "./use-user-flow.ts";

type Alarm = Result<typeof alarms.names>[number];

const fits = ({ alarmName, deviceName }: Alarm, search = ""): boolean =>
  `${alarmName} ${deviceName}`.toLowerCase().includes(search.toLowerCase());

const groupOf = ({ deviceName }: Alarm) => ({ key: deviceName, name: deviceName });
const row = { keyOf: ({ alarmId }: Alarm) => String(alarmId), label: ({ alarmName }: Alarm) => alarmName };

/** The alerts that the user receives by mail, by device. (spec 2 §6) */
export const AlarmsField = ({ flow }: { flow: UserFlow }): ReactNode => {
  const search = useSearch();
  const { alarms: all, alarmIds, setAlarmIds } = flow;
  const isChosen = ({ alarmId }: Alarm) => alarmIds.includes(alarmId);
  // The initially selected alerts come first: a long list shows only its beginning, and rows do not move on selection.
  const [first] = useState(() => new Set(alarmIds));
  const isFirst = ({ alarmId }: Alarm) => Number(first.has(alarmId));
  const found = all
    ?.filter((each) => fits(each, search.name))
    .toSorted((a, b) => isFirst(b) - isFirst(a) || a.deviceName.localeCompare(b.deviceName));
  const toggle = ({ alarmId }: Alarm) =>
    setAlarmIds(alarmIds.includes(alarmId) ? alarmIds.filter((id) => id !== alarmId) : [...alarmIds, alarmId]);
  return (
    <PickList
      legend={
        <>
          Alerts <small>{alarmIds.length} selected, notified by mail</small>
        </>
      }
      field="alarmIds"
      search={search}
      placeholder="Search by alert or device name"
      found={found && { rows: found.slice(0, offered), total: found.length }}
      kind="many"
      groupOf={groupOf}
      row={row}
      isChosen={isChosen}
      onToggle={toggle}
      none={all?.length === 0 ? "There are no alerts to assign yet" : "No alert of this name"}
      error={undefined}
    />
  );
};
