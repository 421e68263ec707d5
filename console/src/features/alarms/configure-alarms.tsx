import { Tabs } from "@mantine/core";
import { type AlarmRow, alarms } from "@telltale/contract/domains/alarms";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { Role } from "@telltale/contract/permissions";
import { type ReactNode, useCallback, useMemo } from "react";
import { JointLink } from "../../domain/joint-link.tsx";
import { useRemoval } from "../../form/use-confirmed-action.tsx";
import { useInvalidate } from "../../session/invalidate.ts";
import { useSession } from "../../session/session.ts";
import { useAction } from "../../session/use-call.ts";
import { AddButton } from "../../ui/page/add-button.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import { useLeave, useNavigate } from "../../ui/router/hooks.ts";
import tabs from "../../ui/tabs.module.css";
import type { AlarmOperations } from "./alarm-columns.tsx";
import { fieldsOf } from "./alarm-fields.ts";
import { CustomAlarms, SystemAlarms } from "./alarm-list.tsx";
import { AlarmPage } from "./alarm-page.tsx";
import { changedCalls } from "./changed-calls.ts";
import classes from "./configure-alarms.module.css";
import { type TrialTrend, TrialTrendContext } from "./timing/trial-place.ts";

const consequenceOf = ({ alarmClass }: AlarmRow): string =>
  alarmClass === AlertClass.custom
    ? "Its open alerts are cleared and stay in the log. It sends no more notifications."
    : "It sends no more notifications. The device keeps its limits and notifications.";

/** Asks for confirmation before an alert is deleted. (spec 2 §8) */
const useRemoveAlarm = () =>
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

/** Switches an alert on or off; no question, because switching back undoes it. */
const useToggle = (): AlarmOperations["toggle"] => {
  const { mutate } = useAction(alarms.update, { invalidates: changedCalls });
  return useCallback(
    (alarm) =>
      mutate({
        ...fieldsOf(alarm),
        alarmId: alarm.alarmId,
        enabled: alarm.enabled === 1 ? 0 : 1,
        version: alarm.version,
      }),
    [mutate],
  );
};

/** The tabs by their name in the page's address; the first is the default. */
const Tab = { system: "system", custom: "custom" } as const;
type Tab = (typeof Tab)[keyof typeof Tab];

/** The open tab. Changing it clears the filters: those of one list do not apply to the other. */
const useTab = (tab: string | undefined): [Tab, (tab: Tab) => void] => {
  const navigate = useNavigate();
  const open = (next: Tab) =>
    void navigate({ to: ".", search: next === Tab.system ? {} : { tab: next }, replace: true });
  return [tab === Tab.custom ? Tab.custom : Tab.system, open];
};

/** Permitted operations of this account: limit and notification alerts are the owner's. (spec 2 §6) */
const useOperations = (remove: AlarmOperations["remove"]) => {
  const { can, account } = useSession();
  const navigate = useNavigate();
  const toggle = useToggle();
  const edit = useCallback(
    ({ alarmId }: AlarmRow) => void navigate({ to: ".", search: (before) => ({ ...before, alarmId }) }),
    [navigate],
  );
  const operations = useMemo(() => ({ edit, remove, toggle }), [edit, remove, toggle]);
  const isEditor = can("alarms.write");
  return {
    ofCustom: isEditor ? operations : undefined,
    ofSystem: isEditor && account.roleType === Role.owner ? operations : undefined,
  };
};

interface ConfigureAlarmsProps {
  /** Name of the open tab. */
  tab: string | undefined;
  /** The alert to edit, for accounts that may change it. */
  alarmId: number | undefined;
  /** Present when a new alert is to be added. */
  add: string | undefined;
  /** Draws the readings on which an alert in the form was tried. */
  trend: TrialTrend;
}

type Operations = ReturnType<typeof useOperations>;

/** Whether this account adds and changes the alerts of the tab. */
const mayEdit = (tab: Tab, { ofCustom, ofSystem }: Operations): boolean =>
  (tab === Tab.custom ? ofCustom : ofSystem) !== undefined;

interface ListsProps {
  tab: Tab;
  open: (tab: Tab) => void;
  operations: Operations;
}

/** The alerts of one tab. */
const AlarmLists = ({ tab, open, operations }: ListsProps): ReactNode => {
  const { ofCustom, ofSystem } = operations;
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const refresh = () => {
    const shown = tab === Tab.custom ? alarms.list : alarms.systemList;
    invalidate([shown]);
  };
  const add = () => void navigate({ to: ".", search: (before) => ({ ...before, add: 1 }) });
  const buttons = (
    <>
      <JointLink />
      <RefreshButton onRefresh={refresh} />
      {mayEdit(tab, operations) && <AddButton label="Add alert" onClick={add} />}
    </>
  );
  return (
    <>
      <PageTitle aside={buttons}>CONFIGURATION-ALERT</PageTitle>
      <Tabs
        value={tab}
        onChange={(next) => open(next === Tab.custom ? Tab.custom : Tab.system)}
        keepMounted={false}
        classNames={{ ...tabs, list: `${tabs.list} ${classes.tabs}` }}
      >
        <Tabs.List aria-label="Alerts">
          <Tabs.Tab value={Tab.system}>Threshold alert/notification</Tabs.Tab>
          <Tabs.Tab value={Tab.custom}>Custom alert</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={Tab.system}>
          {ofCustom && !ofSystem && (
            <p className={classes.note}>
              The owner sets up threshold alerts and notifications. You can add alerts under Custom alert.
            </p>
          )}
          <SystemAlarms operations={ofSystem} />
        </Tabs.Panel>
        <Tabs.Panel value={Tab.custom}>
          <CustomAlarms operations={ofCustom} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

/** Leads from the form to the list of this tab: back to it as it was left, where the form was opened from it. */
const useWayBack = () => {
  const leave = useLeave();
  const navigate = useNavigate();
  return (tab: Tab, isOtherTab: boolean): void => {
    const list = { to: ".", search: tab === Tab.system ? {} : { tab } };
    if (isOtherTab) void navigate({ ...list, replace: true });
    else leave(list);
  };
};

/** The plant's alerts, to add, change and delete; the form of one takes the place of the list. (spec 2 §2) */
export const ConfigureAlarms = ({ tab: named, alarmId, add, trend }: ConfigureAlarmsProps): ReactNode => {
  const [tab, open] = useTab(named);
  const removing = useRemoveAlarm();
  const operations = useOperations(removing.ask);
  const leave = useWayBack();
  const isForm = (alarmId !== undefined || add !== undefined) && mayEdit(tab, operations);
  if (!isForm)
    return (
      <>
        <AlarmLists tab={tab} open={open} operations={operations} />
        {removing.dialog}
      </>
    );
  return (
    <TrialTrendContext value={trend}>
      <AlarmPage
        key={alarmId}
        alarmId={alarmId}
        // On the other tab the user selects the class, because it lists two. (spec 2 §5)
        alarmClass={tab === Tab.custom ? AlertClass.custom : undefined}
        onCancel={() => leave(tab, false)}
        onSaved={(alarmClass) => {
          const place = alarmClass === AlertClass.custom ? Tab.custom : Tab.system;
          leave(place, place !== tab);
        }}
      />
    </TrialTrendContext>
  );
};
