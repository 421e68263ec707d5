import { type AlertRow, alerts } from "@telltale/contract/domains/alerts";
import { type ReactNode, Suspense, useMemo } from "react";
import { momentLink } from "../../../domain/alerts/alert-text.ts";
import { useOpenDevice } from "../../../domain/devices/device-links.tsx";
import { JointLink } from "../../../domain/joint-link.tsx";
import { useSession } from "../../../session/session.ts";
import { useFilters } from "../../../table/filters/use-filters.ts";
import { ListScreen } from "../../../table/list-screen.tsx";
import { usePages } from "../../../table/use-pages.ts";
import { lazyWithRetry } from "../../../ui/load-with-retry.ts";
import { logFilters } from "../alert-filters.ts";
import { ListHead } from "../list-head.tsx";
import { useLiveLists } from "../live/use-live-lists.ts";
import { LogStrip, LogTabs, LogViews } from "../log-head.tsx";
import { useConfirmAlert } from "../use-confirm.tsx";
import { logColumns } from "./alert-columns.tsx";

// Its content comes after the list, with which it loads.
const PassedNote = lazyWithRetry(() => import("../passed-note.tsx"), "PassedNote");

const passed = (
  <Suspense>
    <PassedNote />
  </Suspense>
);

const rowKey = (alert: AlertRow) => alert.alarmLogId;

/** All alerts of the plant, newest first, kept up to date. (spec 1 §2) */
export const AlertLog = (): ReactNode => {
  const filters = useFilters(logFilters);
  const pages = usePages(alerts.log, filters.values);
  const { can } = useSession();
  const { ask, dialog } = useConfirmAlert();
  useLiveLists(alerts.log);

  const isConfirmer = can("alerts.confirm");
  const columns = useMemo(
    () => logColumns({ by: filters.by, onConfirm: isConfirmer ? ask : undefined }),
    [filters.by, isConfirmer, ask],
  );
  const open = useOpenDevice(momentLink);
  return (
    <>
      <ListHead title="ALERT" beside={<LogViews passed={passed} />} onRefresh={pages.refetch} action={<JointLink />}>
        <LogTabs />
        <LogStrip notifications={pages.first?.notifications} />
      </ListHead>
      <ListScreen
        label="Alerts"
        filters={filters}
        linked={[{ key: "passedSince", head: "PASSED SINCE", filter: filters.by.passedSince }]}
        pages={pages}
        columns={columns}
        rowKey={rowKey}
        onOpen={open}
        empty="There are no alerts"
      />
      {dialog}
    </>
  );
};
