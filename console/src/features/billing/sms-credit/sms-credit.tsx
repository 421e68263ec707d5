import { Skeleton, Tabs } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { lowCredit, sms } from "@telltale/contract/domains/billing";
import { count } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { useInvalidate } from "../../../session/invalidate.ts";
import { useRecordsRefetch } from "../../../session/live/use-live-refetch.ts";
import { useCall } from "../../../session/use-call.ts";
import { ErrorState } from "../../../ui/page/message.tsx";
import { PageTitle } from "../../../ui/page/page-title.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { RefreshButton } from "../../../ui/refresh-button.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import tabs from "../../../ui/tabs.module.css";
import { BillingHistory } from "./billing-history.tsx";
import { BuySms } from "./buy-sms.tsx";
import { MonthlyUsage } from "./monthly-usage.tsx";
import classes from "./sms-credit.module.css";

const advice = (left: number): string =>
  left === 0
    ? "Alerts that would go out by SMS come to owners and admins by mail."
    : "When it is used up, alerts come to owners and admins by mail.";

/** The remaining SMS, with a warning when few are left. */
const Balance = (): ReactNode => {
  const { data, error, refetch } = useCall(sms.left, {});
  return (
    <Panel title="Balance">
      {data && (
        <div className={classes.balance}>
          <p className={classes.left}>
            <b>{count(data.leftSms)}</b> SMS
          </p>
          {data.leftSms <= lowCredit && (
            <p className={classes.low}>
              <IconAlertTriangle size={16} aria-hidden />{" "}
              {data.leftSms === 0 ? "No credit is left." : "Little is left."} {advice(data.leftSms)}
            </p>
          )}
          <p className={classes.note}>One SMS is used for each alert and phone. Codes that verify a phone are free.</p>
        </div>
      )}
      {!data &&
        (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton className={classes.still} />)}
    </Panel>
  );
};

/** The lists by their name in the page's address; the first is the default. */
const Tab = { usage: "usage", billing: "billing" } as const;

/** SMS credit: the balance, packages to buy, usage and purchases. (spec 2 §2) */
export const SmsCredit = ({ tab }: { tab: string | undefined }): ReactNode => {
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const open = (next: string | null) =>
    void navigate({ to: ".", search: next === Tab.billing ? { tab: next } : {}, replace: true });
  const refresh = () => invalidate([sms.left, sms.packages, sms.usage, sms.purchases]);
  useRecordsRefetch([sms.left, sms.usage, sms.purchases], ["smsCredit"]);
  return (
    <>
      <PageTitle aside={<RefreshButton onRefresh={refresh} />}>SMS</PageTitle>
      <div className={classes.credit}>
        <Balance />
        <BuySms />
      </div>
      <Tabs
        value={tab === Tab.billing ? Tab.billing : Tab.usage}
        onChange={open}
        keepMounted={false}
        classNames={{ ...tabs, list: `${tabs.list} ${classes.tabs}` }}
      >
        <Tabs.List aria-label="SMS">
          <Tabs.Tab value={Tab.usage}>Monthly usage records</Tabs.Tab>
          <Tabs.Tab value={Tab.billing}>Billing history</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={Tab.usage}>
          <MonthlyUsage />
        </Tabs.Panel>
        <Tabs.Panel value={Tab.billing}>
          <BillingHistory />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};
