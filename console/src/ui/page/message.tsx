import { IconAlertTriangle, IconFilterOff, IconInbox, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import classes from "./message.module.css";

interface EmptyStateProps {
  /** Says what is empty: 'No devices match these filters'. */
  children: ReactNode;
  /** Clears the filters; absent when no filter is active. */
  onClear?: () => void;
  /** An action that helps. */
  action?: ReactNode;
}

/** Shown instead of an empty list. */
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
  /** Its sentence is shown; the cause is in the server's log. */
  error: Error;
  onRetry: () => void;
}

/** Shown instead of rows that could not be loaded. */
export const ErrorState = ({ error, onRetry }: ErrorStateProps) => (
  <div className={`${classes.message} ${classes.failed}`} role="alert">
    <IconAlertTriangle size={22} aria-hidden />
    <b>{error.message}</b>
    <Button variant="default" size="xs" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
      Try again
    </Button>
  </div>
);
