import { IconCopy } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../control/button.tsx";
import { Dialog } from "./dialog.tsx";
import { inform, warn } from "./messages.ts";
import classes from "./secret-dialog.module.css";

const copy = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
    inform("Copied");
  } catch {
    warn("The browser does not allow copying: select the text and copy it");
  }
};

interface SecretDialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What it is for, and that it is not shown again. */
  intro: ReactNode;
  secret: string;
  children?: ReactNode;
}

/** Shows a secret that the server has just made, this once. */
export const SecretDialog = ({ isOpen, onClose, title, intro, secret, children }: SecretDialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title={title}
    width={540}
    footer={
      <>
        {/* The clipboard exists only in secure contexts. */}
        {"clipboard" in navigator && (
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy(secret)}>
            Copy
          </Button>
        )}
        <Button onClick={onClose}>Close</Button>
      </>
    }
  >
    <p className={classes.intro}>{intro}</p>
    <code className={classes.secret}>{secret}</code>
    {children}
  </Dialog>
);
