import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { CallError, UnreachableError } from "@telltale/contract/client";
import { reconnectDelay } from "@telltale/contract/live";
import { useCallback, useEffect } from "react";
import { ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";

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
