import { IconAlertTriangle } from "@tabler/icons-react";
import { CallError, UnreachableError } from "@telltale/contract/call/client";
import type { ReactNode } from "react";
import { rememberedPage } from "../../../session/return-page.ts";
import { Button } from "../../../ui/control/button.tsx";
import { ErrorState } from "../../../ui/page/message.tsx";
import { useNavigate } from "../../../ui/router/hooks.ts";
import classes from "./unpaid.module.css";

interface UnpaidProps {
  error: Error;
  onRetry: () => void;
}

/** Shows why a payment failed. Only a call that did not reach the server can be retried. */
export const Unpaid = ({ error, onRetry }: UnpaidProps): ReactNode => {
  const navigate = useNavigate();
  const isRefused = error instanceof CallError && !(error instanceof UnreachableError);
  if (!isRefused) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div className={classes.unpaid} role="alert">
      <IconAlertTriangle size={22} aria-hidden />
      <b>{error.message}</b>
      <Button variant="default" size="xs" onClick={() => void navigate({ href: rememberedPage(), replace: true })}>
        Go back
      </Button>
    </div>
  );
};
