import { useState } from "react";
import { useSession } from "../../../session/session.ts";
import { ConfirmDialog } from "../../../ui/dialog/confirm-dialog.tsx";

/** Asks for confirmation before the session ends. (spec 1 §8) */
export const SignOutDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => {
  const { signOut } = useSession();
  const [isBusy, setBusy] = useState(false);
  const confirm = () => {
    setBusy(true);
    void signOut();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Sign out"
      action="Sign out"
      onConfirm={confirm}
      isBusy={isBusy}
    >
      Are you sure you want to sign out?
    </ConfirmDialog>
  );
};
