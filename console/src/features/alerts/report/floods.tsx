import type { AlertReport } from "@telltale/contract/domains/alerting/report";
import { count } from "@telltale/contract/text/counted";
import { zoneOf } from "@telltale/contract/text/wall-clock";
import type { ReactNode } from "react";
import { durationText } from "../../../domain/alerts/duration.ts";
import { FirstOutGlyph } from "../../../domain/alerts/first-out.tsx";
import { Panel } from "../../../ui/page/panel.tsx";
import { Link } from "../../../ui/router/link.tsx";
import classes from "./floods.module.css";

/** The times in which alerts came faster than they can be read; nothing in a month without one. */
export const Floods = ({ report: { floods, floodTotal, timeZone } }: { report: AlertReport }): ReactNode => {
  if (floodTotal === 0) return null;
  const zone = zoneOf(timeZone);
  return (
    <Panel>
      <table className={classes.floods}>
        <thead>
          <tr>
            <th scope="col">FLOOD</th>
            <th scope="col">FOR</th>
            <th scope="col">ALERTS</th>
            <th scope="col">FIRST OUT</th>
          </tr>
        </thead>
        <tbody>
          {floods.map(({ from, to, total, first }) => (
            <tr key={first.alarmLogId}>
              <td>{zone.stamp(from).slice(0, 16)}</td>
              <td>{durationText(to.getTime() - from.getTime())}</td>
              <td>{count(total)}</td>
              <td>
                <FirstOutGlyph />
                <Link to="/alarms/detail" search={{ alarmLogId: first.alarmLogId }}>
                  {first.name}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {floodTotal > floods.length && (
        <p className={classes.more}>
          The first {floods.length} of {count(floodTotal)}
        </p>
      )}
    </Panel>
  );
};
