import { CallError, UnreachableError } from "@telltale/contract/call/client";
import { reconnectDelay } from "@telltale/contract/live";
import { useCallback, useEffect } from "react";
import { ErrorState } from "../../ui/page/message.tsx";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Panel } from "../../ui/page/panel.tsx";
import { useRouter } from "../../ui/router/hooks.ts";
import { Link } from "../../ui/router/link.tsx";
import type { FailureProps } from "../../ui/router/router.ts";
import classes from "./not-found.module.css";

/** For an unknown address. */
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
 * Shown instead of a screen that failed: the server's sentence, or that the console itself has an error. While the server is unreachable it retries
 * by itself, because a wall display has no user.
 */
export const ScreenFailure = ({ error, reset }: FailureProps) => {
  const router = useRouter();
  const retry = useCallback(() => {
    if (!(error instanceof CallError)) return location.reload();
    reset();
    void router.reload();
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
