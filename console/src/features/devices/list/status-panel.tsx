import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { deviceMeanings } from "../../../domain/devices/device-status.ts";
import { useRemembered } from "../../../ui/remembered.ts";
import { StatusLabel } from "../../../ui/status/status-label.tsx";
import classes from "./status-panel.module.css";

const title = "Status & download";

const Legend = (): ReactNode => (
  <>
    <h3 className={classes.caption}>Status legend</h3>
    <ul className={classes.legend}>
      {deviceMeanings.map(([look, meaning]) => (
        <li key={look.label}>
          <StatusLabel {...look} />
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </>
);

/** The list's actions (`children`) and the legend of its states, beside the list; on narrow screens above it and collapsible. */
export const StatusPanel = ({ children }: { children?: ReactNode }): ReactNode => {
  const id = useId();
  const [isOpen, setOpen] = useRemembered("telltale-device-legend", window.innerWidth >= 768);
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
