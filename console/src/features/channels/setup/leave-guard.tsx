import { useBlocker } from "@tanstack/react-router";
import { counted, nounOf } from "@telltale/contract/counted";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";

/** Asks before the page is left with changes that are not saved; closing the window asks in the browser's own words. */
export const LeaveGuard = ({ changes }: { changes: number }): ReactNode => {
  const isDirty = changes > 0;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      isOpen={status === "blocked"}
      onClose={() => reset?.()}
      title="Leave without saving"
      action="Leave"
      onConfirm={() => proceed?.()}
    >
      {counted(changes, "change is", "changes are")} not saved. Leave this page and lose {nounOf(changes, "it", "them")}
      ?
    </ConfirmDialog>
  );
};
