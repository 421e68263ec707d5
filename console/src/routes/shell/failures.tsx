import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { CallError, UnreachableError } from "@telltale/contract/call/client";
import { reconnectDelay } from "@telltale/contract/live";
import { useCallback, useEffect } from "react";
import { ErrorState } from "../../ui/page/message.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import classes from "./not-found.module.css";

/** For an address that no page has. */
export const NotFound = () => (
  <>
    <PageTitle>Page not found</PageTitle>
    <Panel className={classes.panel}>
      <p>There is no page at this address. It may have been mistyped or moved.</p>
      <Link to="/" className={classes.link}>
        Go to the start page
      </Link>
    </Panel>
  </>
);

/**
 * Instead of a screen that failed: the server's sentence, or that the console itself is at fault. While the server is
 * away it tries again by itself, because nobody stands at the screen on the wall.
 */
export const ScreenFailure = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const retry = useCallback(() => {
    if (!(error instanceof CallError)) return location.reload();
    reset();
    void router.invalidate();
  }, [error, reset, router]);
  const isAway = error instanceof UnreachableError;
  useEffect(() => {
    if (!isAway) return;
    const timer = setTimeout(retry, reconnectDelay);
    return () => clearTimeout(timer);
  }, [isAway, retry]);
  const shown = error instanceof CallError ? error : new Error("This screen could not be shown. Load it again.");
  return (
    <Panel>
      <ErrorState error={shown} onRetry={retry} />
    </Panel>
  );
};
