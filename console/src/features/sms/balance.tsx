import { Skeleton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { count } from "@telltale/contract/counted";
import { lowCredit, sms } from "@telltale/contract/sms";
import type { ReactNode } from "react";
import { useCall } from "../../session/use-call.ts";
import { ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./balance.module.css";

const advice = (left: number): string =>
  left === 0
    ? "Alerts that would go out by SMS come to owners and admins by mail."
    : "When it is used up, alerts come to owners and admins by mail.";

/** How many SMS are left, and what it means when they are few. */
export const Balance = (): ReactNode => {
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
