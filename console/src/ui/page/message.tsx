import { Button } from "@mantine/core";
import { IconAlertTriangle, IconFilterOff, IconInbox, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./message.module.css";

interface EmptyStateProps {
  /** What there is none of, as a sentence: 'No devices match these filters'. */
  children: ReactNode;
  /** Takes the filters away; without it nothing was filtered. */
  onClear?: () => void;
  /** What else leads on. */
  action?: ReactNode;
}

/** Instead of rows that do not exist. */
export const EmptyState = ({ children, onClear, action }: EmptyStateProps) => (
  <div className={classes.message} role="status">
    {onClear ? <IconFilterOff size={22} aria-hidden /> : <IconInbox size={22} aria-hidden />}
    <b>{children}</b>
    {onClear && (
      <Button variant="default" size="xs" onClick={onClear}>
        Clear all
      </Button>
    )}
    {action}
  </div>
);

interface ErrorStateProps {
  /** The server's sentence is shown; the cause is in its log. */
  error: Error;
  onRetry: () => void;
}

/** Instead of rows that could not be loaded. */
export const ErrorState = ({ error, onRetry }: ErrorStateProps) => (
  <div className={`${classes.message} ${classes.failed}`} role="alert">
    <IconAlertTriangle size={22} aria-hidden />
    <b>{error.message}</b>
    <Button variant="default" size="xs" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
      Try again
    </Button>
  </div>
);
