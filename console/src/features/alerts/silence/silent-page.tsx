import { IconCalendarTime } from "@tabler/icons-react";
import type { SilentCounts, SilentNow } from "@telltale/contract/domains/alerting/silent-now";
import { mostListed } from "@telltale/contract/domains/alerting/silent-now";
import { Fragment, type ReactNode } from "react";
import { useSession } from "../../../session/session.ts";
import { Button } from "../../../ui/control/button.tsx";
import { EmptyState, ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { SkeletonRows } from "../../../ui/page/skeleton-rows.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { AlertTabs } from "../alert-tabs.tsx";
import { groupsOf, type RowButtons } from "./silent-groups.tsx";
import classes from "./silent-page.module.css";
import { SilentRow } from "./silent-row.tsx";
import { useRowButtons } from "./use-row-buttons.tsx";
import { useSilentNow } from "./use-silent.ts";

const sums: readonly [keyof SilentCounts, string, "due"?][] = [
  ["shelved", "Shelved"],
  ["outOfService", "Out of service"],
  ["maintenance", "Maintenance"],
  ["silentMasters", "Silent master"],
  ["paymentDue", "Payment due", "due"],
  ["devicesOff", "Devices disabled"],
  ["rulesOff", "Switched off"],
  ["failedDeliveries", "Failed deliveries", "due"],
  ["notifyNobody", "Notifies nobody", "due"],
  ["escalationGaps", "On-call gaps", "due"],
];

const Sums = ({ counts }: { counts: SilentCounts }) => (
  <dl className={classes.sums}>
    {sums.map(([key, label, tone]) => (
      <div key={key} data-due={(tone === "due" && counts[key] > 0) || undefined}>
        <dt>{label}</dt>
        <dd>{counts[key]}</dd>
      </div>
    ))}
  </dl>
);

const Table = ({ children, isBusy = false }: { children: ReactNode; isBusy?: boolean }) => (
  <table className={classes.table} aria-label="What is silent now" aria-busy={isBusy}>
    <thead>
      <tr>
        {["KIND", "WHAT", "WHY", "BY", "ENDS"].map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
        <td />
      </tr>
    </thead>
    {children}
  </table>
);

const isCut = ({ counts: { total: _, maintenance: __, ...ofCut } }: SilentNow): boolean =>
  Object.values(ofCut).some((count) => count > mostListed);

const Loaded = ({ all, buttons }: { all: SilentNow; buttons: RowButtons }) => {
  const groups = groupsOf(all, buttons);
  if (groups.length === 0) return <EmptyState>Nothing is silent: everybody is notified of everything</EmptyState>;
  return (
    <>
      <Table>
        {groups.map(({ title, says, entries }) => (
          <tbody key={title}>
            <tr className={classes.group}>
              <th colSpan={6} scope="rowgroup">
                <b>{title}</b> {says}
              </th>
            </tr>
            {entries.map((entry) => (
              <Fragment key={entry.key}>
                <SilentRow entry={entry} />
              </Fragment>
            ))}
          </tbody>
        ))}
      </Table>
      {isCut(all) && (
        <p className={classes.cut}>The first {mostListed} of each kind are listed, and all maintenance.</p>
      )}
    </>
  );
};

interface SilentPageProps {
  /** Opens the purchase for a device; absent for accounts that may not buy. */
  onPay: ((device: SilentNow["paymentDue"][number]) => void) | undefined;
}

/** SUPPRESSED: everything of which nobody is notified now, or soon. */
export const SilentPage = ({ onPay }: SilentPageProps): ReactNode => {
  const { data, error, refetch } = useSilentNow();
  const { buttons, plan, dialogs } = useRowButtons(onPay);
  const mayPlan = useSession().can("alerts.outOfService");
  const aside = (
    <>
      <RefreshButton onRefresh={() => void refetch()} />
      {mayPlan && (
        <Button variant="default" size="xs" leftSection={<IconCalendarTime size={16} aria-hidden />} onClick={plan}>
          Plan maintenance
        </Button>
      )}
    </>
  );
  return (
    <>
      <PageTitle beside={<span className={classes.sentence}>What is silent now</span>} aside={aside}>
        ALERT
      </PageTitle>
      <AlertTabs current="SUPPRESSED" />
      {data && <Sums counts={data.counts} />}
      <Panel>
        {data && <Loaded all={data} buttons={buttons} />}
        {!data && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <Table isBusy>
            <tbody>
              <SkeletonRows columns={[0.6, 0.8, 0.8, 0.5, 0.6, 0.4]} rows={6} />
            </tbody>
          </Table>
        )}
      </Panel>
      {dialogs}
    </>
  );
};
