import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useId } from "react";
import { Button } from "../control/button.tsx";
import { RefreshButton } from "../refresh-button.tsx";
import { useRemembered } from "../remembered.ts";
import { StatusLabel, type StatusLook } from "../status/status-label.tsx";
import { PageTitle } from "./page-title.tsx";
import classes from "./status-legend.module.css";

interface StatusLegendProps {
  id: string;
  /** Each state of a list with its meaning. */
  meanings: readonly (readonly [StatusLook, string])[];
}

/** Legend of the states of a list's rows. */
const StatusLegend = ({ id, meanings }: StatusLegendProps): ReactNode => (
  <div id={id} className={classes.legend}>
    <h2 className={classes.title}>Status legend</h2>
    <ul>
      {meanings.map(([look, meaning]) => (
        <li key={look.label}>
          <StatusLabel {...look} />
          <span>{meaning}</span>
        </li>
      ))}
    </ul>
  </div>
);

export interface ListHeadProps {
  title: ReactNode;
  /** Beside the title: what the list shows. */
  beside?: ReactNode;
  onRefresh: () => void;
  /** Local storage key for whether the legend is expanded. */
  legendKey: string;
  /** Each state of the list with its meaning. */
  meanings: readonly (readonly [StatusLook, string])[];
  /** The button that adds to the list. */
  action?: ReactNode;
  /** Content between the title and the legend. */
  children?: ReactNode;
}

/** The head of a list: title, Refresh, and the legend of its states, which can be collapsed and remembers its state. */
export const ListHead = (props: ListHeadProps): ReactNode => {
  const { title, beside, onRefresh, legendKey, meanings, action, children } = props;
  const id = useId();
  const [isOpen, setOpen] = useRemembered(legendKey, window.innerWidth >= 768);
  const Chevron = isOpen ? IconChevronUp : IconChevronDown;
  const buttons = (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Chevron size={16} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Status legend
      </Button>
      <RefreshButton onRefresh={onRefresh} />
      {action}
    </>
  );
  return (
    <>
      <PageTitle beside={beside} aside={buttons}>
        {title}
      </PageTitle>
      {children}
      {isOpen && <StatusLegend id={id} meanings={meanings} />}
    </>
  );
};
