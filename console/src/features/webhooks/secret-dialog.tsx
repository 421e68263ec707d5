import { Button } from "../../ui/control/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import classes from "./webhooks.module.css";

interface SecretDialogProps {
  isOpen: boolean;
  onClose: () => void;
  secret: string;
}

/** Shows the secret of a webhook's signatures, this once. */
export const SecretDialog = ({ isOpen, onClose, secret }: SecretDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Signing secret"
    width={540}
    footer={<Button onClick={onClose}>Close</Button>}
  >
    <p className={classes.intro}>
      Messages are signed with it as Standard Webhooks. Copy it now: it is not shown again. Slack, Teams and ntfy do not
      need it.
    </p>
    <code className={classes.secret}>{secret}</code>
  </Dialog>
);
