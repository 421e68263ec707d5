import type { AlertReport, FrequentRule } from "@telltale/contract/domains/alerting/report";
import { AlertClass } from "@telltale/contract/domains/alerts";
import { count } from "@telltale/contract/text/counted";
import type { ReactNode } from "react";
import { useSession } from "../../../session/session.ts";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./frequent-rules.module.css";

/** Where something can be done about it: the rule's *Try it*, the device's limits, or the newest alert itself. */
const Remedy = ({ rule, mayEdit }: { rule: FrequentRule; mayEdit: boolean }) => {
  const { alarmId, alarmLogId, alarmClass, deviceId, name } = rule;
  if (mayEdit && alarmId !== null)
    return (
      <Link to="/configureAlarm" search={{ tab: "custom", alarmId }} hash="try" aria-label={`Try it: ${name}`}>
        Try it
      </Link>
    );
  if (mayEdit && alarmClass === AlertClass.threshold)
    return (
      <Link to="/configureDevicesAdd" search={{ deviceId }} aria-label={`Set up the limits of ${rule.deviceName}`}>
        Limits
      </Link>
    );
  return (
    <Link to="/alarms/detail" search={{ alarmLogId }} aria-label={`Open the newest: ${name}`}>
      Open
    </Link>
  );
};

const Rule = ({ rule, most, mayEdit }: { rule: FrequentRule; most: number; mayEdit: boolean }) => (
  <li>
    <span className={classes.name}>
      <Link to="/alarms/detail" search={{ alarmLogId: rule.alarmLogId }} title={rule.name}>
        {rule.name}
      </Link>
      <small title={rule.deviceName}>{rule.deviceName}</small>
    </span>
    <span aria-hidden>
      <i className={classes.bar} style={{ width: `${(100 * rule.total) / most}%` }}>
        {rule.chattering > 0 && <u style={{ width: `${(100 * rule.chattering) / rule.total}%` }} />}
      </i>
    </span>
    <span className={classes.count}>
      {count(rule.total)}
      {rule.chattering > 0 && <span className={classes.spoken}>, {count(rule.chattering)} of them chattering</span>}
    </span>
    <span className={classes.remedy}>
      <Remedy rule={rule} mayEdit={mayEdit} />
    </span>
  </li>
);

/** The rules with the most alerts. */
export const FrequentRules = ({ report: { frequent, frequentTotal, total } }: { report: AlertReport }): ReactNode => {
  const mayEdit = useSession().can("alarms.write");
  const title = (
    <>
      Ten most frequent{" "}
      <small className={classes.beside}>
        {count(frequentTotal)} of {count(total)}
      </small>
    </>
  );
  const key = (
    <span className={classes.key}>
      <i aria-hidden /> chattering
    </span>
  );
  return (
    <Panel title={title} aside={key}>
      <ol className={classes.rules} aria-label="Ten most frequent">
        {frequent.map((rule) => (
          <Rule key={rule.alarmLogId} rule={rule} most={frequent[0]?.total ?? 1} mayEdit={mayEdit} />
        ))}
      </ol>
    </Panel>
  );
};
