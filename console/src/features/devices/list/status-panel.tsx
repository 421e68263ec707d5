import { useLocalStorage } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { DeviceStatus } from "@telltale/contract/devices";
import { type ReactNode, useId } from "react";
import { deviceStatusLook } from "../../../format/device-status.ts";
import { StatusLabel } from "../../../ui/status-label.tsx";
import classes from "./status-panel.module.css";

const title = "Status & download";

const meanings: [DeviceStatus, string][] = [
  [DeviceStatus.alert, "at least one alert is active"],
  [DeviceStatus.normal, "reporting, all values inside limits"],
  [DeviceStatus.inactive, "added and never reported yet, or disabled"],
  [DeviceStatus.offline, "silent longer than its offline reporting time"],
  [DeviceStatus.paymentDue, "network service has to be paid"],
];

const Legend = (): ReactNode => (
  <>
    <h3 className={classes.caption}>Status legend</h3>
    <ul className={classes.legend}>
      {meanings.map(([status, meaning]) => (
        <li key={status}>
          <StatusLabel {...deviceStatusLook(status)} />
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </>
);

/** Beside the list what can be done with it (`children`) and what its states mean; where there is no room for that, above it, and it folds. */
export const StatusPanel = ({ children }: { children?: ReactNode }): ReactNode => {
  const id = useId();
  const [isOpen, setOpen] = useLocalStorage({
    key: "telltale-device-legend",
    defaultValue: window.innerWidth >= 768,
    getInitialValueInEffect: false,
  });
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <aside className={classes.panel} aria-label={title}>
      <h2 className={classes.head}>
        <span className={classes.beside}>{title}</span>
        <button
          type="button"
          className={classes.above}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {title}
          <Chevron size={16} aria-hidden />
        </button>
      </h2>
      {children}
      <div id={id} className={classes.body} data-folded={!isOpen || undefined}>
        <Legend />
      </div>
    </aside>
  );
};
