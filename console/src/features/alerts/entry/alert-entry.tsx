import { Code } from "@telltale/contract/call/codes";
import { type AlertInfo, alertEntries } from "@telltale/contract/domains/alerting/entries";
import { LiveCommand } from "@telltale/contract/live";
import type { Zone } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { alertName, channelBeside } from "../../../domain/alerts/alert-text.ts";
import { PriorityPlate } from "../../../domain/alerts/priority-plate.tsx";
import { useZoneChoice, ZoneSwitch } from "../../../domain/devices/zone-switch.tsx";
import { LostLine } from "../../../session/live/lost-line.tsx";
import { useLiveRefetch } from "../../../session/live/use-live-refetch.ts";
import { LiveValuesContext, useLiveValues } from "../../../session/live/use-live-values.ts";
import { useCall } from "../../../session/use-call.ts";
import { ZonedPage } from "../../../ui/format/page-zone.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import { serverNow } from "../../../ui/server-time.ts";
import { useIsPhone } from "../../../ui/use-is-phone.ts";
import { DeviceIdCell } from "../alert-cells.tsx";
import { useConfirmAlert, useShelveAlert } from "../use-confirm.tsx";
import classes from "./alert-entry.module.css";
import { EntryActions } from "./entry-actions.tsx";
import { EntryState } from "./entry-state.tsx";
import { Timeline } from "./timeline.tsx";
import { WhatToDo } from "./what-to-do.tsx";

/** ALERT before the title: the way back. */
const back = (
  <small>
    <Link to="/alarms">ALERT</Link> /
  </small>
);

/** Where the alert is: its channel, unless that is its name, and its device. */
const Place = ({ alert }: { alert: AlertInfo }) => (
  <span className={classes.place}>
    <PriorityPlate priority={alert.priority} />
    <span>
      {[channelBeside(alert), alert.deviceName].filter(Boolean).join(", ")} <DeviceIdCell alert={alert} />
    </span>
  </span>
);

const Unavailable = ({ error, onRetry }: { error: { code: number } & Error; onRetry: () => void }) => (
  <Panel>
    {error.code === Code.notFound ? (
      <EmptyState action={<Link to="/alarms">All alerts</Link>}>
        This alert is not yours to see, or it no longer exists
      </EmptyState>
    ) : (
      <ErrorState error={error} onRetry={onRetry} />
    )}
  </Panel>
);

/** Placeholders of the panels while the entry loads. */
const Waiting = () => (
  <div className={classes.page} role="status" aria-busy="true" aria-label="Loading the alert">
    <Panel className={classes.waiting ?? ""}>{null}</Panel>
    <Panel className={classes.happened ?? ""}>{null}</Panel>
  </div>
);

interface AlertEntryProps {
  alarmLogId: number;
  /** Draws the trend of the alert's channel, with times in the page's zone. */
  trend: (alert: AlertInfo, deviceChannelId: number, zone: Zone) => ReactNode;
}

const Loaded = ({ alert, trend }: { alert: AlertInfo; trend: AlertEntryProps["trend"] }) => {
  const { ask, dialog } = useConfirmAlert();
  const shelving = useShelveAlert();
  const choice = useZoneChoice(alert.timeZoneId);
  const isPhone = useIsPhone();
  const actions = (
    <>
      {!isPhone && <ZoneSwitch {...choice} />}
      <EntryActions alert={alert} onConfirm={ask} onShelve={shelving.ask} />
    </>
  );
  return (
    <ZonedPage zone={choice.zone}>
      <PageTitle beside={<Place alert={alert} />} aside={actions}>
        {back} {alertName(alert)}
      </PageTitle>
      <LostLine />
      <div className={classes.page}>
        <div className={classes.main}>
          <EntryState alert={alert} />
          <WhatToDo response={alert.response} />
          {alert.deviceChannelId !== null && trend(alert, alert.deviceChannelId, choice.zone)}
        </div>
        <Timeline alert={alert} />
        {isPhone && <ZoneSwitch {...choice} />}
      </div>
      {dialog}
      {shelving.dialog}
    </ZonedPage>
  );
};

/**
 * How long after an alert other devices may still change what its page says, in milliseconds: which one of its family came first is decided within a
 * minute, and readings come late.
 */
const familyTime = 2 * 60_000;

/** Keeps the alert up to date, undisturbed by what happens to other devices. */
const useInfoRefetch = (alert: AlertInfo | undefined): void =>
  useLiveRefetch([alertEntries.info], [LiveCommand.alertChange, LiveCommand.dashboardChange], ({ cmd, deviceId }) => {
    // A viewer sees the alerts of the dashboard's devices.
    if (cmd === LiveCommand.dashboardChange) return deviceId === undefined;
    if (alert === undefined || alert.deviceId === deviceId) return true;
    return serverNow() - alert.createdTime.getTime() < familyTime;
  });

/** One alert: its state, what to do, its trend and what happened. */
export const AlertEntry = ({ alarmLogId, trend }: AlertEntryProps): ReactNode => {
  const { data, error, isFetching, dataUpdatedAt, refetch } = useCall(
    alertEntries.info,
    { alarmLogId },
    // Another alert must not be used as placeholder data.
    { placeholderData: undefined, meta: { quiet: true } },
  );
  useInfoRefetch(data);
  const live = useLiveValues(isFetching, dataUpdatedAt);
  if (data)
    return (
      <LiveValuesContext value={live}>
        <Loaded alert={data} trend={trend} />
      </LiveValuesContext>
    );
  return (
    <>
      <PageTitle>{back}</PageTitle>
      {error ? <Unavailable error={error} onRetry={() => void refetch()} /> : <Waiting />}
    </>
  );
};
