import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { sms } from "@telltale/contract/sms";
import type { ReactNode } from "react";
import { useOutdate } from "../../session/outdate.ts";
import { PageTitle } from "../../ui/page-title.tsx";
import { RefreshButton } from "../../ui/refresh-button.tsx";
import tabs from "../../ui/tabs.module.css";
import { Balance } from "./balance.tsx";
import { BillingHistory } from "./billing-history.tsx";
import { BuySms } from "./buy-sms.tsx";
import { MonthlyUsage } from "./monthly-usage.tsx";
import classes from "./sms-credit.module.css";

/** The lists by their name in the page's address; the first is shown without one. */
const Tab = { usage: "usage", billing: "billing" } as const;

/** SMS credit: what is left, more of it, what was used and what was bought. (spec 2 §2) */
export const SmsCredit = (): ReactNode => {
  const outdate = useOutdate();
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const open = (next: string | null) =>
    void navigate({ to: ".", search: (next === Tab.billing ? { tab: next } : {}) as never, replace: true });
  const refresh = () => outdate([sms.left, sms.packages, sms.usage, sms.purchases]);
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
