import { IconCreditCard } from "@tabler/icons-react";
import { counted } from "@telltale/contract/text/counted";
import { type ReactNode, useEffect } from "react";
import { LostLine } from "../../session/live/lost-line.tsx";
import { useSession } from "../../session/session.ts";
import { Link } from "../../ui/router/link.tsx";
import classes from "./alert-tabs.module.css";
import { useSilentCounts } from "./silence/use-silent.ts";

const tabs = [
  { label: "LOG", to: "/alarms", needs: "alerts.read" },
  { label: "SUPPRESSED", to: "/alarms/silent", needs: "alerts.read" },
  { label: "REPORT", to: "/alarms/report", needs: "alarms.read" },
] as const;

interface AlertTabsProps {
  current: (typeof tabs)[number]["label"];
  /** Whether devices were to be paid when it was last known: what says so has its place until it is known again, and pushes nothing down when it comes. */
  hadDue?: boolean;
  onDue?: (isDue: boolean) => void;
}

/** The tabs of ALERT that the account may open, above them that nothing is live, and under them what mutes alarms without being looked at. */
export const AlertTabs = ({ current, hadDue = false, onDue }: AlertTabsProps): ReactNode => {
  const { can } = useSession();
  const counts = useSilentCounts();
  const due = counts?.paymentDue ?? 0;
  useEffect(() => {
    if (counts) onDue?.(counts.paymentDue > 0);
  }, [counts, onDue]);
  const isDue = counts ? due > 0 : hadDue;
  return (
    <>
      <LostLine />
      <nav className={classes.tabs} aria-label="ALERT">
        {tabs
          .filter(({ needs }) => can(needs))
          .map(({ label, to }) => (
            <Link key={to} to={to} search={{}} {...(label === current ? { "aria-current": "page" as const } : {})}>
              {label}
              {label === "SUPPRESSED" && counts && counts.total > 0 && <b>{counts.total}</b>}
            </Link>
          ))}
      </nav>
      {isDue && current !== "SUPPRESSED" && (
        <p className={classes.due} data-waits={!counts || undefined}>
          <IconCreditCard size={16} aria-hidden />
          <span>
            Payment Due: {counted(due, "device")} {due === 1 ? "raises" : "raise"} no alarms until paid.{" "}
            <Link to="/alarms/silent">Show</Link>
          </span>
        </p>
      )}
    </>
  );
};
