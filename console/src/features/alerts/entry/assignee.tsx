import { Select } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type AlertInfo, alertEntries } from "@telltale/contract/domains/alerting/entries";
import type { ReactNode } from "react";
import { Person } from "../../../domain/alerts/person.tsx";
import { useSession } from "../../../session/session.ts";
import { useCall } from "../../../session/use-call.ts";
import { useAssign } from "../assign.ts";
import classes from "./entry-state.module.css";

const nobody = { value: "", label: "Nobody yet" };

const Named = ({ name }: { name: string | null }) =>
  name === null ? <span className={classes.nobody}>{nobody.label}</span> : <Person name={name} />;

const AssigneeSelect = ({ alert }: { alert: AlertInfo }) => {
  const { data } = useCall(alertEntries.assignees, {});
  const { mutate, isPending } = useAssign();
  if (!data) return <Named name={alert.assignedName} />;
  const current = alert.assignedTo === null ? "" : String(alert.assignedTo);
  const known = data.map(({ accountId, name }) => ({ value: String(accountId), label: name }));
  const isListed = current === "" || known.some(({ value }) => value === current);
  const options = isListed ? known : [{ value: current, label: alert.assignedName ?? "" }, ...known];
  return (
    <Select
      aria-label="Who has it"
      data={[nobody, ...options]}
      value={current}
      onChange={(chosen) => mutate({ alarmLogId: alert.alarmLogId, ...(chosen ? { accountId: Number(chosen) } : {}) })}
      allowDeselect={false}
      disabled={isPending}
      searchable={options.length > 8}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      rightSectionPointerEvents="none"
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      classNames={{ root: classes.selectRoot, input: classes.select }}
    />
  );
};

/** Who has the alert, to choose where the account may. */
export const Assignee = ({ alert }: { alert: AlertInfo }): ReactNode =>
  useSession().can("alerts.confirm") ? <AssigneeSelect alert={alert} /> : <Named name={alert.assignedName} />;
