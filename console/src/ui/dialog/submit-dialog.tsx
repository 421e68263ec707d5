import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import { Dialog } from "./dialog.tsx";
import type { DialogProps } from "./modal-dialog.tsx";

interface SubmitDialogProps extends Omit<DialogProps, "footer"> {
  /** The `id` of the form inside. */
  formId: string;
  /** Label of the button that submits the form. */
  action?: string;
  isBusy: boolean;
  /** The form cannot be submitted yet. */
  isDisabled?: boolean;
  /** Buttons before Cancel. */
  others?: ReactNode;
}

/** A dialog around a form, with the buttons Cancel and the one that submits the form. */
export const SubmitDialog = (props: SubmitDialogProps): ReactNode => {
  const { formId, action = "Confirm", isBusy, isDisabled = false, others, ...dialog } = props;
  const footer = (
    <>
      {others}
      <Button variant="default" onClick={dialog.onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} loading={isBusy} disabled={isDisabled}>
        {action}
      </Button>
    </>
  );
  return <Dialog {...dialog} footer={footer} />;
};
