import { JointEnding, type JointRow, joint } from "@telltale/contract/joint";
import { type ReactNode, useCallback, useState } from "react";
import { useAction } from "../../session/use-call.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { endingWords } from "./words.ts";

/** Asks before a joint control is deleted. */
export const useRemoveJoint = (): { ask: (row: JointRow) => void; dialog: ReactNode } => {
  const [asked, setAsked] = useState<JointRow>();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const { mutate, isPending } = useAction(joint.remove, {
    success: "Delete successful",
    invalidates: [joint.list],
    onDone: close,
  });
  const holds = asked?.enabled && asked.isActive;
  return {
    ask: useCallback((row) => {
      setAsked(row);
      setOpen(true);
    }, []),
    dialog: (
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title="Delete joint control"
        action="Delete"
        onConfirm={() => asked && mutate({ jointId: asked.jointId })}
        isBusy={isPending}
      >
        Are you sure that you want to delete this joint control?
        <p>{asked?.name}</p>
        {asked && holds && (
          <p>
            Its alert is open now: {asked.output.channelName} {asked.ending === JointEnding.back && "goes "}
            {endingWords(asked)}.
          </p>
        )}
      </ConfirmDialog>
    ),
  };
};
