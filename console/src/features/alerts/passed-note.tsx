import { alertEntries } from "@telltale/contract/domains/alerting/entries";
import { type LiveAlertChange, LiveCommand, type LiveDashboardChange } from "@telltale/contract/live";
import { count } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { useLiveRefetch } from "../../session/live/use-live-refetch.ts";
import { useCall } from "../../session/use-call.ts";
import { recentShort } from "../../ui/format/time.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./alert-views.module.css";

/** How often the number is asked for at most, in milliseconds: alerts that come and go all day let hundreds of consoles ask. */
const seldom = 60_000;

/** A viewer sees the alerts of the dashboard's devices. */
const isAboutAlerts = ({ cmd, deviceId }: LiveAlertChange | LiveDashboardChange): boolean =>
  cmd === LiveCommand.alertChange || deviceId === undefined;

/** '3 passed since your visit at 12:48': a quiet link to the alerts that came and went unconfirmed; nothing when there are none. */
export const PassedNote = ({ isShort = false }: { isShort?: boolean }): ReactNode => {
  const { data } = useCall(alertEntries.passed, {}, { meta: { quiet: true } });
  useLiveRefetch([alertEntries.passed], [LiveCommand.alertChange, LiveCommand.dashboardChange], isAboutAlerts, seldom);
  if (!data || data.total === 0) return null;
  const visit = `since your visit at ${recentShort(data.since)}`;
  return (
    <span className={classes.passed} title={isShort ? `${count(data.total)} passed ${visit}` : undefined}>
      <Link to="/alarms" search={{ passedSince: data.since.toISOString() }}>
        {count(data.total)} passed
      </Link>
      {!isShort && ` ${visit}`}
    </span>
  );
};
