import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { CallError } from "@telltale/contract/client";
import { ErrorState } from "../../ui/message.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Instead of a screen that failed: the server's sentence, or that the console itself is at fault. */
export const ScreenFailure = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const shown = error instanceof CallError ? error : new Error("This screen could not be shown. Load it again.");
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Panel>
      <ErrorState error={shown} onRetry={retry} />
    </Panel>
  );
};
